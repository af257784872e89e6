import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { follow } from '../../../src/engine/consumers/follow.ts';
import { logReader, type LogReaderParts } from '../../../src/engine/consumers/log-reader.ts';
import type {
  EventStore,
  StoredEvent,
  SubscribeOptions,
} from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { eventStoreContract } from '../../contract/event-store.contract.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { letPass, until } from '../../support/until.ts';
import { happened } from '../../support/log/events.ts';

/** The log, subscribed to through a shared reader. */
const readThrough = (log: EventStore, bounds: Partial<LogReaderParts> = {}): EventStore => {
  const { subscribe } = logReader({ log, ...bounds });
  return logWith(log, { subscribe });
};

for (const [name, bounds] of [
  ['a shared reader', {}],
  ['a shared reader that keeps three events', { bufferEventsMax: 3, keptEvents: 1 }],
] as const)
  eventStoreContract(name, async () => {
    const other = memoryEventStore();
    const store = readThrough(other, bounds);
    return { store, other, close: () => store.close() };
  });

let log: EventStore;
let subscriptions: { readonly options: SubscribeOptions; open: boolean }[];
let stop: AbortController;

/** Counts the reader's subscriptions to the log. */
const counted = (kept: EventStore): EventStore =>
  logWith(kept, {
    async *subscribe(after, options) {
      const subscription = { options, open: true };
      subscriptions.push(subscription);
      try {
        yield* kept.subscribe(after, options);
      } finally {
        subscription.open = false;
      }
    },
  });

beforeEach(() => {
  subscriptions = [];
  log = counted(memoryEventStore());
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await log.close();
});

interface Subscriber {
  readonly types: readonly string[];
  readonly batches: readonly { readonly events: readonly unknown[]; readonly upTo: string }[];
  readonly ended: Promise<void>;
  /** Accepts no further batch until the returned function is called. */
  hold(): () => void;
}

const subscriberOf = (
  reader: Pick<EventStore, 'subscribe'>,
  after: string | null,
  options: Partial<SubscribeOptions> = {},
): Subscriber => {
  const types: string[] = [];
  const batches: { events: readonly unknown[]; upTo: string }[] = [];
  let held: Promise<void> | null = null;
  const run = async () => {
    for await (const batch of reader.subscribe(after, { signal: stop.signal, ...options })) {
      batches.push(batch);
      types.push(...batch.events.map(({ type }) => type));
      await held;
    }
  };
  return {
    types,
    batches,
    ended: run(),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = null;
        resolve();
      };
    },
  };
};

const append = (stream: string, ...types: string[]) =>
  log.append(
    stream,
    'any',
    types.map((type) => happened(type)),
  );

it('reads the log once for all subscribers at its head, whatever their filters', async () => {
  const reader = logReader({ log });
  await append('a-1', 'first');
  const { position } = await log.head();
  const all = subscriberOf(reader, position);
  const some = Array.from({ length: 20 }, (_, at) =>
    subscriberOf(reader, position, { categories: [at % 2 ? 'a' : 'b'] }),
  );
  await until(() => some.every(({ batches }) => batches.length > 0));
  await append('a-1', 'second');
  await append('b-1', 'third');
  await until(() => all.types.length === 2 && some.every(({ types }) => types.length === 1));
  expect(all.types).toEqual(['second', 'third']);
  expect(some.map(({ types }) => types)).toEqual(
    some.map((_, at) => [at % 2 ? 'second' : 'third']),
  );
  expect(subscriptions).toHaveLength(1);
});

it("reports the log's position to a subscriber whose filter matches no event", async () => {
  const reader = logReader({ log });
  const waiting = subscriberOf(reader, null, { categories: ['other'] });
  const { position } = await append('a-1', 'first');
  await until(() => waiting.batches.some(({ upTo }) => upTo === position));
  expect(waiting.types).toEqual([]);
});

it('lets a subscriber that is behind read by itself, and join', async () => {
  const reader = logReader({ log });
  for (let at = 0; at < 50; at += 1) await append('a-1', `old ${at}`);
  const { position } = await log.head();
  const ahead = subscriberOf(reader, position);
  await until(() => ahead.batches.length > 0);
  const behind = subscriberOf(reader, null, { batchEventsMax: 10 });
  await until(() => behind.types.length === 50);
  await append('a-1', 'new');
  await until(() => behind.types.length === 51 && ahead.types.length === 1);
  const [, own] = subscriptions;
  expect(subscriptions).toHaveLength(2);
  await until(() => !own!.open, 'reading alone');
});

it('delays no subscriber for a slow one, which misses no event', async () => {
  const reader = logReader({ log, bufferEventsMax: 20, keptEvents: 5 });
  const slow = subscriberOf(reader, null);
  const quick = subscriberOf(reader, null);
  const release = slow.hold();
  const types = Array.from({ length: 100 }, (_, at) => `event ${at}`);
  for (const type of types) await append('a-1', type);
  await until(() => quick.types.length === 100);
  expect(slow.types.length).toBeLessThan(100);
  release();
  await until(() => slow.types.length === 100);
  expect(slow.types).toEqual(types);
  expect(quick.types).toEqual(types);
  // The slow one left the shared subscription, and read the evicted events by itself.
  expect(subscriptions.length).toBeGreaterThan(1);
});

it("bounds a subscriber's batches by its own limit", async () => {
  const reader = logReader({ log });
  const few = subscriberOf(reader, null, { batchEventsMax: 3 });
  await until(async () => (await log.head()) !== null && subscriptions.length > 0);
  await append('a-1', ...Array.from({ length: 10 }, (_, at) => `${at}`));
  await until(() => few.types.length === 10);
  expect(Math.max(...few.batches.map(({ events }) => events.length))).toBeLessThanOrEqual(3);
});

it('coalesces small pages of a growing log before it has caught up', async () => {
  const { position } = await append('a-1', 'first');
  for (let n = 0; n < 200; n += 1) await append('a-1', 'one more');
  const { events } = await log.readAll(position, { limit: 200 });
  const toCome = [...events];
  const there: StoredEvent[] = [];
  let pages = 0;
  /** Makes one more event available per turn of the event loop. */
  const bring = () => {
    there.push(...toCome.splice(0, 1));
    if (toCome.length > 0) setImmediate(bring);
  };
  const going = logWith(log, {
    head: async () => ({ position, recordedAt: null }),
    async *subscribe() {
      setImmediate(bring);
      for (let given = 0; given < events.length;) {
        while (there.length === 0) await turn();
        const page = there.splice(0);
        given += page.length;
        pages += 1;
        yield { events: page, upTo: page.at(-1)!.position, caughtUp: false };
      }
    },
  });
  const all = subscriberOf(logReader({ log: going }), position);
  await until(() => all.types.length === 200);
  expect(pages).toBeLessThan(100);
});

it('stops reading when the last subscriber leaves, and resumes with the next', async () => {
  const reader = logReader({ log });
  const first = new AbortController();
  const second = new AbortController();
  const leaving = [first, second].map(({ signal }) => subscriberOf(reader, null, { signal }));
  await append('a-1', 'first');
  await until(() => leaving.every(({ types }) => types.length === 1));
  first.abort();
  await leaving[0]!.ended;
  expect(subscriptions.some(({ open }) => open)).toBe(true);
  second.abort();
  await leaving[1]!.ended;
  await until(() => subscriptions.every(({ open }) => !open));
  const next = subscriberOf(reader, null);
  await append('a-1', 'second');
  await until(() => next.types.length === 2);
});

it('stops reading though the last subscriber leaves a prefetched batch', async () => {
  const reader = logReader({ log });
  const { position } = await append('a-1', 'first');
  const applying = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const followed = follow(
    reader,
    position,
    { signal: stop.signal },
    {
      apply() {
        applying.resolve();
        return held.promise;
      },
      passed: () => false,
      save: async () => {},
    },
  );
  await append('a-1', 'second');
  await applying.promise;
  const { position: last } = await append('a-1', 'third');
  await until(() => reader.livePosition() === last);
  stop.abort();
  held.resolve();
  await followed;
  await until(() => subscriptions.every(({ open }) => !open));
});

it('fails every subscription when the log is broken, and accepts new ones', async () => {
  let broken = false;
  const failing = logWith(log, {
    async *subscribe(after, options) {
      for await (const batch of log.subscribe(after, options)) {
        if (broken) throw new Error('a hole in the log');
        yield batch;
      }
    },
  });
  const reader = logReader({ log: failing });
  const { position } = await append('a-1', 'first');
  const both = [subscriberOf(reader, position), subscriberOf(reader, position)];
  await until(() => both.every(({ batches }) => batches.length > 0));
  broken = true;
  const ended = Promise.allSettled(both.map(({ ended: end }) => end));
  await append('a-1', 'second');
  expect(await ended).toEqual(
    both.map(() => ({ status: 'rejected', reason: new Error('a hole in the log') })),
  );
  broken = false;
  const again = subscriberOf(reader, position);
  await until(() => again.types.length === 1);
});

it('delivers all events in order, from any position and to subscribers of any speed', async () => {
  const categories = ['a', 'b', 'c'];
  const subscriber = fc.record({
    from: fc.nat({ max: 30 }),
    categories: fc.option(fc.subarray(categories, { minLength: 1 }), { nil: undefined }),
    batchEventsMax: fc.integer({ min: 1, max: 7 }),
    pausesMs: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 5 }),
    joins: fc.nat({ max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.constantFrom(...categories), { minLength: 1, maxLength: 4 }), {
        minLength: 1,
        maxLength: 30,
      }),
      fc.array(subscriber, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 0, max: 6 }),
      async (appends, subscribers, bufferEventsMax, keptEvents) => {
        const history = memoryEventStore();
        const reader = logReader({ log: history, bufferEventsMax, keptEvents });
        const ends = new AbortController();
        const positions: (string | null)[] = [null];
        const expected: { type: string; category: string; position: string }[] = [];
        const running: Promise<void>[] = [];
        const failures: unknown[] = [];
        let end: string | null = null;

        const follow = async (one: (typeof subscribers)[number]) => {
          const after = positions[Math.min(one.from, positions.length - 1)]!;
          const { categories: wanted, batchEventsMax, pausesMs } = one;
          const got: string[] = [];
          let [upTo, turn] = [after, 0];
          const options = {
            signal: ends.signal,
            batchEventsMax,
            ...(wanted ? { categories: wanted } : {}),
          };
          for await (const batch of reader.subscribe(after, options)) {
            expect(batch.events.length).toBeLessThanOrEqual(batchEventsMax);
            expect(history.compare(batch.upTo, upTo)).toBeGreaterThanOrEqual(0);
            for (const { type, position } of batch.events) {
              expect(history.compare(position, batch.upTo)).toBeLessThanOrEqual(0);
              got.push(type);
            }
            upTo = batch.upTo;
            if (end !== null && history.compare(upTo, end) >= 0) break;
            await letPass(pausesMs[(turn += 1) % pausesMs.length]!, 'a slow consumer');
          }
          expect(got).toEqual(
            expected
              .filter(({ position }) => history.compare(position, after) > 0)
              .filter(({ category }) => !wanted || wanted.includes(category))
              .map(({ type }) => type),
          );
        };

        const record = async (category: string) => {
          const type = `${expected.length}`;
          const { position } = await history.append(`${category}-1`, 'any', [happened(type)]);
          expected.push({ type, category, position });
          positions.push(position);
          return position;
        };
        for (const [at, inCategories] of appends.entries()) {
          for (const one of subscribers.filter(({ joins }) => joins % appends.length === at))
            running.push(follow(one).catch((error: unknown) => void failures.push(error)));
          for (const category of inCategories) await record(category);
          if (at % 3 === 0) await letPass(1, 'appends with pauses between them');
        }
        // Subscribers whose filter excludes the last event also learn its position.
        end = await record('a');
        await Promise.all(running);
        ends.abort();
        await history.close();
        if (failures.length > 0) throw failures[0];
      },
    ),
    { numRuns: 60 },
  );
});
