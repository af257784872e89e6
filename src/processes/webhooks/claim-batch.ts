/**
 * Queued deliveries whose time has come: claims due rows of the backlog in batches, while this
 * process holds its lease, and hands them to the sender as fast as receivers answer.
 * docs/decisions/0033.
 *
 * The order of each attempt is request, fact, row. A crash before the fact repeats the attempt,
 * under the same number and the same idempotency key; after it, the row follows by itself.
 */
import type { Instant } from '../../engine/aggregates/decider.ts';
import { pause, retry } from '../../engine/concurrency/backoff.ts';
import { repeat } from '../../engine/concurrency/repeat.ts';
import { Signal } from '../../engine/concurrency/signal.ts';
import { projectionId, timersId } from '../../engine/consumers/consumer.ts';
import type { Lease } from '../../engine/consumers/leases.ts';
import type { Consumers } from '../../engine/consumers/runtime.ts';
import {
  ADVANCE_SETTLE_MAX_MS,
  TIMER_CURRENT_WAIT_MS,
  TIMER_SLEEP_MAX_MS,
} from '../../engine/limits.ts';
import { LogUnavailable, type EventStore, type Position } from '../../engine/log/event-store.ts';
import { untraced, type Traceparent } from '../../engine/observe/tracing.ts';
import type { TimerWaker } from '../../engine/timers/timer-waker.ts';
import { webhookAttempts } from '../../projections/webhooks/attempts.ts';
import { webhookBacklog, type BacklogRow } from '../../projections/webhooks/backlog.ts';
import { webhookSubscriptions } from '../../projections/webhooks/subscriptions.ts';
import type { Subscriptions } from '../../use-cases/webhooks/subscriptions.ts';
import { deliveryRequest, type PendingAttempt } from './attempt.ts';
import { backlogQueries, type BacklogQueries, type DueQueue } from './backlog-queries.ts';
import {
  WEBHOOK_FIRE_MAX_MS,
  WEBHOOK_CLAIMED_MAX,
  WEBHOOK_CLAIMED_OF_ORGANISATION_MAX,
  WEBHOOK_QUERY_PAUSE_MAX_MS,
  WEBHOOK_QUERY_PAUSE_MIN_MS,
  WEBHOOK_UNSENDABLE_PAUSE_MS,
} from './limits.ts';
import type { ReceiverQueue } from './receiver-queue.ts';
import { attemptedFact, cancelledFact, outcomeRecorder, type OutcomeFact } from './record.ts';
import type { DeliverySender, SenderParts } from './sender.ts';

/** Names the lease: never changed. */
export const DELIVERIES = 'webhook-deliveries';

export interface DelivererParts extends SenderParts {
  readonly consumers: Consumers;
  readonly sender: DeliverySender;
  readonly subscriptions: Pick<Subscriptions, 'look'>;
}

export const webhookDeliverer = (parts: DelivererParts): TimerWaker => {
  const { consumers, clock } = parts;
  const { log, pool, positions, logger } = consumers;
  const backlog = backlogQueries(pool);
  const backlogId = projectionId(webhookBacklog);
  const subscriptionsId = projectionId(webhookSubscriptions);
  const readModels = [backlogId, subscriptionsId, projectionId(webhookAttempts)];
  /** A row may be due, or a queue has room. */
  const wakeups = new Signal();
  const wake = () => wakeups.wake();
  parts.sender.onRoom(wake);

  const mustBeCurrent = async (waitMs: number = TIMER_CURRENT_WAIT_MS) => {
    const { position } = await log.head();
    if (position !== null && !(await positions.until(readModels, position, waitMs)))
      throw new LogUnavailable("the backlog has not reached the log's head");
  };

  const claimPass = async (batches: ClaimedBatches, signal: AbortSignal) => {
    const startedMs = performance.now();
    const next = await batches.claim();
    // A backlog that changes all the time is not queried all the time.
    await pause(queryPauseMs(performance.now() - startedMs), signal);
    const untilDue = next === null ? Infinity : Date.parse(next) - Date.parse(clock.now());
    return Math.min(untilDue, TIMER_SLEEP_MAX_MS);
  };

  return {
    consumer: timersId(DELIVERIES),
    next: () => backlog.next(),
    wake,
    // Operators cannot retry or skip its rows: a delivery that cannot succeed is dead-lettered.
    offer: () => {},

    async run({ signal }: Lease) {
      const unsubscribe = [backlogId, subscriptionsId].map((id) => positions.onMoved(id, wake));
      try {
        // The backlog must contain the previous owner's outcomes before any attempt is repeated.
        await retry(
          () => mustBeCurrent(),
          signal,
          (error) => logger.debug({ err: error }, 'the backlog has not followed yet'),
        );
        if (signal.aborted) return;
        const batches = claimedBatches({ ...parts, backlog, signal });
        const failed = (error: unknown) => {
          if (signal.aborted) return;
          logger.warn({ err: error }, 'webhooks cannot be delivered; trying again');
        };
        await repeat(() => claimPass(batches, signal), { signal, failed, wakeups });
        await batches.end();
      } finally {
        for (const stop of unsubscribe) stop();
      }
    },

    async fireDue(signal = new AbortController().signal) {
      const deadline = performance.now() + WEBHOOK_FIRE_MAX_MS;
      for (;;) {
        signal.throwIfAborted();
        await mustBeCurrent(ADVANCE_SETTLE_MAX_MS);
        const next = await backlog.next();
        if (next === null || next > clock.now()) return;
        if (performance.now() > deadline) throw new LogUnavailable('deliveries are still due');
        wake();
        await pause(FIRE_LOOK_MS, signal);
      }
    },
  };
};

interface ClaimedBatches {
  /** Claims due rows as far as there is room. @returns When the next row is due. */
  claim(): Promise<Instant | null>;
  /** Drops pending attempts, and waits for the outcomes of the others. */
  end(): Promise<void>;
}

interface BatchParts extends DelivererParts {
  readonly backlog: BacklogQueries;
  readonly signal: AbortSignal;
}

/** The rows that one owner of the lease has claimed. */
const claimedBatches = (parts: BatchParts): ClaimedBatches => {
  const { sender, consumers, backlog, clock, signal, measured, tracing = untraced } = parts;
  const { log, logger, positions } = consumers;
  const backlogId = projectionId(webhookBacklog);
  const recorder = outcomeRecorder({ log, clock, logger, tracing, signal });
  /** Pending or running. */
  const claimed = new Set<string>();
  /** Positions of their outcomes in the log: the backlog may still lack them. */
  const settled = new Map<string, Position>();
  const recording = new Set<Promise<void>>();

  const record = async (fact: OutcomeFact, deliveryId: string, organisation: string) => {
    try {
      settled.set(deliveryId, await recorder.outcome(fact, organisation));
    } catch (error) {
      if (signal.aborted) throw error;
      // A bug, after which each repeat would also post again: it rests until the next owner.
      logger.error({ err: error, deliveryId }, 'the outcome of a webhook was refused');
      settled.set(deliveryId, RESTING);
    }
  };

  const dueOf = (queues: Parameters<BacklogQueries['due']>[0], now: Instant) =>
    backlog.due(queues, [...claimed, ...settled.keys()], now);

  const attemptOf = (row: BacklogRow, queue: ReceiverQueue): PendingAttempt => {
    const { deliveryId } = row;
    const release = () => {
      claimed.delete(deliveryId);
    };
    return {
      request: deliveryRequest(row, row.attempt),
      signal,
      isDirect: false,
      cause: () => causeOf(log, row),
      record(result, clears) {
        const fact = attemptedFact(row, result, clears);
        // A failed test is no lost event.
        if (fact.event.deadLettered && row.reason !== 'test') measured.deadLettered();
        const { organisationId } = queue.subscription;
        const recorded = record(fact, deliveryId, organisationId)
          .then(release)
          .finally(() => recording.delete(recorded));
        recording.add(recorded);
        return recorded;
      },
      dropped: release,
      failed(error) {
        release();
        if (signal.aborted) return;
        // The key of its secret is missing, or a bug: an immediate repeat would fail again.
        logger.error({ err: error, deliveryId }, 'a webhook could not be sent');
        settled.set(deliveryId, RESTING);
        setTimeout(() => settled.delete(deliveryId), WEBHOOK_UNSENDABLE_PAUSE_MS).unref();
      },
    };
  };

  /** Forgets outcomes that the backlog contains. */
  const forgetShown = async () => {
    if (settled.size === 0) return;
    const isHere = positions.here(backlogId) !== undefined;
    const checkpoints = isHere ? null : await consumers.checkpoints.of([backlogId]);
    const reached = positions.of(backlogId, checkpoints?.get(backlogId));
    for (const [deliveryId, position] of settled)
      if (position !== RESTING && log.compare(reached, position) >= 0) settled.delete(deliveryId);
  };

  /** Cancels the deliveries of a subscription that was deleted. */
  const cancel = async (webhookId: string, now: Instant) => {
    const subscription = await parts.subscriptions.look(webhookId);
    // The list of subscriptions lags: the next query finds it.
    if (subscription && subscription.view.deletedAt === null) return;
    const organisation = subscription?.view.organisationId ?? '';
    const rows = await dueOf([{ webhookId, limit: CANCELLED_AT_ONCE }], now);
    await Promise.all(rows.map((row) => record(cancelledFact(row), row.deliveryId, organisation)));
  };

  const start = (row: BacklogRow) => {
    const queue = sender.queue(row.webhookId);
    if (!queue || claimed.has(row.deliveryId)) return;
    claimed.add(row.deliveryId);
    sender.add(queue, [attemptOf(row, queue)]);
  };

  return {
    async claim() {
      await forgetShown();
      const waiting = await backlog.queues();
      const now = clock.now();
      const due = waiting.filter(({ dueAt }) => dueAt <= now);
      await sender.refresh(due.map(({ webhookId }) => webhookId));
      for (const { webhookId } of due) if (!sender.queue(webhookId)) await cancel(webhookId, now);
      const queues = due.flatMap(({ webhookId }) => sender.queue(webhookId) ?? []);
      const limits = claimLimits(queues, WEBHOOK_CLAIMED_MAX - claimed.size);
      if (limits.length > 0) for (const row of await dueOf(limits, now)) start(row);
      return nextOf(waiting, now);
    },

    async end() {
      sender.drop((pending) => pending.signal === signal);
      await Promise.allSettled(recording);
    },
  };
};

/** How many rows to claim for each queue, within the bounds of memory and of its organisation. */
const claimLimits = (queues: readonly ReceiverQueue[], inAll: number) => {
  let room = inAll;
  const roomOf = new Map<string, number>();
  for (const { subscription, claimed, running } of queues) {
    const { organisationId } = subscription;
    const before = roomOf.get(organisationId) ?? WEBHOOK_CLAIMED_OF_ORGANISATION_MAX;
    roomOf.set(organisationId, before - claimed - running);
  }
  return queues.flatMap((queue) => {
    const { organisationId } = queue.subscription;
    const ofOrganisation = roomOf.get(organisationId)!;
    const shared = Math.min(room, ofOrganisation);
    // An idle queue may always claim one: thousands of hanging receivers block no other.
    const limit = Math.min(queue.room, Math.max(shared, queue.pending.length === 0 ? 1 : 0));
    room -= limit;
    roomOf.set(organisationId, ofOrganisation - limit);
    return limit > 0 ? [{ webhookId: queue.webhookId, limit }] : [];
  });
};

/** The trace of the event that queued the delivery: its row does not hold it. */
const causeOf = async (
  log: Pick<EventStore, 'readStream'>,
  { journal, revision }: BacklogRow,
): Promise<Traceparent | undefined> => {
  const [queued] = await log.readStream(journal, { from: revision, limit: 1 });
  return queued?.meta['traceparent'];
};

/** Rows that are due already are claimed when a queue has room, which wakes the deliverer. */
const nextOf = (queues: readonly DueQueue[], now: Instant): Instant | null =>
  queues.reduce<Instant | null>(
    (next, { dueAt }) => (dueAt > now && (next === null || dueAt < next) ? dueAt : next),
    null,
  );

/** As long as the last query took, within bounds: it may concern thousands of queues. */
const queryPauseMs = (tookMs: number): number =>
  Math.min(WEBHOOK_QUERY_PAUSE_MAX_MS, Math.max(WEBHOOK_QUERY_PAUSE_MIN_MS, tookMs));

/** In place of a position: not attempted for {@link WEBHOOK_UNSENDABLE_PAUSE_MS}. */
const RESTING: Position = '';

/** Deliveries of a deleted subscription per query. */
const CANCELLED_AT_ONCE = 500;

/** Poll interval of a clock advance that waits for due deliveries. */
const FIRE_LOOK_MS = 20;
