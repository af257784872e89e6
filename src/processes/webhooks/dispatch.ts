/**
 * Webhooks take an event from the log to its subscribers in four stages:
 *
 * 1. *Dispatch* (this file, direct.ts): each message of an event becomes a delivery per subscriber:
 *    direct, in memory of this process, or queued in the log when the receiver is throttled, memory
 *    is full, or the event may have been dispatched before.
 * 2. *Schedule* (receiver-queue.ts, schedule.ts): which attempt starts next, fair to organisations.
 * 3. *Attempt* (sender.ts, attempt.ts): one signed POST.
 * 4. *Record* (record.ts): a first success in one event with others, every other outcome by itself.
 *
 * A queued delivery is a row of `webhook-backlog` until it is over: claim-batch.ts brings it to
 * stage 2 whenever it is due. circuit-breaker.ts counts failures and pauses subscriptions;
 * requests.ts queues tests, redeliveries and recoveries. contract.md section 7.
 */
import { v5 as uuidFrom } from 'uuid';
import { systemAuthority } from '../../domain/authority.ts';
import { telemetryCodec } from '../../domain/telemetry/codecs.ts';
import { subscriptionCodec } from '../../domain/webhooks/codecs.ts';
import type { TelemetryEvent } from '../../domain/telemetry/events.ts';
import type { SubscriptionEvent } from '../../domain/webhooks/subscription/events.ts';
import { mayProbe } from '../../domain/webhooks/subscription/health.ts';
import { subscribesTo, type SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import { Refused } from '../../engine/aggregates/aggregate.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { chunksOf } from '../../engine/concurrency/chunks.ts';
import { semaphore } from '../../engine/concurrency/semaphore.ts';
import { yieldQueue } from '../../engine/concurrency/yield-queue.ts';
import type { Codec, Recorded } from '../../engine/log/codec.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { untilReachable } from '../../engine/log/until-reachable.ts';
import { categoryOf, keyOf } from '../../engine/log/streams.ts';
import { done, doneWhen, ignore } from '../../engine/processes/outcome.ts';
import type { EffectContext, Process } from '../../engine/processes/process.ts';
import type { Subscribers } from '../../projections/webhooks/subscribers.ts';
import type { Subscriptions } from '../../use-cases/webhooks/subscriptions.ts';
import { deliveredBefore } from './delivered-before.ts';
import type { DirectDeliveries, DirectDispatch } from './direct.ts';
import {
  DELIVERIES_QUEUED_AT_ONCE,
  WEBHOOK_FAN_OUT_AT_ONCE,
  WEBHOOK_MESSAGES_DISPATCHED_PER_TURN,
} from './limits.ts';
import { webhookMessagesOf, type BuildingWebhookMessage, type WebhookMessage } from './message.ts';
import { deliveryQueued, queuedFact, recordFacts, type DeliveryFact } from './record.ts';
import { subscriptionNow, webhookRequests, type WebhookRequest } from './requests.ts';

export interface DispatchParts {
  readonly log: EventStore;
  readonly subscriptions: Subscriptions;
  readonly subscribers: Subscribers;
  readonly direct: DirectDispatch;
  /** Counts events that a paused subscription misses. */
  readonly skipped: (count: number) => void;
}

interface Gathered {
  /** `DirectDispatch.changes` before the subscribers were read. */
  readonly changes: number;
  readonly subscribers: readonly SubscriptionView[];
}

interface FanOut extends Gathered {
  readonly kind: 'fan-out';
  readonly source: EventSource;
  readonly messages: readonly BuildingWebhookMessage[];
}

/** The event that is dispatched. */
interface EventSource {
  readonly id: string;
  readonly journal: string;
  readonly revision: number;
  readonly at: Instant;
}

interface FanOutContext extends EffectContext {
  /** Runs the steps before each slice, one at a time. */
  readonly inTurn: <Result>(act: () => Promise<Result>) => Promise<Result>;
  /** Adds deliveries that the effect waits for. */
  readonly track: (deliveries: DirectDeliveries) => void;
}

type Matches = (subscription: SubscriptionView, message: BuildingWebhookMessage) => boolean;

type Followed = TelemetryEvent | SubscriptionEvent;

const codec: Pick<Codec<Followed>, 'decode'> = {
  decode: (stored) =>
    categoryOf(stored.stream) === 'subscription'
      ? subscriptionCodec.decode(stored)
      : telemetryCodec.decode(stored),
};

export const webhookDispatch = (
  parts: DispatchParts,
): Process<Followed, Gathered, FanOut | WebhookRequest> => {
  const { log, subscriptions, subscribers, direct, skipped } = parts;
  const before = deliveredBefore(log);
  /** Bounds the messages dispatched per event-loop turn; each event queues one slice at a time. */
  const turn = yieldQueue(WEBHOOK_MESSAGES_DISPATCHED_PER_TURN);

  const fanOut = (
    { event, id, stream: journal, revision, at }: Recorded<TelemetryEvent>,
    { changes, subscribers: all }: Gathered,
  ): readonly FanOut[] => {
    if (all.length === 0) return [];
    const messages = webhookMessagesOf(event, id);
    const subscribed = all.filter((subscription) =>
      messages.some((message) => subscribesTo(subscription, message)),
    );
    if (subscribed.length === 0) return [];
    const source = { id, journal, revision, at };
    return [{ kind: 'fan-out', source, messages, changes, subscribers: subscribed }];
  };

  /** Whether one event may probe a paused subscription: decided by its own stream. */
  const admitsProbe = async (webhookId: string, deliveryId: string, context: EffectContext) => {
    const { at, by, origin } = context;
    const command = { type: 'AdmitProbe', authority: systemAuthority, deliveryId } as const;
    const commandId = uuidFrom(webhookId, context.id);
    try {
      await subscriptions.give(webhookId, { commandId, command }, { at, by, origin });
      return true;
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
  };

  const record = (
    { webhookId, organisationId: organisation }: SubscriptionView,
    { source }: FanOut,
    facts: readonly DeliveryFact[],
    { at, by }: EffectContext,
  ) => recordFacts(log, { webhookId, day: source.at, facts }, { at, by, organisation });

  /** Queues one event if a probe is due, and records how many others the pause skips. */
  const skip = async (
    subscription: SubscriptionView,
    messages: readonly WebhookMessage[],
    effect: FanOut,
    context: EffectContext,
  ) => {
    if (messages.length === 0) return;
    const { webhookId } = subscription;
    const { id, journal, revision } = effect.source;
    const probe = deliveryQueued(webhookId, messages[0]!, { reason: 'probe' });
    // In a repeat, the stream says whether the event was admitted before.
    const isAdmitted =
      (context.mayRepeat || mayProbe(subscription, context.at)) &&
      (await admitsProbe(webhookId, probe.deliveryId, context));
    const count = isAdmitted ? messages.length - 1 : messages.length;
    skipped(count);
    const except = isAdmitted ? probe.messageId : null;
    const event = { type: 'EventsSkipped', webhookId, journal, revision, count, except } as const;
    const facts = [
      ...(isAdmitted ? [queuedFact(probe)] : []),
      ...(count > 0 ? [{ id: uuidFrom(`${webhookId}/skipped`, id), event }] : []),
    ];
    await record(subscription, effect, facts, context);
  };

  /** Selects the messages of a subscription, without those that an earlier attempt delivered. */
  const matcherOf = async (
    { webhookId }: SubscriptionView,
    { source }: FanOut,
    { mayRepeat, at: now, signal }: EffectContext,
  ): Promise<Matches> => {
    if (!mayRepeat) return subscribesTo;
    const delivered = await before({ webhookId, since: source.at, now, signal });
    return (subscription, message) =>
      subscribesTo(subscription, message) && !delivered.has(message.messageId);
  };

  /**
   * Reads a subscription again if any has changed since; `null`: deleted. Repeated while the log is
   * away: otherwise the whole effect would be, with what was delivered directly.
   */
  const rereading = (first: SubscriptionView, { changes }: FanOut, signal: AbortSignal) => {
    let [now, seen]: [SubscriptionView | null, number] = [first, changes];
    return async (): Promise<SubscriptionView | null> => {
      const latest = direct.changes();
      if (latest === seen) return now;
      now = await untilReachable(() => subscriptionNow(subscriptions, first.webhookId), signal);
      signal.throwIfAborted();
      seen = latest;
      return now;
    };
  };

  /** Delivers directly while the receiver keeps up; queues the rest. Stops at a deletion. */
  const deliver = async (
    subscription: SubscriptionView,
    matches: Matches,
    effect: FanOut,
    context: FanOutContext,
  ): Promise<void> => {
    const { mayRepeat, signal } = context;
    const { messages, source } = effect;
    const current = rereading(subscription, effect, signal);
    for (const chunk of chunksOf(messages, DELIVERIES_QUEUED_AT_ONCE)) {
      let rest = chunk;
      while (rest.length > 0) {
        const hasRoom = await context.inTurn(async () => {
          await turn(rest.length);
          return !mayRepeat && (await direct.whenRoom(subscription, signal));
        });
        // Its turn may have come long after the event was gathered.
        const now = await current();
        if (!now) return;
        rest = rest.filter((message) => matches(now, message));
        if (rest.length === 0) break;
        if (!hasRoom) {
          const { webhookId } = now;
          const facts = rest.map((message) => queuedFact(deliveryQueued(webhookId, message)));
          await record(now, effect, facts, context);
          break;
        }
        const deliveries = direct(now, { messages: rest, day: source.at, signal });
        if (!deliveries) continue;
        context.track(deliveries);
        rest = rest.slice(deliveries.count);
      }
    }
  };

  const fanOutTo = async (
    subscription: SubscriptionView,
    effect: FanOut,
    context: FanOutContext,
  ): Promise<void> => {
    const matches = await matcherOf(subscription, effect, context);
    if (subscription.pausedAt === null) await deliver(subscription, matches, effect, context);
    else {
      const messages = effect.messages.filter((message) => matches(subscription, message));
      await skip(subscription, messages, effect, context);
    }
  };

  return {
    name: 'webhook-fan-out',
    categories: ['telemetry', 'subscription'],
    codec,
    gather: async ({ organisation, position, stream }) => {
      const changes = direct.changes();
      const isFannedOut = categoryOf(stream) === 'telemetry' && organisation !== undefined;
      return { changes, subscribers: isFannedOut ? await subscribers(organisation, position) : [] };
    },
    on: {
      PointsUpdated: (recorded, gathered) => fanOut(recorded, gathered),
      AlarmTriggered: (recorded, gathered) => fanOut(recorded, gathered),
      TestRequested: ({ stream, at, event: { deliveryId } }) => [
        { kind: 'test', webhookId: keyOf(stream), day: at, deliveryId },
      ],
      RedeliveryRequested: ({ stream, at, event }) => {
        const { deliveryId, journal, revision, original } = event;
        const webhookId = keyOf(stream);
        return [{ kind: 'redeliver', webhookId, day: at, deliveryId, journal, revision, original }];
      },
      RecoveryRequested: ({ stream, at, event: { since, until } }) => [
        { kind: 'recover', webhookId: keyOf(stream), day: at, since, until },
      ],
    },
    effects: {
      'fan-out': async (effect, context) => {
        if (effect.subscribers.length === 0) return ignore('no subscriber');
        const atOnce = semaphore(WEBHOOK_FAN_OUT_AT_ONCE);
        const slice = semaphore(1);
        const unsettled = new Set<DirectDeliveries>();
        const inTurn = <Result>(act: () => Promise<Result>) => slice.run(act);
        const track = (deliveries: DirectDeliveries) => {
          unsettled.add(deliveries);
          // A failed one stays unsettled, and fails the effect.
          deliveries.settled.then(
            () => unsettled.delete(deliveries),
            () => {},
          );
        };
        const fanOutContext = { ...context, inTurn, track };
        const outcomes = await Promise.allSettled(
          effect.subscribers.map(async (subscription) => {
            const release = await atOnce.acquire();
            await fanOutTo(subscription, effect, fanOutContext).finally(release);
          }),
        );
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
        if (unsettled.size === 0) return done;
        return doneWhen(Promise.all([...unsettled].map(({ settled }) => settled)));
      },
      ...webhookRequests(log, subscriptions),
    },
  };
};
