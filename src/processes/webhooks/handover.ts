/**
 * Deliveries of events that have just happened, handed over in memory: no row is written for one
 * that goes well at once. What does not is queued, so that it ends like all others; until then
 * whoever has handed it over answers for it. docs/decisions/0033.
 */
import { LANES_SETTLING_WEIGHT_MAX } from '../../engine/limits.ts';
import {
  WEBHOOK_BEHIND_MS,
  WEBHOOK_COLD_MS,
  WEBHOOK_FRESH_CROWDED_MAX_AGE_MS,
  WEBHOOK_FRESH_MAX_AGE_MS,
  WEBHOOK_FRESH_OF_LANE_MAX,
  WEBHOOK_SECURE_MS,
} from './limits.ts';
import { projectionId } from '../../engine/consumers/consumer.ts';
import { webhookSubscriptions } from '../../projections/webhooks/subscriptions.ts';
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import { untraced } from '../../engine/observe/tracing.ts';
import type { HandOver, HandOverOf } from './hand-over.ts';
import type { Told } from './queue.ts';
import { deliveredFacts } from './delivered.ts';
import type { SenderParts } from './sender-parts.ts';
import { FreshRoom } from './fresh-room.ts';
import { FreshDelivery, HandedOver, type HandedOverParts } from './fresh-delivery.ts';
import { takeOut, type Lane } from './receiver-scheduler.ts';
import { outcomes } from './outcomes.ts';
import { outgoingOf, type Outgoing } from './request.ts';
import type { DeliverySender } from './sender.ts';

/** What records for whoever hands over, as long as that is somebody's turn. */
type Recorders = Pick<HandedOverParts, 'recorded' | 'delivered'>;

export const webhookHandOver = (
  parts: SenderParts & { readonly sender: DeliverySender },
): HandOver => {
  const { sender, clock, consumers, tracing = untraced } = parts;
  const { log, logger } = consumers;
  const fresh = new FreshRoom();
  /** Lanes that may hold what was handed over. */
  const busy = new Set<Lane>();
  /** Built once for all who hear of it. */
  const built = new WeakMap<Told, Outgoing>();
  const turns = new WeakMap<AbortSignal, Recorders>();

  const recordersOf = (signal: AbortSignal): Recorders => {
    const known = turns.get(signal);
    if (known) return known;
    const made = {
      recorded: outcomes({ log, logger, tracing, signal }),
      delivered: deliveredFacts({ log, clock, logger, tracing, signal }),
    };
    turns.set(signal, made);
    const end = () => sender.drop((work) => work.isFresh && work.signal === signal);
    signal.addEventListener('abort', end, { once: true });
    return made;
  };

  const outgoing = (told: Told): Outgoing => {
    const known = built.get(told);
    if (known) return known;
    const { messageId, event, timestamp, body } = told;
    const made = outgoingOf({ messageId, event, timestamp, body, attempt: 1 });
    built.set(told, made);
    return made;
  };

  /** For a while, what its subscription hears of is queued at once. */
  const cool = (lane: Lane, forMs = WEBHOOK_COLD_MS) => {
    lane.coldUntilMs = Math.max(lane.coldUntilMs, performance.now() + forMs);
  };

  /** Queues what was not begun where the receiver is slow or fails, or the line is too long. */
  const queueHeld = (lane: Lane) => {
    const now = performance.now();
    const isCrowded = fresh.total >= LANES_SETTLING_WEIGHT_MAX;
    const maxMs = isCrowded ? WEBHOOK_FRESH_CROWDED_MAX_AGE_MS : WEBHOOK_FRESH_MAX_AGE_MS;
    // In the order in which they came.
    const oldest = lane.held.find((work) => work instanceof FreshDelivery);
    if (oldest && oldest.handed.ageMs(now) > maxMs) {
      lane.isBehind = true;
      cool(lane, WEBHOOK_BEHIND_MS);
    }
    if (lane.coldUntilMs <= now) return;
    const works = takeOut(lane, ({ isFresh }) => isFresh).filter(
      (work) => work instanceof FreshDelivery,
    );
    for (const [handed, of] of Map.groupBy(works, (work) => work.handed)) void handed.queue(of);
  };

  consumers.positions.onMoved(projectionId(webhookSubscriptions), () => {
    sender.changed();
    const ids = [...busy].map(({ webhookId }) => webhookId);
    sender.refresh(ids).catch((error: unknown) => {
      logger.warn({ err: error }, 'subscriptions could not be looked at again');
    });
  });

  sender.onSweep(() => {
    for (const { lane, work } of sender.slowerThan(WEBHOOK_SECURE_MS)) {
      if (!(work instanceof FreshDelivery)) continue;
      cool(lane);
      work.secure();
    }
    for (const lane of busy) {
      queueHeld(lane);
      if (lane.freshHeld === 0) busy.delete(lane);
    }
  });

  const handOver = (
    lane: Lane,
    subscription: SubscriptionView,
    { messages, day, signal }: HandOverOf,
  ) => {
    const { length: count } = messages;
    fresh.add(subscription.organisationId, count);
    const handed = new HandedOver({
      ...recordersOf(signal),
      subscription,
      count,
      day,
      signal,
      log,
      clock,
      onFailed: () => cool(lane),
      onOver: () => fresh.add(subscription.organisationId, -1),
      onUnsent: (deliveryId, error) =>
        logger.error({ err: error, deliveryId }, 'a webhook could not be sent'),
      traceparent: tracing.current(),
    });
    busy.add(lane);
    const works = messages.map((told) => new FreshDelivery(handed, told, outgoing(told)));
    sender.hold(lane, works);
    return { settled: handed.settled, count };
  };

  const isCold = (lane: Lane) => lane.coldUntilMs > performance.now();

  const offer = (subscription: SubscriptionView, of: HandOverOf) => {
    const lane = sender.laneOf(subscription);
    if (!isCold(lane)) lane.isBehind = false;
    const isFull =
      isCold(lane) ||
      lane.freshHeld >= WEBHOOK_FRESH_OF_LANE_MAX ||
      fresh.isFull(subscription.organisationId);
    return isFull ? null : handOver(lane, subscription, of);
  };

  return Object.assign(offer, {
    async whenRoom(subscription: SubscriptionView, signal: AbortSignal) {
      if (isCold(sender.laneOf(subscription))) return;
      await fresh.wait(subscription.organisationId, signal);
    },
  });
};
