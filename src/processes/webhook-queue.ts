/** Facts of deliveries on their way to the journals of their subscriptions. */
import { v5 as uuidFrom } from 'uuid';
import {
  deliveryJournal,
  type DeliveryEvent,
  type DeliveryQueued,
} from '../domain/delivery/events.ts';
import { webhookBody } from '../domain/delivery/message.ts';
import type { Actor, Instant } from '../domain/decider.ts';
import { DELIVERIES_QUEUED_AT_ONCE, WEBHOOK_ATTEMPTS_MAX } from '../limits.ts';
import { deliveryCodec } from '../store/codecs.ts';
import { WrongRevision, type EventStore, type NewEvent } from '../store/event-store.ts';

/** What is told, to whom it may concern. */
export interface Told {
  /** UUID: the same in every reading. */
  readonly messageId: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly timestamp: Instant;
}

/** The one delivery of a message to a subscription that nobody has asked for by hand. */
export const deliveryIdOf = (webhookId: string, messageId: string): string =>
  uuidFrom(webhookId, messageId);

export const queued = (
  webhookId: string,
  { messageId, event, data, timestamp }: Told,
  over: Partial<DeliveryQueued> = {},
): DeliveryQueued => ({
  type: 'DeliveryQueued',
  deliveryId: deliveryIdOf(webhookId, messageId),
  webhookId,
  reason: 'event',
  messageId,
  event,
  timestamp,
  body: webhookBody({ event, data, timestamp }),
  attemptsMax: WEBHOOK_ATTEMPTS_MAX,
  ...over,
});

export interface RecordedBy {
  readonly at: Instant;
  readonly by: Actor;
  readonly organisation?: string | undefined;
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
 * @throws `LogUnavailable`.
 */
export const recordDeliveries = async (
  log: Pick<EventStore, 'append'>,
  { webhookId, day, facts }: JournalFacts,
  { at, by, organisation }: RecordedBy,
): Promise<void> => {
  const events = facts.map(({ id, event }) =>
    deliveryCodec.encode(id, event, {
      commandId: id,
      at,
      by,
      origin: 'system',
      ...(organisation === undefined ? {} : { organisation }),
    }),
  );
  const journal = deliveryJournal(webhookId, day);
  for (let from = 0; from < events.length; from += DELIVERIES_QUEUED_AT_ONCE)
    await appendOnce(log, journal, events.slice(from, from + DELIVERIES_QUEUED_AT_ONCE));
};

/** As a whole; where a part of it is there already, event by event. */
const appendOnce = async (
  log: Pick<EventStore, 'append'>,
  journal: string,
  events: readonly NewEvent[],
): Promise<void> => {
  try {
    await log.append(journal, 'any', events);
  } catch (error) {
    if (!(error instanceof WrongRevision) || events.length === 1) throw error;
    for (const event of events) await appendOnce(log, journal, [event]);
  }
};
