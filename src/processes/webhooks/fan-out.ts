/**
 * From what buildings tell to deliveries: each event is queued once for each subscription that
 * hears of it; where that is paused, it is written down as left out, one event an hour aside. What
 * is asked for by hand (a test, a redelivery, what a pause has left out) comes the same way.
 * contract.md section 7.
 */
import { v5 as uuidFrom } from 'uuid';
import { systemAuthority } from '../../domain/authority.ts';
import type { TelemetryEvent } from '../../domain/buildings/events.ts';
import type { BuildingMessage } from '../../domain/buildings/messages.ts';
import type { DeliveryQueued } from '../../domain/webhooks/delivery/events.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { SubscriptionEvent } from '../../domain/webhooks/subscription/events.ts';
import { mayProbe } from '../../domain/webhooks/subscription/health.ts';
import { hears, type SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import {
  DELIVERIES_QUEUED_AT_ONCE,
  WEBHOOK_FAN_OUT_AT_ONCE,
  WEBHOOK_MESSAGES_HANDED_OVER_A_TURN,
} from './limits.ts';
import { yieldQueue } from '../../engine/concurrency/yield-queue.ts';
import { semaphore } from '../../engine/concurrency/semaphore.ts';
import { Refused } from '../../engine/aggregates/aggregate.ts';
import type { Codec, Recorded } from '../../engine/log/codec.ts';
import { telemetryCodec } from '../../domain/buildings/codecs.ts';
import { subscriptionCodec } from '../../domain/webhooks/codecs.ts';
import type { EventStore, Position } from '../../engine/log/event-store.ts';
import type { Subscriptions } from '../../use-cases/webhooks/subscriptions.ts';
import { categoryOf, keyOf } from '../../engine/log/streams.ts';
import { done, doneWhen, ignore } from '../../engine/processes/outcome.ts';
import type { EffectContext, Process } from '../../engine/processes/process.ts';
import { webhookRequests, type WebhookRequest } from './requests.ts';
import { queued, queuedId, recordDeliveries, type JournalFacts, type Told } from './queue.ts';
import { deliveredBefore } from './delivered-before.ts';
import type { HandOver } from './hand-over.ts';
import { UnsettledDeliveries } from './unsettled.ts';
import { toldBy } from './message.ts';

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

interface FanOutContext extends EffectContext {
  /** Runs one at a time: what waits before a slice. */
  readonly inTurn: (act: () => Promise<void>) => Promise<void>;
  readonly handed: UnsettledDeliveries;
}

interface FactPlace {
  readonly id: string;
  readonly journal: string;
  readonly revision: number;
  readonly at: Instant;
}

type IsWanted = (message: BuildingMessage & Told) => boolean;

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
  /** Bounds the messages dispatched per event-loop turn; each fact queues one slice at a time. */
  const turn = yieldQueue(WEBHOOK_MESSAGES_HANDED_OVER_A_TURN);

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

  const record = (
    { webhookId, organisationId: organisation }: SubscriptionView,
    { fact }: FanOut,
    facts: JournalFacts['facts'],
    { at, by }: EffectContext,
  ) => recordDeliveries(log, { webhookId, day: fact.at, facts }, { at, by, organisation });

  /** One event where it is time for a probe; the others are counted. */
  const skip = async (
    subscription: SubscriptionView,
    messages: readonly Told[],
    effect: FanOut,
    context: EffectContext,
  ) => {
    if (messages.length === 0) return;
    const { webhookId } = subscription;
    const { id, journal, revision } = effect.fact;
    const probe = queued(webhookId, messages[0]!, { reason: 'probe' });
    const probes =
      mayProbe(subscription, context.at) && (await admits(webhookId, probe.deliveryId, context));
    const count = probes ? messages.length - 1 : messages.length;
    parts.skipped(count);
    const except = probes ? probe.messageId : null;
    const left = { type: 'EventsSkipped', webhookId, journal, revision, count, except } as const;
    const facts = [
      ...(probes ? [queuedFact(probe)] : []),
      ...(count > 0 ? [{ id: uuidFrom(`${webhookId}/skipped`, id), event: left }] : []),
    ];
    await record(subscription, effect, facts, context);
  };

  /** Selects the messages of a subscription, without those that an earlier attempt delivered. */
  const wantedBy = async (
    subscription: SubscriptionView,
    { fact }: FanOut,
    { mayRepeat, at: now, signal }: EffectContext,
  ): Promise<IsWanted> => {
    const heard: IsWanted = (message) => hears(subscription, message);
    if (!mayRepeat) return heard;
    const { webhookId } = subscription;
    const known = await before({ webhookId, since: fact.at, now, signal });
    return (message) => heard(message) && !known.has(message.messageId);
  };

  /** In memory as far as the receiver bears it; what is left is queued. */
  const deliver = async (
    subscription: SubscriptionView,
    isWanted: IsWanted,
    effect: FanOut,
    context: FanOutContext,
  ): Promise<void> => {
    const { mayRepeat, signal, handed } = context;
    const { messages, fact } = effect;
    for (let from = 0; from < messages.length; from += DELIVERIES_QUEUED_AT_ONCE) {
      await context.inTurn(async () => {
        if (!mayRepeat) await parts.handOver.whenRoom(subscription, signal);
        await turn(Math.min(DELIVERIES_QUEUED_AT_ONCE, messages.length - from));
      });
      const slice = messages.slice(from, from + DELIVERIES_QUEUED_AT_ONCE).filter(isWanted);
      if (slice.length === 0) continue;
      const of = { messages: slice, day: fact.at, signal };
      const inMemory = mayRepeat ? null : parts.handOver(subscription, of);
      if (inMemory) handed.add(inMemory);
      else {
        const facts = slice.map((told) => queuedFact(queued(subscription.webhookId, told)));
        await record(subscription, effect, facts, context);
      }
    }
  };

  const fanOutTo = async (
    subscription: SubscriptionView,
    effect: FanOut,
    context: FanOutContext,
  ): Promise<void> => {
    const isWanted = await wantedBy(subscription, effect, context);
    if (subscription.pausedAt === null) await deliver(subscription, isWanted, effect, context);
    else await skip(subscription, effect.messages.filter(isWanted), effect, context);
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
        const places = semaphore(WEBHOOK_FAN_OUT_AT_ONCE);
        const handed = new UnsettledDeliveries();
        const slice = semaphore(1);
        const inTurn = async (act: () => Promise<void>) => {
          const release = await slice.acquire();
          await act().finally(release);
        };
        const within = { ...context, inTurn, handed };
        const ended = await Promise.allSettled(
          effect.subscribers.map(async (subscription) => {
            const release = await places.acquire();
            await fanOutTo(subscription, effect, within).finally(release);
          }),
        );
        for (const one of ended) if (one.status === 'rejected') throw one.reason;
        return handed.weight === 0 ? done : doneWhen(handed.settled(), handed.weight);
      },
      ...webhookRequests(log, subscriptions),
    },
  };
};

const queuedFact = (event: DeliveryQueued) => ({ id: queuedId(event.deliveryId), event });
