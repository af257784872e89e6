/** A ticket as somebody asks for it, and what it is where nobody says otherwise. */
import type { Place, WantedPlace } from '../building/place.ts';
import type { TicketDraft } from './commands.ts';

type Required = 'ticketId' | 'organisation' | 'description';
type Details = Omit<TicketDraft, Required | 'number' | keyof Place>;

/** The location as fine as it is known; what is absent is as in {@link ticketDefaults}. */
export type NewTicket = Pick<TicketDraft, Required> &
  WantedPlace & { readonly [Member in keyof Details]?: Details[Member] | undefined };

/** contract.md section 5. */
export const ticketDefaults = {
  requestType: 'general',
  subject: null,
  priority: 'medium',
  category: null,
  channel: 'portal',
  reporterName: null,
  reporterEmail: null,
  reporterPhone: null,
  formData: {},
  metadata: {},
} as const satisfies Details;

/** @param place What the building graph makes of the location that was asked for. */
export const draftOf = (asked: NewTicket, place: Place, number: string): TicketDraft => ({
  ticketId: asked.ticketId,
  number,
  organisation: asked.organisation,
  ...place,
  description: asked.description,
  requestType: asked.requestType ?? ticketDefaults.requestType,
  subject: asked.subject ?? ticketDefaults.subject,
  priority: asked.priority ?? ticketDefaults.priority,
  category: asked.category ?? ticketDefaults.category,
  channel: asked.channel ?? ticketDefaults.channel,
  reporterName: asked.reporterName ?? ticketDefaults.reporterName,
  reporterEmail: asked.reporterEmail ?? ticketDefaults.reporterEmail,
  reporterPhone: asked.reporterPhone ?? ticketDefaults.reporterPhone,
  formData: asked.formData ?? ticketDefaults.formData,
  metadata: asked.metadata ?? ticketDefaults.metadata,
});
