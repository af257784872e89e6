/**
 * Makes the attempts of one process: those of the backlog while it holds the lease of it, and
 * those of events that are handed over in memory. All of them stand in the same lanes, so that the
 * places of a receiver, of an origin and of the process hold for both.
 */
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import { WEBHOOK_SLOW_MS, WEBHOOK_UNRECORDED_MAX } from './limits.ts';
import { untraced } from '../../engine/observe/tracing.ts';
import { attempt } from './attempts.ts';
import { attemptSpan, endAttempt } from './attempt-spans.ts';
import type { SenderParts } from './sender-parts.ts';
import { FairScheduler, type Place } from './fair-scheduler.ts';
import {
  adapt,
  hold,
  newLane,
  renew,
  takeOut,
  type Lane,
  type Work,
} from './receiver-scheduler.ts';

export interface DeliverySender {
  readonly underWay: number;
  /** The lane of a subscription, if there is one. */
  lane(webhookId: string): Lane | undefined;
  /** The lane of a subscription, which is as it was lately. */
  laneOf(subscription: SubscriptionView): Lane;
  /** It is attempted when its turn comes. */
  hold(lane: Lane, works: readonly Work[]): void;
  /** Looks at their subscriptions again, if any was changed. Lanes of those gone are dropped. */
  refresh(webhookIds: readonly string[]): Promise<void>;
  /** A subscription is not what it was. */
  changed(): void;
  /** Drops what has not been begun, and is not wanted any more. */
  drop(isGone: (work: Work) => boolean): void;
  /** Attempts under way for so long, the longest first. */
  slowerThan(slowMs: number): Iterable<Place>;
  /** Called while anything is under way, every {@link WEBHOOK_SLOW_MS}. */
  onSweep(swept: () => void): void;
  /** A lane of the backlog has room again. */
  onRoom(room: () => void): void;
}

export const deliverySender = (parts: SenderParts): DeliverySender => {
  const { queries, measured, tracing = untraced } = parts;
  const lanes = new Map<string, Lane>();
  const listeners = { swept: () => {}, room: () => {} };
  let unrecorded = 0;
  let sweeping: NodeJS.Timeout | null = null;
  /** Counts the changes of subscriptions. */
  let changes = 0;

  /** The place is another's as soon as the answer is there; what it was is recorded meanwhile. */
  const make = async (place: Place): Promise<void> => {
    const { lane, work } = place;
    try {
      const span = tracing.isOn ? await attemptSpan(place, tracing) : null;
      // Whoever has made room for it may be within a span of his own.
      const within = <Result>(its: () => Result) => (span ? span.run(its) : tracing.apart(its));
      const made = await within(() =>
        attempt(work.outgoing, lane.subscription, work.signal, parts),
      );
      if (made === null) {
        work.dropped();
        return;
      }
      if (span) endAttempt(span, made);
      measured.attempted(made.error ?? 'succeeded', made.durationMs / 1_000);
      adapt(lane, made.succeeded);
      if (made.succeeded && made.durationMs < WEBHOOK_SLOW_MS && !lane.isBehind)
        lane.coldUntilMs = 0;
      const recording = within(() => work.record(made, mayClear(lane, made.succeeded)));
      if (recording === null) return;
      unrecorded += 1;
      // Unless the log cannot follow.
      if (unrecorded <= WEBHOOK_UNRECORDED_MAX) free(place);
      await recording.finally(() => {
        unrecorded -= 1;
      });
    } catch (error) {
      work.failed(error);
    } finally {
      free(place);
    }
  };

  const free = (place: Place) => {
    if (!scheduler.end(place)) return;
    scheduler.serve();
    if (!place.work.isFresh && place.lane.held.length === 0) listeners.room();
  };

  const scheduler = new FairScheduler({
    start: (place) => {
      void make(place);
      sweepLater();
    },
    later: (ms, act) => void tracing.apart(() => setTimeout(act, ms).unref()),
    nextTurn: (act) => void tracing.apart(() => setImmediate(act)),
  });

  const sweep = () => {
    sweeping = null;
    scheduler.sweep(WEBHOOK_SLOW_MS);
    listeners.swept();
    if (scheduler.underWay > 0) sweepLater();
  };

  /** While anything is under way: attempts that take long stand in nobody's way from then on. */
  const sweepLater = () => {
    sweeping ??= tracing.apart(() => setTimeout(sweep, WEBHOOK_SLOW_MS).unref());
  };

  const forget = (lane: Lane) => {
    lanes.delete(lane.webhookId);
    for (const work of takeOut(lane, () => true)) work.dropped();
  };

  const refresh = async (webhookIds: readonly string[]) => {
    const now = changes;
    const asked = webhookIds.filter((id) => (lanes.get(id)?.seen ?? -1) < now);
    if (asked.length === 0) return;
    const found = new Map((await queries.byId(asked)).map((row) => [row.webhookId, row]));
    for (const id of asked) {
      const row = found.get(id);
      const lane = lanes.get(id);
      if (row && lane) {
        renew(lane, row);
        lane.seen = now;
      } else if (row) lanes.set(id, newLane(row, now));
      else if (lane) forget(lane);
    }
  };

  return {
    get underWay() {
      return scheduler.underWay;
    },

    lane: (webhookId) => lanes.get(webhookId),

    laneOf(subscription) {
      const known = lanes.get(subscription.webhookId);
      if (!known) {
        const made = newLane(subscription, UNSEEN);
        lanes.set(subscription.webhookId, made);
        return made;
      }
      if (known.seen < changes) renew(known, subscription);
      return known;
    },

    hold(lane, works) {
      for (const work of works) hold(lane, work);
      scheduler.offer(lane);
      scheduler.serve();
    },

    refresh,

    changed() {
      changes += 1;
    },

    drop(isGone) {
      for (const lane of lanes.values()) for (const work of takeOut(lane, isGone)) work.dropped();
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

/** Whether it may change the subscription's health: a failure before it may not be counted yet. */
const mayClear = (lane: Lane, succeeded: boolean): boolean => {
  const { pausedAt, consecutiveFailures } = lane.subscription;
  const clears = lane.clears || pausedAt !== null || consecutiveFailures > 0;
  lane.clears = !succeeded;
  return clears;
};

const UNSEEN = -1;
