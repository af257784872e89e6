/** The outcomes of deliveries, in the journals of their subscription. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { LogUnavailable, type EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { untraced } from '../../../src/engine/observe/tracing.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { DELIVERED_PER_EVENT_MAX } from '../../../src/processes/webhooks/limits.ts';
import {
  cancelledFact,
  outcomeRecorder,
  type FirstSuccess,
  type QueuedDelivery,
} from '../../../src/processes/webhooks/record.ts';

let log: EventStore;
let appended: string[];
let refusals: number;
let stopped: AbortController;
beforeEach(() => {
  log = memoryEventStore();
  appended = [];
  refusals = 0;
  stopped = new AbortController();
});
const recorder = () =>
  outcomeRecorder({
    log: {
      append: async (stream, expected, events, options) => {
        appended.push(stream.slice(0, stream.indexOf('-')));
        if (refusals-- > 0) throw new LogUnavailable('down');
        return log.append(stream, expected, events, options);
      },
    },
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    tracing: untraced,
    signal: stopped.signal,
  });

const stored = async () => (await log.readAll(null, { limit: 100 })).events;

describe('a success', () => {
  const success = (webhookId: string, httpCode = 200) => {
    const ended = Promise.withResolvers<unknown>();
    const one: FirstSuccess = {
      webhookId,
      organisation: 'acme',
      delivery: {
        messageId: randomUUID(),
        body: '{}',
        httpCode,
        responseBody: '',
        startedAt: systemClock.now(),
        durationMs: 3,
      },
      ended: ended.resolve,
    };
    return { one, ended: ended.promise };
  };

  it('shares an event with others of its subscription, up to a limit', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    const { succeeded } = recorder();
    const ofA = Array.from({ length: DELIVERED_PER_EVENT_MAX + 1 }, () => success(a));
    const all = [...ofA, success(b)];
    for (const { one } of all) succeeded(one);
    expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(all.map(() => undefined));
    const counts = (await stored()).map(
      ({ data }) => (data as { deliveries: unknown[] }).deliveries.length,
    );
    expect(counts.toSorted((x, y) => x - y)).toEqual([1, 1, DELIVERED_PER_EVENT_MAX]);
  });

  it('ends when it is durable: an outage of the log loses none', async () => {
    refusals = 2;
    const { succeeded } = recorder();
    const { one, ended } = success(randomUUID());
    succeeded(one);
    expect(await ended).toBeUndefined();
    expect(appended).toEqual(['delivered', 'delivered', 'delivered']);
    expect(await stored()).toHaveLength(1);
  });

  it('that cannot be encoded ends with the error, alone', async () => {
    const { succeeded } = recorder();
    const [bad, good] = [success(randomUUID(), 200.5), success(randomUUID())];
    succeeded(bad.one);
    succeeded(good.one);
    expect(await bad.ended).toBeInstanceOf(Error);
    expect(await good.ended).toBeUndefined();
    expect(await stored()).toHaveLength(1);
  });

  it('ends with the error of the log once the recorder is stopped', async () => {
    refusals = Infinity;
    const { succeeded } = recorder();
    const { one, ended } = success(randomUUID());
    stopped.abort();
    succeeded(one);
    expect(await ended).toBeInstanceOf(LogUnavailable);
  });
});

describe('an outcome', () => {
  const cancelled = (webhookId: string) =>
    cancelledFact({ deliveryId: randomUUID(), webhookId } as QueuedDelivery);

  it('is appended in one batch with those of its journal', async () => {
    const { outcome } = recorder();
    const webhookId = randomUUID();
    const facts = Array.from({ length: 5 }, () => cancelled(webhookId));
    await Promise.all(facts.map((fact) => outcome(fact, 'acme')));
    expect((await stored()).map(({ id }) => id)).toEqual(facts.map(({ id }) => id));
    expect(appended).toHaveLength(1);
  });

  it('is stored once, however often it is recorded', async () => {
    const { outcome } = recorder();
    const fact = cancelled(randomUUID());
    const first = await outcome(fact, 'acme');
    expect(await outcome(fact, 'acme')).toEqual(first);
    expect(await stored()).toHaveLength(1);
  });
});
