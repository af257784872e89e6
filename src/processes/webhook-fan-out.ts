/**
 * From what buildings tell to deliveries: each event is queued once for each subscription that
 * hears of it; where that is paused, it is written down as left out, one event an hour aside. What
 * is asked for by hand (a test, a redelivery, what a pause has left out) comes the same way.
 * contract.md section 7.
 */
import { v5 as uuidFrom } from 'uuid';
import { systemAuthority } from '../domain/authority.ts';
import type { TelemetryEvent } from '../domain/building/events.ts';
import type { BuildingMessage } from '../domain/building/messages.ts';
import type { DeliveryEvent } from '../domain/delivery/events.ts';
import type { Instant } from '../domain/decider.ts';
import type { SubscriptionEvent } from '../domain/subscription/events.ts';
import { mayProbe } from '../domain/subscription/health.ts';
import { hears, type SubscriptionView } from '../domain/subscription/view.ts';
import { WEBHOOK_FAN_OUT_AT_ONCE } from '../limits.ts';
import { slots } from '../ops/slots.ts';
import { Refused } from '../store/aggregate.ts';
import type { Codec, Recorded } from '../store/codec.ts';
import { subscriptionCodec, telemetryCodec } from '../store/codecs.ts';
import type { EventStore, Position } from '../store/event-store.ts';
import type { Subscriptions } from '../store/repositories/subscriptions.ts';
import { categoryOf, keyOf } from '../store/streams.ts';
import { done, doneWhen, ignore } from './outcome.ts';
import type { EffectContext, Process } from './process.ts';
import { webhookRequests, type WebhookRequest } from './webhook-requests.ts';
import { queued, queuedId, recordDeliveries, type Told } from './webhook-queue.ts';
import { deliveredBefore } from './webhook-delivered-before.ts';
import type { HandOver } from './webhook-hand-over.ts';
import { toldBy } from './webhook-told.ts';

export interface FanOutParts {
  readonly log: EventStore;
  readonly subscriptions: Subscriptions;
  /** Who of an organisation was registered by `position`, as things stand since. */
  readonly subscribers: (
    organisation: string,
    position: Position,
  ) => Promise<readonly SubscriptionView[]>;
  readonly handOver: HandOver;
  /** So many events were left out. */
  readonly skipped: (count: number) => void;
}

interface FanOut {
  readonly kind: 'fan-out';
  /** Where the fact stands that tells of them. */
  readonly fact: FactPlace;
  readonly messages: readonly (BuildingMessage & Told)[];
  readonly subscribers: readonly SubscriptionView[];
}

interface FactPlace {
  readonly id: string;
  readonly journal: string;
  readonly revision: number;
  readonly at: Instant;
}

type Followed = TelemetryEvent | SubscriptionEvent;

const codec: Pick<Codec<Followed>, 'decode'> = {
  decode: (stored) =>
    categoryOf(stored.stream) === 'subscription'
      ? subscriptionCodec.decode(stored)
      : telemetryCodec.decode(stored),
};

export const webhookFanOut = (
  parts: FanOutParts,
): Process<Followed, readonly SubscriptionView[], FanOut | WebhookRequest> => {
  const { log, subscriptions, subscribers } = parts;
  const before = deliveredBefore(log);

  const fanOut = (
    { event, id, stream: journal, revision, at }: Recorded<TelemetryEvent>,
    all: readonly SubscriptionView[],
  ): readonly FanOut[] => {
    if (all.length === 0) return [];
    const messages = toldBy(event, id);
    const hearing = all.filter((one) => messages.some((message) => hears(one, message)));
    if (hearing.length === 0) return [];
    const fact = { id, journal, revision, at };
    return [{ kind: 'fan-out', fact, messages, subscribers: hearing }];
  };

  /** Whether one event may go to a subscription that is paused: decided by its own stream. */
  const admits = async (webhookId: string, deliveryId: string, context: EffectContext) => {
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

  const factsFor = async (
    subscription: SubscriptionView,
    { fact, messages }: FanOut,
    context: EffectContext,
  ) => {
    const { webhookId } = subscription;
    // Whoever was here before may have delivered them at once.
    const known = context.mayRepeat
      ? await before({ webhookId, since: fact.at, now: context.at, signal: context.signal })
      : NOTHING;
    const mine = messages.filter(
      (message) => hears(subscription, message) && !known.has(message.messageId),
    );
    if (mine.length === 0) return [];
    if (subscription.pausedAt === null) return mine.map((told) => queued(webhookId, told));
    const first = queued(webhookId, mine[0]!, { reason: 'probe' });
    const probes =
      mayProbe(subscription, context.at) && (await admits(webhookId, first.deliveryId, context));
    const count = probes ? mine.length - 1 : mine.length;
    parts.skipped(count);
    const { journal, revision } = fact;
    const except = probes ? first.messageId : null;
    const left = { type: 'EventsSkipped', webhookId, journal, revision, count, except } as const;
    return [...(probes ? [first] : []), ...(count > 0 ? [left] : [])];
  };

  /**
   * In memory, where it is active and nothing of it can have been delivered before; `null` where
   * it is to be queued.
   */
  const inMemory = (
    subscription: SubscriptionView,
    { fact, messages }: FanOut,
    { mayRepeat, signal }: EffectContext,
  ) => {
    if (mayRepeat || subscription.pausedAt !== null) return null;
    const mine = messages.filter((message) => hears(subscription, message));
    return parts.handOver(subscription, { messages: mine, day: fact.at, signal });
  };

  const queueFor = async (
    subscription: SubscriptionView,
    effect: FanOut,
    context: EffectContext,
  ) => {
    const { webhookId, organisationId: organisation } = subscription;
    const handed = inMemory(subscription, effect, context);
    if (handed) return handed;
    const events = await factsFor(subscription, effect, context);
    const facts = events.map((event: DeliveryEvent) => ({
      id:
        event.type === 'DeliveryQueued'
          ? queuedId(event.deliveryId)
          : uuidFrom(`${webhookId}/skipped`, effect.fact.id),
      event,
    }));
    if (facts.length === 0) return null;
    await recordDeliveries(
      log,
      { webhookId, day: effect.fact.at, facts },
      { at: context.at, by: context.by, organisation },
    );
    return null;
  };

  return {
    name: 'webhook-fan-out',
    categories: ['telemetry', 'subscription'],
    codec,
    gather: async ({ organisation, position, stream }) =>
      categoryOf(stream) === 'telemetry' && organisation !== undefined
        ? subscribers(organisation, position)
        : [],
    on: {
      PointsUpdated: (recorded, all) => fanOut(recorded, all),
      AlarmTriggered: (recorded, all) => fanOut(recorded, all),
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
        if (effect.subscribers.length === 0) return ignore('nobody hears of it');
        const places = slots(WEBHOOK_FAN_OUT_AT_ONCE);
        const settling: Promise<void>[] = [];
        let weight = 0;
        const ended = await Promise.allSettled(
          effect.subscribers.map(async (subscription) => {
            const release = await places.acquire();
            const handed = await queueFor(subscription, effect, context).finally(release);
            if (!handed) return;
            settling.push(handed.settled);
            weight += handed.count;
          }),
        );
        for (const one of ended) if (one.status === 'rejected') throw one.reason;
        return settling.length === 0 ? done : doneWhen(Promise.all(settling), weight);
      },
      ...webhookRequests(log, subscriptions),
    },
  };
};

const NOTHING: ReadonlySet<string> = new Set();
