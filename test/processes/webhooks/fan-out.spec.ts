/** What is handed over in memory, and what is queued, without a sender or a database. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { deliveredJournal } from '../../../src/domain/webhooks/delivery/delivered.ts';
import { deliveryJournal } from '../../../src/domain/webhooks/delivery/events.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import type { EffectContext } from '../../../src/engine/processes/process.ts';
import { webhookFanOut } from '../../../src/processes/webhooks/fan-out.ts';
import type { HandOverOf } from '../../../src/processes/webhooks/hand-over.ts';
import type { Recorded } from '../../../src/engine/log/codec.ts';
import { deliveredCodec, deliveryCodec } from '../../../src/domain/webhooks/codecs.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { subscriptionRow } from '../../support/webhooks/subscription.ts';
import { subscriptionRepository } from '../../../src/use-cases/webhooks/subscriptions.ts';

const by = { kind: 'system', id: 'test' } as const;
const at = systemClock.now();

const fanOut = (pointCount = 3) => {
  const log = memoryEventStore();
  const handed: HandOverOf[] = [];
  const subscription = subscriptionRow();
  const { webhookId } = subscription;
  const room = { has: true };
  const settling = Promise.withResolvers<void>();
  const { on, effects } = webhookFanOut({
    log,
    subscriptions: subscriptionRepository(log),
    subscribers: async () => [subscription],
    handOver: Object.assign(
      (_: unknown, of: HandOverOf) => {
        if (!room.has) return null;
        handed.push(of);
        return { settled: settling.promise, count: of.messages.length };
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
    handed,
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

it('hands over what is new, and queues what there is no room for', async () => {
  const one = fanOut();
  expect(await one.carryOut()).toMatchObject({ outcome: 'done', weight: 3 });
  expect(one.handed.map(({ messages }) => messages.map(({ messageId }) => messageId))).toEqual([
    one.ids,
  ]);
  expect(await one.queued()).toEqual([]);
  one.room.has = false;
  expect(await one.carryOut()).toEqual({ outcome: 'done' });
  expect(await one.queued()).toEqual(one.ids);
});

it('hands over and queues thousands of messages in slices', async () => {
  const one = fanOut(600);
  expect(await one.carryOut()).toMatchObject({ outcome: 'done', weight: 600 });
  expect(one.handed.map(({ messages }) => messages.length)).toEqual([256, 256, 88]);
  expect(one.handed.flatMap(({ messages }) => messages.map((told) => told.messageId))).toEqual(
    one.ids,
  );
  one.room.has = false;
  await one.carryOut();
  expect(await one.queued()).toEqual(one.ids);
});

it('queues what may be done again, without what was delivered before', async () => {
  const one = fanOut();
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
  expect(one.handed).toEqual([]);
  expect(await one.queued()).toEqual(others);
});
