/** A requested ticket, and the defaults of its optional members. */
import type { BuildingLocation, RequestedLocation } from '../buildings/location.ts';
import type { RequestType } from '../service-desk/request-types.ts';
import type { TicketDraft } from './commands.ts';
import type { TicketFact } from './events.ts';

type Mandatory = 'ticketId' | 'organisation' | 'description';
type Details = Omit<TicketDraft, Mandatory | 'number' | keyof BuildingLocation>;

/** With the finest known location; absent members are as in {@link ticketDefaults}. */
export type NewTicket = Pick<TicketDraft, Mandatory> &
  RequestedLocation & { readonly [Member in keyof Details]?: Details[Member] | undefined };

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

/**
 * @param location The requested location, resolved in the building graph.
 * @param type Its entry in the configuration, with the defaults of members that the caller omits.
 */
export const draftOf = (
  asked: NewTicket,
  location: BuildingLocation,
  number: string,
  type?: Pick<RequestType, 'category' | 'priority'>,
): TicketDraft => ({
  ticketId: asked.ticketId,
  number,
  organisation: asked.organisation,
  ...location,
  description: asked.description,
  requestType: asked.requestType ?? ticketDefaults.requestType,
  subject: asked.subject ?? ticketDefaults.subject,
  priority: asked.priority ?? type?.priority ?? ticketDefaults.priority,
  category: categoryOf(asked, type),
  channel: asked.channel ?? ticketDefaults.channel,
  reporterName: asked.reporterName ?? ticketDefaults.reporterName,
  reporterEmail: asked.reporterEmail ?? ticketDefaults.reporterEmail,
  reporterPhone: asked.reporterPhone ?? ticketDefaults.reporterPhone,
  formData: asked.formData ?? ticketDefaults.formData,
  metadata: asked.metadata ?? ticketDefaults.metadata,
  ...(asked.faultId === undefined ? {} : { faultId: asked.faultId }),
});

/** An explicit `null` means no category, also where the type has a default. */
const categoryOf = ({ category }: NewTicket, type?: Pick<RequestType, 'category'>) =>
  category === undefined ? (type?.category ?? ticketDefaults.category) : category;

/** The request as it was recorded. Up to 0.1, its priority was the result of routing. */
export const draftAgain = (opened: TicketFact<'TicketOpened'>): TicketDraft => {
  const {
    type: _,
    slaFirstResponseDueAt: __,
    slaResolutionDueAt: ___,
    slaPolicy: ____,
    slaWarning: _____,
    slaPause: ______,
    ruleIds: _______,
    ...draft
  } = opened;
  return draft;
};
