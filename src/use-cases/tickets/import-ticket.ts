/** Opens a ticket of another system under its key there. */
import { v5 as uuidFrom } from 'uuid';
import type { Occasion } from '../../engine/aggregates/decider.ts';
import type { NewTicket } from '../../domain/tickets/draft.ts';
import { withOriginals, type Originals } from '../../domain/tickets/imported.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { Answer } from '../../engine/aggregates/aggregate.ts';
import { openTicket, type OpenTicketParts, type TicketToOpen } from './open-ticket.ts';

export interface TicketToImport extends Omit<TicketToOpen, 'ticketId'>, Originals {
  /** Identifies the ticket within its organisation, whoever imports it. */
  readonly importKey: string;
  readonly metadata: NonNullable<NewTicket['metadata']>;
}

/**
 * Opens the ticket as {@link openTicket} does, with clocks that begin now. A repeated key is the
 * same ticket, whatever the rest, from any process and after a crash: then the answer is
 * `replayed`.
 *
 * @throws As {@link openTicket} does.
 */
export const importTicket = (parts: OpenTicketParts) => {
  const open = openTicket(parts);
  return (
    { importKey, ...ticket }: TicketToImport,
    occasion: Occasion,
  ): Promise<Answer<TicketView>> => {
    const { originalNumber, originalCreatedAt, originalClosedAt, ...details } = ticket;
    const originals = { originalNumber, originalCreatedAt, originalClosedAt };
    const commandId = uuidFrom(JSON.stringify([ticket.organisation, importKey]), IMPORTS);
    return open(
      {
        ...details,
        ticketId: uuidFrom('made', commandId),
        metadata: withOriginals(ticket.metadata, originals),
      },
      { ...occasion, origin: 'import' },
      { commandId },
    );
  };
};

/** Namespace of import commands, which must never change. */
const IMPORTS = '7a3f0d1c-2b64-4f0e-9a5d-6c1e8b90f2d4';
