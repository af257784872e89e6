/** Which deliveries are direct and which are queued, without a sender or a database. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { deliveredJournal } from '../../../src/domain/webhooks/delivery/delivered.ts';
import { deliveryJournal } from '../../../src/domain/webhooks/delivery/events.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import type { EffectContext } from '../../../src/engine/processes/process.ts';
import { webhookDispatch } from '../../../src/processes/webhooks/dispatch.ts';
import type { DirectMessages } from '../../../src/processes/webhooks/direct.ts';
import type { Recorded } from '../../../src/engine/log/codec.ts';
import { deliveredCodec, deliveryCodec } from '../../../src/domain/webhooks/codecs.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { subscriptionRow } from '../../support/webhooks/subscription.ts';
import { subscriptionRepository } from '../../../src/use-cases/webhooks/subscriptions.ts';

const by = { kind: 'system', id: 'test' } as const;
const at = systemClock.now();

const dispatch = (pointCount = 3) => {
  const log = memoryEventStore();
  const direct: DirectMessages[] = [];
  const subscription = subscriptionRow();
  const { webhookId } = subscription;
  const room = { has: true };
  const settling = Promise.withResolvers<void>();
  const { on, effects } = webhookDispatch({
    log,
    subscriptions: subscriptionRepository(log),
    subscribers: async () => [subscription],
    direct: Object.assign(
      (_: unknown, given: DirectMessages) => {
        if (!room.has) return null;
        direct.push(given);
        return { settled: settling.promise, count: given.messages.length };
      },
      { whenRoom: async () => {} },
    ),
    skipped: () => {},
  });
  const buildingId = randomUUID();
  const point = () => ({
    pointId: randomUUID(),
    elementId: null,
    spaceId: null,
    value: 1,
    unit: null,
    observedAt: at,
  });
  const points = Array.from({ length: pointCount }, point);
  const event = { type: 'PointsUpdated' as const, buildingId, points };
  const recorded: Recorded<typeof event> = {
    id: randomUUID(),
    stream: `telemetry-${buildingId}.20260302`,
    revision: 0,
    position: '1',
    recordedAt: at,
    commandId: randomUUID(),
    by,
    origin: 'system',
    at,
    event,
  };
  const [effect] = on.PointsUpdated!(recorded, [subscription]) as readonly [
    Parameters<(typeof effects)['fan-out']>[0],
  ];
  const { signal } = new AbortController();
  const context: EffectContext = {
    id: randomUUID(),
    at,
    by,
    origin: 'system',
    mayRepeat: false,
    signal,
  };
  return {
    log,
    webhookId,
    direct,
    room,
    ids: effect.messages.map(({ messageId }) => messageId),
    carryOut: (over: Partial<EffectContext> = {}) =>
      effects['fan-out'](effect, { ...context, ...over }),
    async queued() {
      const stored = await log.readStream(deliveryJournal(webhookId, at));
      return stored.map((one) => {
        const { event: fact } = deliveryCodec.decode(one);
        return fact.type === 'DeliveryQueued' && fact.messageId;
      });
    },
  };
};

it('delivers new messages directly, and queues those there is no room for', async () => {
  const one = dispatch();
  expect(await one.carryOut()).toMatchObject({ outcome: 'done', weight: 3 });
  expect(one.direct.map(({ messages }) => messages.map(({ messageId }) => messageId))).toEqual([
    one.ids,
  ]);
  expect(await one.queued()).toEqual([]);
  one.room.has = false;
  expect(await one.carryOut()).toEqual({ outcome: 'done' });
  expect(await one.queued()).toEqual(one.ids);
});

it('dispatches and queues thousands of messages in slices', async () => {
  const one = dispatch(600);
  expect(await one.carryOut()).toMatchObject({ outcome: 'done', weight: 600 });
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
