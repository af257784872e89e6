/**
 * Sends what is due of the backlog, while it holds the lease of it. The rows say what is to be
 * done, as those of every table of timers do; how it is done is of its own, because a receiver may
 * take ten seconds over each: lanes, places and windows. See docs/decisions/0033.
 *
 * The order of each attempt is: request, fact, row. A crash before the fact repeats the attempt,
 * under the same number and the same idempotency key; after it, the row follows by itself.
 */
import { projectionId, timersId } from '../../engine/consumers/consumer.ts';
import type { Lease } from '../../engine/consumers/leases.ts';
import {
  ADVANCE_SETTLE_MAX_MS,
  TIMER_CURRENT_WAIT_MS,
  TIMER_SLEEP_MAX_MS,
} from '../../engine/limits.ts';
import { WEBHOOK_FIRE_MAX_MS, WEBHOOK_LOOK_MAX_MS, WEBHOOK_LOOK_MS } from './limits.ts';
import { backoff, pause, retry } from '../../engine/concurrency/backoff.ts';
import { Signal } from '../../engine/concurrency/signal.ts';
import type { TimerWaker } from '../../engine/timers/timer-waker.ts';
import { webhookAttempts } from '../../projections/webhooks/attempts.ts';
import { webhookBacklog } from '../../projections/webhooks/backlog.ts';
import { webhookSubscriptions } from '../../projections/webhooks/subscriptions.ts';
import { LogUnavailable } from '../../engine/log/event-store.ts';
import { backlogQueries } from './backlog-queries.ts';
import type { DelivererParts } from './deliverer-parts.ts';
import { deliveryRound, type DeliveryRound } from './round.ts';

/** Names its lease: never changed. */
export const DELIVERIES = 'webhook-deliveries';

export const webhookDeliverer = (parts: DelivererParts): TimerWaker => {
  const { consumers, clock } = parts;
  const { log, pool, positions, logger } = consumers;
  const backlog = backlogQueries(pool);
  const backlogId = projectionId(webhookBacklog);
  const subscriptionsId = projectionId(webhookSubscriptions);
  const shown = [backlogId, subscriptionsId, projectionId(webhookAttempts)];
  /** Something may be due, or a place is free. */
  const roused = new Signal();
  parts.sender.onRoom(() => roused.wake());

  /** Its rows show everything recorded so far. */
  const isCurrent = async (waitMs: number) => {
    const { position } = await log.head();
    return position === null || positions.until(shown, position, waitMs);
  };

  const mustBeCurrent = async (waitMs: number = TIMER_CURRENT_WAIT_MS) => {
    if (!(await isCurrent(waitMs)))
      throw new LogUnavailable("the backlog does not show the log's head");
  };

  /** Takes what is due as long as there is room; how long there is nothing to do then. */
  const restMs = (next: string | null): number => {
    const untilDue = next === null ? Infinity : Date.parse(next) - Date.parse(clock.now());
    return Math.max(0, Math.min(untilDue, TIMER_SLEEP_MAX_MS));
  };

  const follow = async (mine: DeliveryRound, signal: AbortSignal) => {
    const delays = backoff();
    while (!signal.aborted) {
      try {
        // Counted before the rows are asked, so that no change falls in between.
        const seen = roused.count;
        const began = performance.now();
        const next = await mine.take();
        delays.reset();
        // A backlog that moves all the time is not asked all the time.
        await pause(lookPauseMs(performance.now() - began), signal);
        await roused.after(seen, signal, restMs(next));
      } catch (error) {
        if (signal.aborted) return;
        logger.warn({ err: error }, 'webhooks cannot be delivered; trying again');
        await delays.pause(signal);
      }
    }
  };

  return {
    consumer: timersId(DELIVERIES),
    next: () => backlog.next(),
    wake: () => roused.wake(),
    // There is nothing that operators could ask of it: what cannot be delivered is given up.
    offer: () => {},

    async run({ signal }: Lease) {
      const stopListening = [
        positions.onMoved(backlogId, () => roused.wake()),
        positions.onMoved(subscriptionsId, () => roused.wake()),
      ];
      try {
        // What another owner has done last must be seen before anything is done again.
        await retry(
          () => mustBeCurrent(),
          signal,
          (error) => logger.debug({ err: error }, 'the backlog has not followed yet'),
        );
        if (signal.aborted) return;
        const mine = deliveryRound({ ...parts, backlog, signal });
        await follow(mine, signal);
        await mine.end();
      } finally {
        for (const stop of stopListening) stop();
      }
    },

    async fireDue() {
      const deadline = performance.now() + WEBHOOK_FIRE_MAX_MS;
      for (;;) {
        // The clock stands meanwhile: there is no hurry but that of who has asked for it.
        await mustBeCurrent(ADVANCE_SETTLE_MAX_MS);
        const next = await backlog.next();
        if (next === null || next > clock.now()) return;
        if (performance.now() > deadline) throw new LogUnavailable('deliveries are still due');
        roused.wake();
        await pause(FIRE_LOOK_MS, new AbortController().signal);
      }
    },
  };
};

/** As long as the look has taken, within bounds: it may be at thousands of lanes. */
const lookPauseMs = (tookMs: number): number =>
  Math.min(WEBHOOK_LOOK_MAX_MS, Math.max(WEBHOOK_LOOK_MS, tookMs));

/** How often an advance of the clock looks whether what is due has been delivered. */
const FIRE_LOOK_MS = 20;
