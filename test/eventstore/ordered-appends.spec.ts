/** Ordered appends to many streams, on a real EventStoreDB, over connections that are cut. */
import { randomUUID } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { EventStoreDBClient } from '@eventstore/db-client';
import { array, assert, asyncProperty, integer, nat, tuple } from 'fast-check';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import {
  LogUnavailable,
  OutOfOrder,
  WrongRevision,
  type EventStore,
  type OrderedAppend,
  type OrderedAppends,
} from '../../src/engine/log/event-store.ts';
import { ClientFailover } from '../../src/engine/log/eventstoredb/client-failover.ts';
import { noLeaderWatch } from '../../src/engine/log/eventstoredb/leader-watch.ts';
import { OrderedAppender } from '../../src/engine/log/eventstoredb/ordered-appender.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { serialised } from '../../src/engine/log/serialised.ts';
import { happened, typesOf } from '../support/log/events.ts';
import { allEvents } from '../support/log/all-events.ts';

const url = inject('eventstoreUrl');
const retryMs = 60_000;

let log: EventStore;
let category: string;
const begun = new Set<OrderedAppends>();
const stream = (key: string | number) => `${category}-${key}`;

const ordered = (on: EventStore = log, options = { retryMs }): OrderedAppends => {
  const appends = on.orderedAppends!(options);
  begun.add(appends);
  return appends;
};

beforeEach(() => {
  log = eventstoreDbStore({ url });
  category = `c${randomUUID().replaceAll('-', '').slice(0, 12)}`;
});
afterEach(async () => {
  for (const appends of begun) appends.stop();
  begun.clear();
  await log.close();
});

const append = (
  key: string | number,
  expected: OrderedAppend['expected'],
  ...types: readonly string[]
): OrderedAppend => ({
  stream: stream(key),
  expected,
  events: types.map((type) => happened(type)),
});

/** Adds everything and waits until it is stored. */
const store = async (appends: OrderedAppends, all: readonly OrderedAppend[]) => {
  for (const one of all) await appends.add(one);
  await appends.stored();
};

/** Appends of the given sizes to the given streams, at the revisions at which they follow. */
const mixed = (parts: readonly (readonly [key: number, events: number])[]): OrderedAppend[] => {
  const revisions = new Map<number, number>();
  return parts.map(([key, count], n) => {
    const revision = revisions.get(key) ?? -1;
    revisions.set(key, revision + count);
    const types = Array.from({ length: count }, (_, of) => `${n}.${of}`);
    return append(key, revision < 0 ? 'no_stream' : revision, ...types);
  });
};

const typesIn = (all: readonly OrderedAppend[]) => all.flatMap(({ events }) => typesOf(events));

/** The category's events, in the order of the log. */
const held = async (): Promise<string[]> =>
  typesOf(await allEvents(log, { categories: [category] }, start));
let start: string | null = null;
beforeEach(async () => {
  start = (await log.head()).position;
});

describe('ordered appends', () => {
  it('are stored in the order in which they are added, across streams', async () => {
    const part = tuple(nat(20), integer({ min: 1, max: 5 }));
    await assert(
      asyncProperty(array(part, { minLength: 1, maxLength: 800 }), async (parts) => {
        category = `c${randomUUID().replaceAll('-', '').slice(0, 12)}`;
        start = (await log.head()).position;
        const all = mixed(parts);
        await store(ordered(), all);
        expect(await held()).toEqual(typesIn(all));
      }),
      { numRuns: 8 },
    );
  });

  it('are stored once, and in order, when another process repeats them', async () => {
    const all = mixed(Array.from({ length: 600 }, (_, n) => [(n * n) % 37, (n % 3) + 1]));
    await store(ordered(), all.slice(0, 300));
    const other = eventstoreDbStore({ url });
    await store(ordered(other), all);
    await other.close();
    expect(await held()).toEqual(typesIn(all));
  });

  it('continue after a pause, and accept events of any size', async () => {
    const appends = ordered();
    const big = { ...append('big', 'no_stream', 'Big') };
    const events = big.events.map((event) => ({ ...event, data: { text: 'ß'.repeat(400_000) } }));
    await store(appends, [append(1, 'no_stream', 'A'), { ...big, events }]);
    await store(appends, [append(2, 'no_stream', 'B'), append(1, 0, 'C')]);
    expect(await held()).toEqual(['A', 'Big', 'B', 'C']);
  });

  it('end with OutOfOrder where a later one is already stored, and store no more', async () => {
    const early = append('early', 'no_stream', 'Early');
    await log.append(early.stream, early.expected, early.events);
    const appends = ordered();
    const before = mixed(Array.from({ length: 20 }, (_, n) => [n, 1]));
    await expect(store(appends, [...before, early])).rejects.toBeInstanceOf(OutOfOrder);
    await expect(appends.add(append('late', 'no_stream', 'Late'))).rejects.toBeInstanceOf(
      OutOfOrder,
    );
    expect(await held()).not.toContain('Late');
  });

  it('end with WrongRevision where others write, after all previous ones are stored', async () => {
    await log.append(stream('taken'), 'no_stream', [happened('Other')]);
    const before = mixed(Array.from({ length: 20 }, (_, n) => [n, 1]));
    const taken = append('taken', 'no_stream', 'Mine');
    await expect(store(ordered(), [...before, taken])).rejects.toBeInstanceOf(WrongRevision);
    expect(await held()).toEqual(['Other', ...typesIn(before)]);
  });

  it('end with TypeError for an invalid event, and with LogUnavailable when stopped', async () => {
    const appends = ordered();
    const bad = { ...append(1, 'no_stream', 'A'), events: [] };
    await expect(appends.add(bad)).rejects.toBeInstanceOf(TypeError);
    appends.stop();
    await expect(appends.stored()).rejects.toBeInstanceOf(LogUnavailable);
  });

  it('end with LogUnavailable once the log was unavailable for the given time', async () => {
    const away = new LogUnavailable('away');
    const appends = new OrderedAppender({
      clients: new ClientFailover(() => EventStoreDBClient.connectionString(url), noLeaderWatch),
      credentials: { username: 'nobody', password: 'none' },
      appender: { append: () => Promise.reject(away) },
      retryMs: 0,
    });
    const { stream: to, expected, events } = append(1, 'no_stream', 'A');
    await appends.add({ stream: to, expected, events: serialised(to, events) });
    await expect(appends.stored()).rejects.toBe(away);
  });
});

/** Forwards bytes to the server, and cuts each connection after a number of bytes. */
const cuttingRelay = async (cutAfterBytes: readonly number[]) => {
  const { hostname, port } = new URL(url.replace('esdb:', 'http:'));
  const cuts = cutAfterBytes.values();
  const sockets = new Set<Socket>();
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname);
    const { value: leftAtFirst = Infinity } = cuts.next();
    let left: number = leftAtFirst;
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      // A cut connection is an expected error at both ends.
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
    client.on('data', (bytes) => {
      const passed = bytes.subarray(0, Math.max(0, left));
      left -= bytes.length;
      server.write(passed);
      if (left <= 0) client.destroy();
    });
    server.pipe(client);
  });
  await new Promise<void>((listening) => relay.listen(0, '127.0.0.1', listening));
  return {
    url: `esdb://127.0.0.1:${(relay.address() as AddressInfo).port}?tls=false`,
    left: () => [...cuts].length,
    close() {
      for (const socket of sockets) socket.destroy();
      relay.close();
    },
  };
};

it('are stored in order although connections are cut in the middle', async () => {
  const relay = await cuttingRelay([20_000, 3_000, 60_000, 90_000, 7_000, 40_000]);
  const through = eventstoreDbStore({ url: relay.url });
  const all = mixed(Array.from({ length: 2_000 }, (_, n) => [(n * n) % 97, (n % 2) + 1]));
  await store(ordered(through), all);
  await through.close();
  expect(await held()).toEqual(typesIn(all));
  expect(relay.left()).toBe(0);
  relay.close();
});
