/** What one owner of the backlog has taken of it, and when it takes more. */
import { projectionId } from '../../engine/consumers/consumer.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { DeliveryEvent } from '../../domain/webhooks/delivery/events.ts';
import {
  WEBHOOK_HELD_DELIVERIES_MAX,
  WEBHOOK_REST_MS,
  WEBHOOK_HELD_OF_ORGANISATION_MAX,
} from './limits.ts';
import { untraced, type Traceparent } from '../../engine/observe/tracing.ts';
import type { EventStore, Position } from '../../engine/log/event-store.ts';
import { webhookBacklog, type BacklogRow } from '../../projections/webhooks/backlog.ts';
import { attemptedOf, attemptId, cancellationId, type Made } from './attempts.ts';
import type { BacklogQueries, DueLane } from './backlog-queries.ts';
import type { DelivererParts } from './deliverer-parts.ts';
import { roomOf, type Lane, type Work } from './receiver-scheduler.ts';
import { outcomes } from './outcomes.ts';
import { outgoingOf } from './request.ts';
import type { DeliverySender } from './sender.ts';

export interface DeliveryRound {
  /** Takes what is due, as far as there is room; when something is due that was not taken. */
  take(): Promise<Instant | null>;
  /** Gives back what was not begun; resolves when nothing is under way any more. */
  end(): Promise<void>;
}

export interface RoundParts extends DelivererParts {
  readonly backlog: BacklogQueries;
  readonly signal: AbortSignal;
}

export const deliveryRound = (parts: RoundParts): DeliveryRound => {
  const { sender, consumers, backlog, clock, signal, measured, tracing = untraced } = parts;
  const { log, logger, positions } = consumers;
  const backlogId = projectionId(webhookBacklog);
  const recorded = outcomes({ log, logger, tracing, signal });
  /** Held or under way. */
  const taken = new Set<string>();
  /** Recorded, and perhaps not shown by the backlog yet. */
  const settled = new Map<string, Position>();
  const recording = new Set<Promise<void>>();

  const settle = async (
    { deliveryId, webhookId }: Pick<BacklogRow, 'deliveryId' | 'webhookId'>,
    organisation: string | undefined,
    { id, event }: { readonly id: string; readonly event: DeliveryEvent },
  ) => {
    const fact = { id, webhookId, organisation, at: clock.now(), event };
    settled.set(deliveryId, await recorded.record(fact));
  };

  const workOf = (row: BacklogRow, lane: Lane): Work => {
    const { deliveryId } = row;
    const over = () => {
      taken.delete(deliveryId);
    };
    return {
      outgoing: outgoingOf(row),
      signal,
      isFresh: false,
      cause: () => causeOf(log, row),
      record(made: Made, clears: boolean) {
        const event = attemptedOf(row, made, clears);
        if (event.deadLettered) measured.deadLettered();
        const { organisationId } = lane.subscription;
        const work = settle(row, organisationId, { id: attemptId(row), event });
        const ended = work.then(over).finally(() => recording.delete(ended));
        recording.add(ended);
        return ended;
      },
      dropped: over,
      failed(error) {
        over();
        if (signal.aborted) return;
        // A secret whose key is not here, or a bug: not tried again at once.
        logger.error({ err: error, deliveryId }, 'a webhook could not be sent');
        settled.set(deliveryId, RESTING);
        setTimeout(() => settled.delete(deliveryId), WEBHOOK_REST_MS).unref();
      },
    };
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

  /** Deliveries of a subscription that is gone end here. */
  const cancel = async (webhookId: string, now: Instant) => {
    const known = await parts.subscriptions.look(webhookId);
    // The read model has not followed yet: another look will show it.
    if (known && known.view.deletedAt === null) return;
    const wanted = [{ webhookId, limit: CANCELLED_AT_ONCE }];
    const rows = await backlog.due(wanted, [...taken, ...settled.keys()], now);
    await Promise.all(
      rows.map((row) => {
        const { deliveryId } = row;
        const event = { type: 'DeliveryCancelled', deliveryId, webhookId } as const;
        const fact = { id: cancellationId(deliveryId), event };
        return settle(row, known?.view.organisationId ?? '', fact);
      }),
    );
  };

  const hold = (rows: readonly BacklogRow[]) => {
    for (const row of rows) {
      const lane = sender.lane(row.webhookId);
      if (!lane || taken.has(row.deliveryId)) continue;
      taken.add(row.deliveryId);
      sender.hold(lane, [workOf(row, lane)]);
    }
  };

  const take = async (): Promise<Instant | null> => {
    await forgetShown();
    const all = await backlog.lanes();
    const now = clock.now();
    const due = all.filter(({ dueAt }) => dueAt <= now);
    await sender.refresh(due.map(({ webhookId }) => webhookId));
    for (const { webhookId } of due) if (!sender.lane(webhookId)) await cancel(webhookId, now);
    let room = WEBHOOK_HELD_DELIVERIES_MAX - taken.size;
    const roomOfOrganisation = heldRoom(due, sender);
    const wanted = due.flatMap(({ webhookId }) => {
      const lane = sender.lane(webhookId);
      if (!lane) return [];
      const { organisationId } = lane.subscription;
      const shared = Math.min(room, roomOfOrganisation.get(organisationId)!);
      // Each may hold one, however much others hold: thousands that hang block no other.
      const limit = Math.min(roomOf(lane), Math.max(shared, lane.held.length === 0 ? 1 : 0));
      room -= limit;
      roomOfOrganisation.set(organisationId, roomOfOrganisation.get(organisationId)! - limit);
      return limit > 0 ? [{ webhookId, limit }] : [];
    });
    if (wanted.length > 0) hold(await backlog.due(wanted, [...taken, ...settled.keys()], now));
    return nextOf(all, now);
  };

  return {
    take,
    async end() {
      sender.drop((work) => work.signal === signal);
      await Promise.allSettled(recording);
    },
  };
};

/** As the fact says that has queued it: a row tells only what a delivery needs. */
const causeOf = async (
  log: Pick<EventStore, 'readStream'>,
  { journal, revision }: BacklogRow,
): Promise<Traceparent | undefined> => {
  const [queued] = await log.readStream(journal, { from: revision, limit: 1 });
  return queued?.meta['traceparent'];
};

/** Deliveries that each organisation may still hold in memory. */
const heldRoom = (due: readonly DueLane[], sender: DeliverySender): Map<string, number> => {
  const room = new Map<string, number>();
  for (const { webhookId } of due) {
    const lane = sender.lane(webhookId);
    if (!lane) continue;
    const { organisationId } = lane.subscription;
    const before = room.get(organisationId) ?? WEBHOOK_HELD_OF_ORGANISATION_MAX;
    room.set(organisationId, before - (lane.held.length - lane.freshHeld) - lane.underWay);
  }
  return room;
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
