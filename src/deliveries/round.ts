/** What one owner of the backlog holds in memory: lanes, and what it has under way. */
import { projectionId } from '../consumers/consumer.ts';
import type { Instant } from '../domain/decider.ts';
import {
  WEBHOOK_HELD_DELIVERIES_MAX,
  WEBHOOK_REST_MS,
  WEBHOOK_SLOW_MS,
  WEBHOOK_UNRECORDED_MAX,
} from '../limits.ts';
import type { Position } from '../store/event-store.ts';
import { webhookBacklog, type BacklogRow } from '../projections/webhooks/backlog.ts';
import type { SubscriptionRow } from '../projections/webhooks/subscriptions.ts';
import { attempt, attemptId, cancellationId, type Attempted } from './attempts.ts';
import type { BacklogQueries, DueLane } from './backlog-queries.ts';
import type { DelivererParts } from './deliverer-parts.ts';
import { adapt, LaneTurns, newLane, roomOf, type Lane, type Place } from './lanes.ts';
import { outcomes } from './outcomes.ts';

export interface DeliveryRound {
  readonly underWay: number;
  /** Takes what is due, as far as there is room; when something is due that was not taken. */
  take(): Promise<Instant | null>;
  /** A subscription is not what it was. */
  changed(): void;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
}

export interface RoundParts extends DelivererParts {
  readonly backlog: BacklogQueries;
  readonly signal: AbortSignal;
  /** There may be more to take. */
  readonly rouse: () => void;
}

export const deliveryRound = (parts: RoundParts): DeliveryRound => {
  const { consumers, backlog, queries, clock, signal, rouse, measured } = parts;
  const { log, logger, positions } = consumers;
  const backlogId = projectionId(webhookBacklog);
  const recorded = outcomes({ log, logger, signal });
  const lanes = new Map<string, Lane>();
  /** Held or under way. */
  const taken = new Set<string>();
  /** Recorded, and perhaps not shown by the backlog yet. */
  const settled = new Map<string, Position>();
  const running = new Set<Promise<void>>();
  let unrecorded = 0;
  let sweeping: NodeJS.Timeout | null = null;
  /** Counts the changes of subscriptions. */
  let changes = 0;

  /** The place is another's as soon as the answer is there; what it was is recorded meanwhile. */
  const attempted = async (place: Place) => {
    const { lane, delivery } = place;
    const done = await attempt(delivery, lane.subscription, signal, parts);
    if (done === null) return;
    measured.attempted(done.error ?? 'succeeded', done.durationMs / 1_000);
    if (done.deadLettered) measured.deadLettered();
    adapt(lane, done.succeeded);
    unrecorded += 1;
    const recording = settle(delivery, lane.subscription, numbered(lane, done)).finally(() => {
      unrecorded -= 1;
    });
    // Unless the log cannot follow.
    if (unrecorded <= WEBHOOK_UNRECORDED_MAX) free(place);
    await recording;
  };

  const free = (place: Place) => {
    if (!turns.end(place) || signal.aborted) return;
    turns.serve();
    if (place.lane.held.length === 0) rouse();
  };

  const numbered = (lane: Lane, done: Attempted) => {
    const { pausedAt, consecutiveFailures } = lane.subscription;
    const clears = lane.clears || pausedAt !== null || consecutiveFailures > 0;
    lane.clears = !done.succeeded;
    lane.ordinal += 1;
    return { ...done, ordinal: lane.ordinal, clears };
  };

  const settle = async (
    delivery: BacklogRow,
    { organisationId: organisation }: Pick<SubscriptionRow, 'organisationId'>,
    event: Parameters<typeof recorded.record>[0]['event'],
  ) => {
    const { deliveryId, webhookId } = delivery;
    const id =
      event.type === 'DeliveryAttempted' ? attemptId(delivery) : cancellationId(deliveryId);
    const fact = { id, webhookId, organisation, at: clock.now(), event };
    settled.set(deliveryId, await recorded.record(fact));
  };

  const turns = new LaneTurns((place) => {
    const { delivery } = place;
    const work = attempted(place)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        // A secret whose key is not here, or a bug: not tried again at once.
        const { deliveryId } = delivery;
        logger.error({ err: error, deliveryId }, 'a webhook could not be sent');
        settled.set(deliveryId, RESTING);
        setTimeout(() => settled.delete(deliveryId), WEBHOOK_REST_MS).unref();
      })
      .finally(() => {
        running.delete(work);
        taken.delete(delivery.deliveryId);
        free(place);
      });
    running.add(work);
    sweepLater();
  });

  /** While anything is under way: attempts that take long stand in nobody's way from then on. */
  const sweepLater = () => {
    sweeping ??= setTimeout(() => {
      sweeping = null;
      turns.sweep(WEBHOOK_SLOW_MS);
      if (turns.underWay > 0 && !signal.aborted) sweepLater();
    }, WEBHOOK_SLOW_MS).unref();
  };

  /** Forgets what the backlog shows by now. */
  const forgetShown = async () => {
    if (settled.size === 0) return;
    const isHere = positions.here(backlogId) !== undefined;
    const known = isHere ? null : await consumers.checkpoints.of([backlogId]);
    const reached = positions.of(backlogId, known?.get(backlogId));
    for (const [deliveryId, position] of settled)
      if (position !== RESTING && log.compare(reached, position) >= 0) settled.delete(deliveryId);
  };

  /** The subscriptions of these lanes as they are now; those that are gone are cancelled. */
  const refresh = async (webhookIds: readonly string[]) => {
    const now = changes;
    const unknown = webhookIds.filter((id) => !lanes.has(id));
    const asked = webhookIds.filter((id) => (lanes.get(id)?.seen ?? -1) < now);
    if (asked.length === 0) return;
    const [rows, ordinals] = await Promise.all([
      queries.byId(asked),
      unknown.length === 0 ? new Map<string, number>() : queries.ordinals(unknown),
    ]);
    const found = new Map(rows.map((row) => [row.webhookId, row]));
    for (const id of asked) {
      const row = found.get(id);
      const lane = lanes.get(id);
      if (row && lane) Object.assign(lane, { subscription: row, seen: now });
      else if (row) lanes.set(id, newLane(row, { ordinal: ordinals.get(id) ?? 0, seen: now }));
      else if (lane) forget(lane);
    }
  };

  const forget = (lane: Lane) => {
    lanes.delete(lane.webhookId);
    for (const { deliveryId } of lane.held.splice(0)) taken.delete(deliveryId);
  };

  /** Deliveries of a subscription that is gone end here. */
  const cancel = async (webhookId: string, now: Instant) => {
    const known = await parts.subscriptions.look(webhookId);
    // The read model has not followed yet: another look will show it.
    if (known && known.view.deletedAt === null) return;
    const wanted = [{ webhookId, limit: CANCELLED_AT_ONCE }];
    const rows = await backlog.due(wanted, [...taken, ...settled.keys()], now);
    const subscription = { organisationId: known?.view.organisationId ?? '' };
    await Promise.all(
      rows.map((row) => {
        const { deliveryId } = row;
        return settle(row, subscription, { type: 'DeliveryCancelled', deliveryId, webhookId });
      }),
    );
  };

  const hold = (rows: readonly BacklogRow[]) => {
    for (const row of rows) {
      const lane = lanes.get(row.webhookId);
      if (!lane || taken.has(row.deliveryId)) continue;
      taken.add(row.deliveryId);
      lane.held.push(row);
      turns.offer(lane);
    }
  };

  const take = async (): Promise<Instant | null> => {
    await forgetShown();
    const all = await backlog.lanes();
    const now = clock.now();
    const due = all.filter(({ dueAt }) => dueAt <= now);
    await refresh(due.map(({ webhookId }) => webhookId));
    for (const { webhookId } of due) if (!lanes.has(webhookId)) await cancel(webhookId, now);
    let room = WEBHOOK_HELD_DELIVERIES_MAX - taken.size;
    const wanted = due.flatMap(({ webhookId }) => {
      const lane = lanes.get(webhookId);
      if (!lane) return [];
      // Each may hold one, however much others hold: thousands that hang keep nobody out.
      const limit = Math.min(roomOf(lane), Math.max(room, lane.held.length === 0 ? 1 : 0));
      room -= limit;
      return limit > 0 ? [{ webhookId, limit }] : [];
    });
    if (wanted.length > 0) {
      hold(await backlog.due(wanted, [...taken, ...settled.keys()], now));
      turns.serve();
    }
    return nextOf(all, now);
  };

  return {
    get underWay() {
      return turns.underWay;
    },
    take,
    changed() {
      changes += 1;
    },
    async idle() {
      await Promise.allSettled(running);
    },
  };
};

/** What is due already is taken as soon as there is room: whoever makes room says so. */
const nextOf = (lanes: readonly DueLane[], now: Instant): Instant | null =>
  lanes.reduce<Instant | null>(
    (next, { dueAt }) => (dueAt > now && (next === null || dueAt < next) ? dueAt : next),
    null,
  );

/** In the place of a position: it is left alone for a while. */
const RESTING: Position = '';

/** Deliveries of a subscription that is gone, of one look. */
const CANCELLED_AT_ONCE = 500;
