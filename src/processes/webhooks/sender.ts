/**
 * Runs the attempts of one process, in the order that the schedule gives them: due rows of the
 * backlog while it holds their lease, and direct deliveries. Both share the receiver queues, so
 * that all bounds hold for their sum.
 */
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import type { Consumers } from '../../engine/consumers/runtime.ts';
import { untraced, type Tracing } from '../../engine/observe/tracing.ts';
import type { WebhookQueries } from '../../projections/webhooks/queries.ts';
import {
  attempt,
  attemptSpan,
  endAttemptSpan,
  type AttemptParts,
  type PendingAttempt,
} from './attempt.ts';
import { WEBHOOK_QUEUES_KEPT_MAX, WEBHOOK_SLOW_MS, WEBHOOK_UNRECORDED_MAX } from './limits.ts';
import type { WebhookMetrics } from './metrics.ts';
import { ReceiverQueue } from './receiver-queue.ts';
import { FairScheduler, type RunningAttempt } from './schedule.ts';

export interface SenderParts extends AttemptParts {
  readonly consumers: Pick<Consumers, 'log' | 'logger'> & {
    readonly positions: Pick<Consumers['positions'], 'onMoved'>;
  };
  readonly queries: Pick<WebhookQueries, 'byId'>;
  readonly measured: Pick<WebhookMetrics, 'attempted' | 'deadLettered'>;
  /** Default: deliveries are not traced. */
  readonly tracing?: Tracing | undefined;
}

export interface DeliverySender {
  readonly runningCount: number;
  /** Changes of subscriptions so far. */
  readonly changes: number;
  queue(webhookId: string): ReceiverQueue | undefined;
  /** The queue of a subscription, created if there is none. */
  queueOf(subscription: SubscriptionView): ReceiverQueue;
  add(queue: ReceiverQueue, attempts: readonly PendingAttempt[]): void;
  /** Reads subscriptions again if any has changed. Queues of deleted ones are dropped. */
  refresh(webhookIds: readonly string[]): Promise<void>;
  /** Some subscription has changed. */
  changed(): void;
  /** Drops pending attempts that match. */
  drop(matches: (attempt: PendingAttempt) => boolean): void;
  /** Attempts that have been running for so long, the longest first. */
  slowerThan(slowMs: number): Iterable<RunningAttempt>;
  /** Called every {@link WEBHOOK_SLOW_MS} while attempts are running. */
  onSweep(swept: () => void): void;
  /** Called when more rows of the backlog can be claimed. */
  onRoom(room: () => void): void;
}

export const deliverySender = (parts: SenderParts): DeliverySender => {
  const { queries, measured, tracing = untraced } = parts;
  const queues = new Map<string, ReceiverQueue>();
  const listeners = { swept: () => {}, room: () => {} };
  let unrecorded = 0;
  let sweeping: NodeJS.Timeout | null = null;
  let changes = 0;

  const run = async (running: RunningAttempt): Promise<void> => {
    const { queue, attempt: pending } = running;
    const { subscription } = queue;
    try {
      const span = tracing.isOn ? await attemptSpan(pending, subscription, tracing) : null;
      // The caller may be within a span of another delivery.
      const within = <Result>(act: () => Result) => (span ? span.run(act) : tracing.apart(act));
      const result = await within(() => attempt(pending, queue.subscription, parts));
      if (result === null) {
        pending.dropped();
        return;
      }
      if (span) endAttemptSpan(span, result);
      const { succeeded, durationMs } = result;
      measured.attempted(result.error ?? 'succeeded', durationMs / 1_000);
      queue.adapt(succeeded);
      if (succeeded && durationMs < WEBHOOK_SLOW_MS && !queue.isBehind) queue.throttledUntilMs = 0;
      const recording = within(() => pending.record(result, mayClear(queue, succeeded)));
      if (recording === null) return;
      unrecorded += 1;
      // The next attempt need not wait for the log, unless the log falls behind.
      if (unrecorded <= WEBHOOK_UNRECORDED_MAX) free(running);
      await recording.finally(() => {
        unrecorded -= 1;
      });
    } catch (error) {
      pending.failed(error);
    } finally {
      free(running);
    }
  };

  const free = (running: RunningAttempt) => {
    if (!scheduler.end(running)) return;
    scheduler.serve();
    if (!running.attempt.isDirect && running.queue.pending.length === 0) listeners.room();
  };

  const scheduler = new FairScheduler({
    start: (running) => {
      void run(running);
      sweepLater();
    },
    later: (ms, act) => void tracing.apart(() => setTimeout(act, ms).unref()),
    nextTurn: (act) => void tracing.apart(() => setImmediate(act)),
  });

  const sweep = () => {
    sweeping = null;
    scheduler.sweep(WEBHOOK_SLOW_MS);
    listeners.swept();
    if (scheduler.runningCount > 0) sweepLater();
  };

  const sweepLater = () => {
    sweeping ??= tracing.apart(() => setTimeout(sweep, WEBHOOK_SLOW_MS).unref());
  };

  /** The oldest half at once, so that the search costs each new queue little. */
  const forgetIdle = () => {
    if (queues.size < WEBHOOK_QUEUES_KEPT_MAX) return;
    for (const [webhookId, queue] of queues) {
      if (queue.isIdle) queues.delete(webhookId);
      if (queues.size <= WEBHOOK_QUEUES_KEPT_MAX / 2) return;
    }
  };

  const drop = (queue: ReceiverQueue, matches: (attempt: PendingAttempt) => boolean) => {
    for (const pending of queue.remove(matches)) pending.dropped();
  };

  return {
    get runningCount() {
      return scheduler.runningCount;
    },

    get changes() {
      return changes;
    },

    queue: (webhookId) => queues.get(webhookId),

    queueOf(subscription) {
      const { webhookId } = subscription;
      const queue = queues.get(webhookId);
      if (queue) {
        if (queue.changesSeen < changes) queue.update(subscription);
        return queue;
      }
      forgetIdle();
      const added = new ReceiverQueue(subscription, UNSEEN);
      queues.set(webhookId, added);
      return added;
    },

    add(queue, attempts) {
      for (const pending of attempts) queue.add(pending);
      scheduler.offer(queue);
      scheduler.serve();
    },

    async refresh(webhookIds) {
      forgetIdle();
      const now = changes;
      const stale = webhookIds.filter((id) => (queues.get(id)?.changesSeen ?? UNSEEN) < now);
      if (stale.length === 0) return;
      const found = new Map((await queries.byId(stale)).map((row) => [row.webhookId, row]));
      for (const id of stale) {
        const row = found.get(id);
        const queue = queues.get(id);
        if (row && queue) {
          queue.update(row);
          queue.changesSeen = now;
        } else if (row) queues.set(id, new ReceiverQueue(row, now));
        else if (queue) {
          queues.delete(id);
          drop(queue, () => true);
        }
      }
    },

    changed() {
      changes += 1;
    },

    drop(matches) {
      for (const queue of queues.values()) drop(queue, matches);
    },

    slowerThan: (slowMs) => scheduler.slowerThan(slowMs),

    onSweep(swept) {
      listeners.swept = swept;
    },

    onRoom(room) {
      listeners.room = room;
    },
  };
};

/** Whether a result may change the subscription's health: an earlier failure may be uncounted. */
const mayClear = (queue: ReceiverQueue, succeeded: boolean): boolean => {
  const { pausedAt, consecutiveFailures } = queue.subscription;
  const clears = queue.clears || pausedAt !== null || consecutiveFailures > 0;
  queue.clears = !succeeded;
  return clears;
};

const UNSEEN = -1;
