/**
 * Records what one ticket has lost, once keys of its persons were destroyed. contract.md section
 * 11, decision 0124.
 */
import { v5 as uuidFrom } from 'uuid';
import { authorityOf } from '../../domain/authority.ts';
import type { Found } from '../../domain/erasures/events.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import { erasedIn } from '../../domain/tickets/erased-in.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';
import type { Occasion } from '../../engine/aggregates/decider.ts';
import type { Recorded } from '../../engine/log/codec.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { historyOf } from '../../engine/log/history.ts';
import { streamOf } from '../../engine/log/streams.ts';

export interface EraseTicketParts {
  readonly log: EventStore;
  readonly tickets: Pick<Aggregate<TicketCommand, TicketView>, 'give'>;
}

export interface ErasedPerson {
  readonly erasureId: string;
  readonly organisation: string;
  /** Ids of the destroyed keys. */
  readonly keys: ReadonlySet<string>;
  /** The number of requests that are carried out. */
  readonly requests: number;
}

/**
 * Idempotent. After an attempt that destroyed more keys it records what the ticket has lost since.
 *
 * @returns What the ticket had of the person.
 * @throws As the log does, and for events that cannot be read.
 */
export const eraseTicket = async (
  { log, tickets }: EraseTicketParts,
  ticketId: string,
  { erasureId, organisation, keys, requests }: ErasedPerson,
  occasion: Occasion & { readonly id: string },
): Promise<Pick<Found, 'notes' | 'attachments'>> => {
  let facts: readonly Recorded<TicketEvent>[] = [];
  const read = async () => {
    facts = await historyOf(log, ticketCodec, streamOf('ticket', ticketId));
    return facts;
  };
  await tickets.give(
    ticketId,
    {
      commandId: uuidFrom(`${ticketId}/${requests}`, occasion.id),
      organisation,
      // Read again after a lost race, so that a concurrent edit is not erased with the old text.
      command: async () => {
        const { erased, attachments: removed } = erasedIn(await read());
        const authority = authorityOf(organisation);
        return { type: 'ErasePersonalData', authority, erasureId, erased, removed };
      },
    },
    occasion,
  );
  // A command that was given before decides, and so reads, nothing.
  if (facts.length === 0) await read();
  const isOf = ({ personKeys = [] }: Recorded) => personKeys.some((key) => keys.has(key));
  const own = facts.filter(isOf).map(({ event }) => event.type);
  return {
    notes: own.filter((type) => type === 'NoteAdded' || type === 'SystemNoteAdded').length,
    attachments: own.filter((type) => type === 'AttachmentAdded').length,
  };
};
