import { publicationOf } from '../domain/ticket/publication.ts';
import { ticketEventSchemas, type TicketEvent } from '../domain/ticket/events.ts';
import type { TicketChange, TicketChanges } from '../feed/ticket-changes.ts';
import { ticketCodec } from '../store/codecs.ts';
import type { Recorded } from '../store/codec.ts';
import { publishTo, type Publish, type PublishEffect } from './effects.ts';
import type { Process } from './process.ts';

const published = (_: Recorded, change: TicketChange | null): readonly PublishEffect[] => {
  if (change === null) return [];
  const { at, ticket } = change;
  const publication = publicationOf(change.change, change.facts, ticket);
  if (publication === null) return [];
  const { type, data } = publication;
  return [{ kind: 'publish', subject: { buildingId: ticket.buildingId, type }, data, at }];
};

/** What a command did is told at its last fact, whichever that is. */
type Publishing = Process<TicketEvent, TicketChange | null, PublishEffect>;

const onEach: Publishing['on'] = Object.fromEntries(
  Object.keys(ticketEventSchemas).map((type) => [type, published]),
);

/**
 * Tells the internal bus what each command did to a ticket: one message a command, with the ticket
 * as the command left it, each ticket's in order. A crash repeats the last ones under the same ids.
 * contract.md section 9.
 */
export const ticketPublishing = (
  changes: Pick<TicketChanges, 'between'>,
  publish: Publish,
): Publishing => ({
  name: 'ticket-publishing',
  categories: ['ticket'],
  codec: ticketCodec,
  /** `null` for a fact that is not the last of its command. */
  gather: async ({ stream, revision }) => {
    const { ended, broken } = await changes.between(stream, revision, revision);
    if (broken && broken.revision <= revision) throw broken.error;
    return ended.get(revision) ?? null;
  },
  on: onEach,
  effects: { publish: publishTo(publish) },
});
