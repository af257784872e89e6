/** The outcomes of deliveries, in the journals of their subscription. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { deliveryJournal } from '../../../src/domain/webhooks/delivery/events.ts';
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
let refusal: Error;
/** Ids that the log refuses. */
let refused: Set<string>;
let stopped: AbortController;
let now: string;
beforeEach(() => {
  now = '2026-03-02T12:00:00.000Z';
  log = memoryEventStore();
  appended = [];
  refusals = 0;
  refusal = new LogUnavailable('down');
  refused = new Set();
  stopped = new AbortController();
});
const recorder = () =>
  outcomeRecorder({
    log: {
      append: async (stream, expected, events, options) => {
        appended.push(stream.slice(0, stream.indexOf('-')));
        if (refusals-- > 0) throw refusal;
        if (events.some(({ id }) => refused.has(id))) throw new Error('refused');
        return log.append(stream, expected, events, options);
      },
      head: () => log.head(),
    },
    clock: { now: () => now },
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

  it.each([
    ['an outage of the log', new LogUnavailable('down')],
    ['a bug', new Error('a bug')],
  ])('ends when it is durable: %s loses none', async (_, error) => {
    refusals = 2;
    refusal = error;
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
  const cancelled = (webhookId: string, journal = deliveryJournal(webhookId, now)) =>
    cancelledFact({ deliveryId: randomUUID(), webhookId, journal } as QueuedDelivery);

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

  it('is stored once if it is recorded before and after midnight', async () => {
    const webhookId = randomUUID();
    const fact = cancelled(webhookId);
    now = '2026-03-02T23:59:59.900Z';
    const first = await recorder().outcome(fact, 'acme');
    now = '2026-03-03T00:00:00.100Z';
    const { outcome } = recorder();
    // Nor does it hold up the outcomes that are recorded with it.
    const others = [fact, cancelled(webhookId), cancelled(webhookId)];
    const again = await Promise.all(others.map((one) => outcome(one, 'acme')));
    expect(again[0]).toBe(first);
    expect(await stored()).toHaveLength(3);
  });

  it('that the last release stored in the journal of the day is stored once', async () => {
    const webhookId = randomUUID();
    const journal = deliveryJournal(webhookId, '2026-02-27T12:00:00.000Z');
    const [fact, ...others] = Array.from({ length: 3 }, () => cancelled(webhookId, journal));
    const yesterday = deliveryJournal(webhookId, '2026-03-01T12:00:00.000Z');
    const first = await recorder().outcome({ ...fact!, journal: yesterday }, 'acme');
    const { outcome } = recorder();
    const again = await Promise.all([fact!, ...others].map((one) => outcome(one, 'acme')));
    expect(log.compare(again[0]!, first)).toBeGreaterThanOrEqual(0);
    const [, ...later] = await stored();
    expect(again.slice(1)).toEqual(later.map(({ position }) => position));
    const streams = (await stored()).map(({ stream }) => stream);
    expect(streams).toEqual([yesterday, journal, journal]);
  });

  it('that the log refuses rejects, alone', async () => {
    const webhookId = randomUUID();
    const facts = Array.from({ length: 3 }, () => cancelled(webhookId));
    refused.add(facts[1]!.id);
    const { outcome } = recorder();
    const outcomes = await Promise.allSettled(facts.map((fact) => outcome(fact, 'acme')));
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: '1' },
      { status: 'rejected', reason: new Error('refused') },
      { status: 'fulfilled', value: '2' },
    ]);
  });

  it('goes to the journal of the day if its own is about to be deleted', async () => {
    const webhookId = randomUUID();
    const queuedIn = deliveryJournal(webhookId, '2026-01-30T12:00:00.000Z');
    now = '2026-02-28T23:00:00.000Z';
    const fact = cancelled(webhookId, queuedIn);
    const first = await recorder().outcome(fact, 'acme');
    now = '2026-03-01T00:00:00.000Z';
    expect(await recorder().outcome(fact, 'acme')).toBe(first);
    await recorder().outcome(cancelled(webhookId, queuedIn), 'acme');
    const today = deliveryJournal(webhookId, now);
    expect((await stored()).map(({ stream }) => stream)).toEqual([queuedIn, today]);
  });
});
