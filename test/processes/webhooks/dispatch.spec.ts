/** Which deliveries are direct and which are queued, without a sender or a database. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deliveredJournal } from '../../../src/domain/webhooks/delivery/delivered.ts';
import { WEBHOOK_FAILURES_MAX } from '../../../src/domain/webhooks/limits.ts';
import { deliveryJournal } from '../../../src/domain/webhooks/delivery/events.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import type { SubscriptionView } from '../../../src/domain/webhooks/subscription/view.ts';
import type { EffectContext } from '../../../src/engine/processes/process.ts';
import { webhookDispatch } from '../../../src/processes/webhooks/dispatch.ts';
import type { DirectMessages } from '../../../src/processes/webhooks/direct.ts';
import { deliveredCodec, deliveryCodec } from '../../../src/domain/webhooks/codecs.ts';
import { LogUnavailable, type EventStore } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { pointsUpdated } from '../../support/webhooks/points-updated.ts';
import { registered, subscriptionRow } from '../../support/webhooks/subscription.ts';
import { subscriptionRepository } from '../../../src/use-cases/webhooks/subscriptions.ts';

const by = { kind: 'system', id: 'test' } as const;
const at = systemClock.now();
const twoHoursAgo = new Date(Date.parse(at) - 2 * 3_600_000).toISOString();

interface Dispatching {
  readonly pointCount?: number;
  readonly log?: EventStore;
  readonly subscription?: SubscriptionView;
  /** Called before each slice. Returns the changes of subscriptions so far. */
  readonly beforeSlice?: () => Promise<number>;
}

const dispatch = (options: Dispatching = {}) => {
  const { pointCount = 3, log = memoryEventStore(), subscription = subscriptionRow() } = options;
  const direct: DirectMessages[] = [];
  const to: SubscriptionView[] = [];
  const { webhookId } = subscription;
  const room = { has: true, most: Infinity };
  let changes = 0;
  const settling = Promise.withResolvers<void>();
  const { on, effects } = webhookDispatch({
    log,
    subscriptions: subscriptionRepository(log),
    subscribers: async () => [subscription],
    direct: Object.assign(
      (subscriber: SubscriptionView, given: DirectMessages) => {
        const messages = given.messages.slice(0, room.most);
        to.push(subscriber);
        direct.push({ ...given, messages });
        return { settled: settling.promise, count: messages.length };
      },
      {
        whenRoom: async () => {
          changes = (await options.beforeSlice?.()) ?? 0;
          return room.has;
        },
        changes: () => changes,
      },
    ),
    skipped: () => {},
  });
  const recorded = pointsUpdated(pointCount, at);
  const effectOn = (subscribers: readonly SubscriptionView[]) => {
    const [effect] = on.PointsUpdated!(recorded, { changes, subscribers }) as readonly [
      Parameters<(typeof effects)['fan-out']>[0],
    ];
    return effect;
  };
  const { signal } = new AbortController();
  const context: EffectContext = {
    id: recorded.id,
    at,
    by,
    origin: 'system',
    mayRepeat: false,
    signal,
  };
  const journal = async () => {
    const stored = await log.readStream(deliveryJournal(webhookId, at));
    return stored.map((one) => deliveryCodec.decode(one).event);
  };
  return {
    log,
    webhookId,
    direct,
    to,
    room,
    ids: effectOn([subscription]).messages.map(({ messageId }) => messageId),
    carryOut: (over: Partial<EffectContext> = {}, to = subscription) =>
      effects['fan-out'](effectOn([to]), { ...context, ...over }),
    journal,
    async queued() {
      return (await journal()).map((fact) => fact.type === 'DeliveryQueued' && fact.messageId);
    },
  };
};

it('delivers new messages directly, and queues those there is no room for', async () => {
  const one = dispatch();
  // An event is one in the in-flight budget: its deliveries have a bound of their own.
  expect(await one.carryOut()).toMatchObject({ outcome: 'done', weight: 1 });
  expect(one.direct.map(({ messages }) => messages.map(({ messageId }) => messageId))).toEqual([
    one.ids,
  ]);
  expect(await one.queued()).toEqual([]);
  one.room.has = false;
  expect(await one.carryOut()).toEqual({ outcome: 'done' });
  expect(await one.queued()).toEqual(one.ids);
});

it('delivers what there is room for, and waits before the rest', async () => {
  const one = dispatch();
  one.room.most = 2;
  await one.carryOut();
  expect(one.direct.map(({ messages }) => messages.length)).toEqual([2, 1]);
  const sent = one.direct.flatMap(({ messages }) => messages.map(({ messageId }) => messageId));
  expect(sent).toEqual(one.ids);
  expect(await one.queued()).toEqual([]);
});

it('queues the rest where there is no more room', async () => {
  let slices = 0;
  const beforeSlice = async () => {
    slices += 1;
    if (slices === 2) one.room.has = false;
    return 0;
  };
  const one = dispatch({ beforeSlice });
  one.room.most = 2;
  await one.carryOut();
  expect(one.direct.map(({ messages }) => messages.length)).toEqual([2]);
  expect(await one.queued()).toEqual(one.ids.slice(2));
});

it('dispatches and queues thousands of messages in slices', async () => {
  const one = dispatch({ pointCount: 600 });
  expect(await one.carryOut()).toMatchObject({ outcome: 'done', weight: 1 });
  expect(one.direct.map(({ messages }) => messages.length)).toEqual([256, 256, 88]);
  expect(one.direct.flatMap(({ messages }) => messages.map(({ messageId }) => messageId))).toEqual(
    one.ids,
  );
  one.room.has = false;
  await one.carryOut();
  expect(await one.queued()).toEqual(one.ids);
});

it('queues the messages of a repeated event, except those delivered before', async () => {
  const one = dispatch();
  const [delivered, ...others] = one.ids;
  const { webhookId } = one;
  const id = randomUUID();
  const went = { httpCode: 200, responseBody: '', startedAt: at, durationMs: 1 };
  const deliveries = [{ messageId: delivered!, body: '{}', ...went }];
  const fact = deliveredCodec.encode(
    id,
    { type: 'DeliveriesSucceeded', webhookId, deliveries },
    { commandId: id, at, by, origin: 'system' },
  );
  await one.log.append(deliveredJournal(webhookId, at), 'any', [fact]);
  expect(await one.carryOut({ mayRepeat: true })).toEqual({ outcome: 'done' });
  expect(one.direct).toEqual([]);
  expect(await one.queued()).toEqual(others);
});

describe('an event of thousands of messages', () => {
  it('ends with its subscription', async () => {
    const log = memoryEventStore();
    const { subscription, give } = await registered(log, twoHoursAgo);
    let slices = 0;
    const beforeSlice = async () => {
      slices += 1;
      if (slices === 2) await give({ type: 'DeleteSubscription' }, at);
      return slices;
    };
    const one = dispatch({ pointCount: 600, log, subscription, beforeSlice });
    await one.carryOut();
    expect(one.direct.map(({ messages }) => messages.length)).toEqual([256]);
    expect(await one.queued()).toEqual([]);
  });

  it('is delivered once, though the log is away when a subscription is read again', async () => {
    const stored = memoryEventStore();
    const { subscription } = await registered(stored, twoHoursAgo);
    let reads = 0;
    const log = logWith(stored, {
      async readStream(...call) {
        if (!call[0].startsWith('subscription-')) return stored.readStream(...call);
        reads += 1;
        if (reads === 1) throw new LogUnavailable('it is away');
        return stored.readStream(...call);
      },
    });
    const one = dispatch({ pointCount: 600, log, subscription, beforeSlice: async () => 1 });
    expect(await one.carryOut()).toMatchObject({ outcome: 'done', weight: 1 });
    expect(one.direct.map(({ messages }) => messages.length)).toEqual([256, 256, 88]);
    // Not again for each slice after one change.
    expect(reads).toBe(2);
  });

  it('ends when its type is no longer subscribed to, and follows a new URL', async () => {
    const log = memoryEventStore();
    const { subscription, give } = await registered(log, twoHoursAgo);
    const url = 'https://moved.example.org/';
    const events = ['building.alarm.triggered'];
    let slices = 0;
    const beforeSlice = async () => {
      slices += 1;
      if (slices === 2) await give({ type: 'ChangeSubscription', url }, at);
      if (slices === 3) await give({ type: 'ChangeSubscription', events }, at);
      return slices;
    };
    const one = dispatch({ pointCount: 600, log, subscription, beforeSlice });
    await one.carryOut();
    expect(one.direct.map(({ messages }) => messages.length)).toEqual([256, 256]);
    expect(one.to.map((to) => to.url)).toEqual([subscription.url, url]);
  });
});

describe('the probe of a paused subscription', () => {
  const paused = async (log: EventStore) => {
    const one = await registered(log, twoHoursAgo);
    const times = { startedAt: twoHoursAgo, finishedAt: twoHoursAgo };
    for (let count = 0; count < WEBHOOK_FAILURES_MAX; count += 1) {
      const attempt = { deliveryId: randomUUID(), attempt: 6, succeeded: false, ...times };
      await one.give({ type: 'CountAttempt', attempt }, twoHoursAgo);
    }
    return one;
  };
  const repeat = { mayRepeat: true };

  it('is queued by a repeat of the event, if it was admitted but not queued', async () => {
    const stored = memoryEventStore();
    const { view } = await paused(stored);
    let isKilled = true;
    const append: EventStore['append'] = (stream, ...rest) =>
      isKilled && stream.startsWith('delivery-')
        ? Promise.reject(new Error('killed'))
        : stored.append(stream, ...rest);
    const one = dispatch({ log: { ...stored, append }, subscription: await view() });
    await expect(one.carryOut()).rejects.toThrow('killed');
    isKilled = false;
    expect((await view()).probe).not.toBeNull();
    await one.carryOut(repeat, await view());
    expect(await one.journal()).toMatchObject([
      { type: 'DeliveryQueued', reason: 'probe', deliveryId: (await view()).probe },
      { type: 'EventsSkipped', count: 2, except: one.ids[0] },
    ]);
  });

  it('is not counted as skipped by a repeat of the event, whatever became of it', async () => {
    const log = memoryEventStore();
    const { give, view } = await paused(log);
    const one = dispatch({ pointCount: 1, log, subscription: await view() });
    await one.carryOut();
    expect(await one.journal()).toMatchObject([{ type: 'DeliveryQueued', reason: 'probe' }]);
    const deliveryId = (await view()).probe!;
    await one.carryOut(repeat, await view());
    const attempt = { deliveryId, attempt: 1, succeeded: false, startedAt: at, finishedAt: at };
    await give({ type: 'CountAttempt', attempt }, at);
    await one.carryOut(repeat, await view());
    expect(await one.journal()).toHaveLength(1);
  });

  it('is not admitted by a repeat before its time', async () => {
    const log = memoryEventStore();
    const { give, view } = await paused(log);
    const deliveryId = randomUUID();
    const attempt = { deliveryId, attempt: 1, succeeded: false, startedAt: at, finishedAt: at };
    await give({ type: 'CountAttempt', attempt }, at);
    const one = dispatch({ log, subscription: await view() });
    await one.carryOut(repeat);
    expect(await one.journal()).toMatchObject([{ type: 'EventsSkipped', count: 3 }]);
  });
});
