import { attachmentChangesIn } from '../../domain/tickets/attachments.ts';
import { publicationOf, slaPublicationOf } from '../../domain/tickets/publication.ts';
import { ticketEventSchemas, type TicketEvent } from '../../domain/tickets/events.ts';
import type { TicketChange, TicketChanges } from '../../projections/tickets/feed/changes.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import type { Recorded } from '../../engine/log/codec.ts';
import { publishTo, type Publish, type PublishEffect } from '../../bus/publish-effect.ts';
import { effectId, type Process } from '../../engine/processes/process.ts';

const NAME = 'ticket-publishing';

/**
 * A warning or a breach precedes the other changes of its command, under the same id as when its
 * timer records it.
 */
const published = ({ id }: Recorded, change: TicketChange | null): readonly PublishEffect[] => {
  if (change === null) return [];
  const { at, slaEvents, ticket } = change;
  const raised = slaEvents.map((event) => ({ cause: event.id, ...slaPublicationOf(event) }));
  const own = publicationOf(change.change, ticket, attachmentChangesIn(change));
  return [...raised, ...(own === null ? [] : [{ cause: id, ...own }])].map(
    ({ cause, type, data }) => ({
      kind: 'publish',
      eventId: effectId(NAME, cause, 0),
      subject: { buildingId: ticket.buildingId, type },
      data: { ...data },
      at,
    }),
  );
};

/** A command is published when its last event is handled. */
type Publishing = Process<TicketEvent, TicketChange | null, PublishEffect>;

const onEach: Publishing['on'] = Object.fromEntries(
  Object.keys(ticketEventSchemas).map((type) => [type, published]),
);

/**
 * Publishes ticket changes on the internal bus: one message per command, with the ticket after it,
 * preceded by one for each warning or breach that the command recorded. Ordered per ticket; a crash
 * repeats the last ones under the same ids. contract.md section 5.
 */
export const ticketPublishing = (
  changes: Pick<TicketChanges, 'between'>,
  publish: Publish,
): Publishing => ({
  name: NAME,
  categories: ['ticket'],
  codec: ticketCodec,
  /** `null` for an event that is not the last of its command. */
  gather: async ({ stream, revision }) => {
    const { ended, broken } = await changes.between(stream, revision, revision);
    if (broken && broken.revision <= revision) throw broken.error;
    return ended.get(revision) ?? null;
  },
  on: onEach,
  effects: { publish: publishTo(publish) },
});
