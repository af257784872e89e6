import { ticketCodec } from '../../domain/tickets/codecs.ts';
import type { StoredEvent } from '../../engine/log/event-store.ts';

/** The owner from a ticket's opening; it never changes. */
export interface TicketOwner {
  readonly organisation: string;
  /** `null` if this release cannot read it. */
  readonly buildingId: string | null;
}

/**
 * From the fact itself, or from its metadata if this release cannot read the fact.
 *
 * @param opening The first event of a ticket's stream.
 * @returns `null`: the owner is unknown.
 */
export const ticketOwnerIn = (opening: StoredEvent): TicketOwner | null => {
  try {
    const { event, organisation } = ticketCodec.decode(opening);
    if (event.type === 'TicketOpened')
      return { organisation: event.organisation, buildingId: event.buildingId };
    return organisation === undefined ? null : { organisation, buildingId: null };
  } catch {
    const { organisation } = opening.meta;
    return isAlias(organisation) ? { organisation, buildingId: null } : null;
  }
};

/** Metadata of other programs may have any form. */
const isAlias = (text: unknown): text is string =>
  typeof text === 'string' && /^[\w.-]{1,64}$/.test(text);
