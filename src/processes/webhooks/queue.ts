/** Facts of deliveries on their way to the journals of their subscriptions. */
import { v5 as uuidFrom } from 'uuid';
import {
  deliveryJournal,
  type DeliveryEvent,
  type DeliveryQueued,
} from '../../domain/webhooks/delivery/events.ts';
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';
import { WEBHOOK_ATTEMPTS_MAX } from '../../domain/webhooks/limits.ts';
import { DELIVERIES_QUEUED_AT_ONCE } from './limits.ts';
import { deliveryCodec } from '../../domain/webhooks/codecs.ts';
import { deliveryIdOf } from '../../use-cases/webhooks/delivered.ts';
import { WrongRevision, type EventStore, type NewEvent } from '../../engine/log/event-store.ts';

/** What is told, to whom it may concern. */
export interface Told {
  /** What is sent of it, byte for byte. */
  readonly body: string;
  /** UUID: the same in every reading. */
  readonly messageId: string;
  readonly event: string;
  readonly timestamp: Instant;
}

export const queued = (
  webhookId: string,
  { messageId, event, timestamp, body }: Told,
  over: Partial<DeliveryQueued> = {},
): DeliveryQueued => ({
  type: 'DeliveryQueued',
  deliveryId: deliveryIdOf(webhookId, messageId),
  webhookId,
  reason: 'event',
  messageId,
  event,
  timestamp,
  body,
  attemptsMax: WEBHOOK_ATTEMPTS_MAX,
  ...over,
});

export interface RecordedBy {
  readonly at: Instant;
  readonly by: Actor;
  readonly organisation?: string | undefined;
  /** Of the span that they are recorded because of. Default: the one in which it is done. */
  readonly traceparent?: string | undefined;
}

export interface JournalFacts {
  readonly webhookId: string;
  /** Names the journal: the same in a repeat, so that the log knows what is there already. */
  readonly day: Instant;
  readonly facts: readonly { readonly id: string; readonly event: DeliveryEvent }[];
}

/** What names a delivery's fact: a delivery is queued once, whoever asks. */
export const queuedId = (deliveryId: string): string => uuidFrom('queued', deliveryId);

/**
 * Appends facts to the journal of a subscription. Doing it again does nothing.
 *
 * @returns The journal, and where each of them stands in it.
 * @throws `LogUnavailable`.
 */
export const recordDeliveries = async (
  log: Pick<EventStore, 'append'>,
  { webhookId, day, facts }: JournalFacts,
  { at, by, organisation, traceparent }: RecordedBy,
): Promise<{ readonly journal: string; readonly revisions: readonly number[] }> => {
  const encode = ({ id, event }: JournalFacts['facts'][number]) =>
    deliveryCodec.encode(id, event, {
      commandId: id,
      at,
      by,
      origin: 'system',
      ...(organisation === undefined ? {} : { organisation }),
      traceparent,
    });
  const journal = deliveryJournal(webhookId, day);
  const revisions: number[] = [];
  for (let from = 0; from < facts.length; from += DELIVERIES_QUEUED_AT_ONCE) {
    const group = facts.slice(from, from + DELIVERIES_QUEUED_AT_ONCE).map(encode);
    revisions.push(...(await appendOnce(log, journal, group)));
  }
  return { journal, revisions };
};

/** As a whole; where a part of it is there already, event by event. */
const appendOnce = async (
  log: Pick<EventStore, 'append'>,
  journal: string,
  events: readonly NewEvent[],
): Promise<readonly number[]> => {
  try {
    const { revision: last } = await log.append(journal, 'any', events);
    return events.map((_, index) => last - (events.length - 1 - index));
  } catch (error) {
    if (!(error instanceof WrongRevision) || events.length === 1) throw error;
    const revisions: number[] = [];
    for (const event of events) revisions.push(...(await appendOnce(log, journal, [event])));
    return revisions;
  }
};
