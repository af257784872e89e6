/**
 * Stage 4 of a webhook delivery: its outcome, in the journals of its subscription. A first success
 * shares one event with others and needs no row; everything else is queued, then attempted, each
 * under an id that follows from its content, so that recording it twice stores it once.
 */
import { randomUUID } from 'node:crypto';
import { v5 as uuidFrom } from 'uuid';
import { deliveredCodec, deliveryCodec } from '../../domain/webhooks/codecs.ts';
import {
  deliveredJournal,
  deliveryTerm,
  type SucceededDelivery,
} from '../../domain/webhooks/delivery/delivered.ts';
import {
  deliveryJournal,
  type DeliveryAttempted,
  type DeliveryEvent,
  type DeliveryQueued,
} from '../../domain/webhooks/delivery/events.ts';
import { nextAttemptAt } from '../../domain/webhooks/delivery/schedule.ts';
import { WEBHOOK_ATTEMPTS_MAX } from '../../domain/webhooks/limits.ts';
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';
import { backoff } from '../../engine/concurrency/backoff.ts';
import { batcher, upTo } from '../../engine/concurrency/batcher.ts';
import { chunksOf } from '../../engine/concurrency/chunks.ts';
import { appendAny } from '../../engine/log/append-any.ts';
import {
  IdTaken,
  type EventStore,
  type NewEvent,
  type Position,
} from '../../engine/log/event-store.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import type { Traceparent, Tracing } from '../../engine/observe/tracing.ts';
import { isFailure } from '../../engine/processes/reaction.ts';
import { retiresAt } from '../../engine/retention/terms.ts';
import { daysAfter } from '../../engine/time/calendar.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { BacklogRow } from '../../projections/webhooks/backlog.ts';
import { deliveryIdOf } from '../../use-cases/webhooks/delivered.ts';
import type { AttemptResult } from './attempt.ts';
import {
  DELIVERED_GATHER_MS,
  DELIVERED_PER_EVENT_MAX,
  DELIVERIES_QUEUED_AT_ONCE,
} from './limits.ts';
import type { WebhookMessage } from './message.ts';

export const DELIVERER = { kind: 'system', id: 'webhook-deliveries' } as const;

export interface DeliveryFact<Event extends DeliveryEvent = DeliveryEvent> {
  readonly id: string;
  readonly event: Event;
}

/** The end of an attempt, or of a delivery. */
export interface OutcomeFact<
  Event extends DeliveryEvent = DeliveryEvent,
> extends DeliveryFact<Event> {
  /** Where the delivery was queued. */
  readonly journal: string;
}

/** A delivery with its place in the journal. */
export type QueuedDelivery = Omit<BacklogRow, 'dueAt' | 'body'>;

export const deliveryQueued = (
  webhookId: string,
  { messageId, event, timestamp, body }: WebhookMessage,
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

export const queuedFact = (event: DeliveryQueued): DeliveryFact => ({
  id: uuidFrom('queued', event.deliveryId),
  event,
});

export const attemptedFact = (
  delivery: QueuedDelivery,
  result: AttemptResult,
  clears: boolean,
): OutcomeFact<DeliveryAttempted> => {
  const next = result.succeeded ? null : nextAttemptAt(delivery, result.finishedAt);
  const { deliveryId, webhookId, reason, messageId, event, timestamp } = delivery;
  const { journal, revision, attempt } = delivery;
  return {
    id: uuidFrom(`attempt/${attempt}`, deliveryId),
    journal,
    event: {
      type: 'DeliveryAttempted',
      deliveryId,
      webhookId,
      reason,
      messageId,
      event,
      timestamp,
      attempt,
      ...result,
      nextAttemptAt: next,
      deadLettered: !result.succeeded && next === null,
      clears,
      journal,
      revision,
    },
  };
};

export const cancelledFact = ({ deliveryId, webhookId, journal }: QueuedDelivery): OutcomeFact => ({
  id: uuidFrom('cancelled', deliveryId),
  journal,
  event: { type: 'DeliveryCancelled', deliveryId, webhookId },
});

interface Context {
  readonly at: Instant;
  readonly by: Actor;
  readonly organisation?: string | undefined;
  /** Default: the current span. */
  readonly traceparent?: Traceparent | undefined;
}

const encoded = ({ id, event }: DeliveryFact, { organisation, ...context }: Context): NewEvent =>
  deliveryCodec.encode(id, event, {
    commandId: id,
    origin: 'system',
    ...context,
    ...(organisation === undefined ? {} : { organisation }),
  });

/**
 * Appends facts to the journal of a subscription. Idempotent.
 *
 * @param to.day Names the journal: the same in a repeat, so that the log recognises the facts.
 * @returns The journal, and the revision of each fact.
 * @throws `LogUnavailable`.
 */
export const recordFacts = async (
  log: Pick<EventStore, 'append'>,
  to: {
    readonly webhookId: string;
    readonly day: Instant;
    readonly facts: readonly DeliveryFact[];
  },
  context: Context,
): Promise<{ readonly journal: string; readonly revisions: readonly number[] }> => {
  const journal = deliveryJournal(to.webhookId, to.day);
  const revisions: number[] = [];
  for (const batch of chunksOf(to.facts, DELIVERIES_QUEUED_AT_ONCE)) {
    const appended = await appendAny(
      log,
      journal,
      batch.map((fact) => encoded(fact, context)),
    );
    const last = appended.at(-1)!.revision;
    if (appended.length > 1) revisions.push(...appended.map(({ revision }) => revision));
    else revisions.push(...batch.map((_, index) => last - (batch.length - 1 - index)));
  }
  return { journal, revisions };
};

/** A first attempt that succeeded and does not change the subscription's health. */
export interface FirstSuccess {
  readonly webhookId: string;
  readonly organisation: string;
  readonly delivery: SucceededDelivery;
  /** Called when it is durable, or with the error that prevents it. */
  readonly ended: (error?: unknown) => void;
}

export interface OutcomeRecorder {
  /**
   * Appends an outcome in one batch with those that wait for the same journal, again and again
   * while the log cannot be reached.
   *
   * @throws The last error, once `signal` has aborted; an error that a repeat would not change.
   */
  outcome(fact: OutcomeFact, organisation: string | undefined): Promise<Position>;
  /**
   * Appends a success in one event with the others of {@link DELIVERED_GATHER_MS}. One that is not
   * stored when the process dies is delivered again.
   */
  succeeded(success: FirstSuccess): void;
}

export interface OutcomeRecorderParts {
  readonly log: Pick<EventStore, 'append' | 'head'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracing: Tracing;
  /** Once aborted, a failed append is not repeated. */
  readonly signal: AbortSignal;
}

export const outcomeRecorder = (parts: OutcomeRecorderParts): OutcomeRecorder => {
  const { log, clock, logger, tracing, signal } = parts;
  let successes: FirstSuccess[] = [];

  const repeated = async <Result>(
    journal: string,
    call: () => Promise<Result>,
    isTransient = isFailure,
  ): Promise<Result> => {
    const delays = backoff();
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (signal.aborted || !isTransient(error)) throw error;
        logger.warn({ err: error, journal }, 'outcomes of deliveries are not stored yet');
        await delays.pause(signal);
      }
    }
  };

  const append = (journal: string, events: readonly NewEvent[], isTransient = isFailure) =>
    repeated(journal, () => appendAny(log, journal, events), isTransient);

  const appendOne = async (journal: string, event: NewEvent): Promise<Position | Error> => {
    try {
      return (await append(journal, [event]))[0]!.position;
    } catch (error) {
      if (signal.aborted) throw error;
      if (!(error instanceof IdTaken))
        return error instanceof Error ? error : new Error(String(error));
      // Stored in the journal of another day, as the last release does: not after the head.
      return (await repeated(journal, () => log.head())).position!;
    }
  };

  const appendOutcome = batcher<NewEvent, Position>({
    next: upTo(DELIVERIES_QUEUED_AT_ONCE),
    defer: (start) => void tracing.apart(() => setImmediate(start)),
    async write(journal, events) {
      try {
        const [first, ...more] = await append(journal, events);
        return events.map((_, index) => (more[index - 1] ?? first!).position);
      } catch (error) {
        if (signal.aborted) throw error;
        // An outcome that the log refuses must not hold up the others.
        const positions: (Position | Error)[] = [];
        for (const event of events) positions.push(await appendOne(journal, event));
        return positions;
      }
    },
  });

  const storeSuccesses = async (batch: readonly FirstSuccess[]): Promise<void> => {
    try {
      const { webhookId, organisation } = batch[0]!;
      const id = randomUUID();
      const at = clock.now();
      const deliveries = batch.map(({ delivery }) => delivery);
      const event = deliveredCodec.encode(
        id,
        { type: 'DeliveriesSucceeded', webhookId, deliveries },
        { commandId: id, at, by: DELIVERER, origin: 'system', organisation },
      );
      // Any error is retried: a failed batch would fail the effect, which would post all again.
      await append(deliveredJournal(webhookId, at), [event], () => true);
    } catch (error) {
      for (const { ended } of batch) ended(error);
      return;
    }
    for (const { ended } of batch) ended();
  };

  /** In one turn of the event loop, so that all subscriptions share a commit. */
  const flush = () => {
    const all = Map.groupBy(successes, ({ webhookId }) => webhookId);
    successes = [];
    for (const ofOne of all.values())
      for (const batch of chunksOf(ofOne, DELIVERED_PER_EVENT_MAX)) void storeSuccesses(batch);
  };

  return {
    async outcome(fact, organisation) {
      const at = clock.now();
      const context = { at, by: DELIVERER, organisation, traceparent: tracing.current() };
      return appendOutcome(journalFor(fact, at), encoded(fact, context));
    },

    succeeded(success) {
      // One event holds deliveries of several traces, and belongs to none of them.
      if (successes.push(success) === 1)
        tracing.apart(() => setTimeout(flush, DELIVERED_GATHER_MS));
    },
  };
};

/**
 * Where the delivery was queued, whatever the day: an outcome that two processes record, or one
 * twice, is stored once. If that journal is about to be deleted, the journal of the day.
 */
const journalFor = ({ journal, event }: OutcomeFact, at: Instant): string => {
  const deletedAt = retiresAt(deliveryTerm, journal);
  const isKept = deletedAt !== null && daysAfter(at, 1) < deletedAt;
  return isKept ? journal : deliveryJournal(event.webhookId, at);
};
