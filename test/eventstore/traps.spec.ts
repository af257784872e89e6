/**
 * Quirks of the EventStoreDB client and server. Each was observed on a real server; none may be
 * visible through the adapter.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { binaryEvent, EventStoreDBClient, jsonEvent, metastreamOf } from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { GuardMoved, LogUnavailable, type EventStore } from '../../src/engine/log/event-store.ts';
import { EventStoreDbAppender } from '../../src/engine/log/eventstoredb/appender.ts';
import { noLeaderWatch } from '../../src/engine/log/eventstoredb/leader-watch.ts';
import { ClientFailover } from '../../src/engine/log/eventstoredb/client-failover.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { serialised } from '../../src/engine/log/serialised.ts';
import { relayTo, type Relay } from './support/relay.ts';
import { batchesOf, eventsOf, happened, typesOf } from '../support/log/events.ts';
import { letPass } from '../support/until.ts';

const url = inject('eventstoreUrl');
const anonymous = { credentials: { username: 'nobody', password: 'none' } };

describe('the adapter', () => {
  let log: EventStore;
  let direct: EventStoreDBClient;
  let relay: Relay;
  let category: string;
  const stream = (key: string | number) => `${category}-${key}`;
  const only = () => ({ categories: [category] });
  const start = async () => (await log.head()).position;

  beforeEach(async () => {
    direct = EventStoreDBClient.connectionString(url);
    relay = await relayTo(url);
    log = eventstoreDbStore({ url: relay.url });
    category = `c${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  });
  afterEach(async () => {
    await log.close();
    await direct.dispose();
    relay.close();
  });

  describe('subscribing', () => {
    it('reports a position only after its earlier events, though the server is ahead', async () => {
      const after = await start();
      const mine = Array.from({ length: 40 }, (_, n) => happened(`E${n}`));
      const others = Array.from({ length: 500 }, () => happened('X'));
      for (let part = 0; part < 4; part += 1) {
        await log.append(stream(1), 'any', mine.slice(part * 10, part * 10 + 10));
        for (let n = 0; n < 6; n += 1) await log.append(`x${category}-1`, 'any', renamed(others));
      }
      const seen: string[] = [];
      let at = after;
      const stop = new AbortController();
      const options = { ...only(), signal: stop.signal, batchEventsMax: 3 };
      for await (const batch of log.subscribe(after, options)) {
        for (const event of batch.events) {
          expect(log.compare(event.position, at)).toBeGreaterThan(0);
          seen.push(event.type);
        }
        at = batch.upTo;
        await letPass(5, 'a slow reader');
        if (batch.caughtUp) stop.abort();
      }
      expect(seen).toEqual(typesOf(mine));
    });

    it('treats a call that the server ends without an error as a drop', async () => {
      const seen = eventsOf(log, await start(), only());
      await log.append(stream(1), 'any', [happened('A')]);
      expect(typesOf(await seen.next(1))).toEqual(['A']);
      for (const type of 'BCD') {
        relay.endReads();
        await log.append(stream(1), 'any', [happened(type)]);
        expect(typesOf(await seen.next(1))).toEqual([type]);
      }
      await seen.stop();
    });

    it('reaches the end of a log whose server does not report it', async () => {
      relay.keepQuiet();
      const { position } = await log.append(stream(1), 'any', [happened('A')]);
      const stop = new AbortController();
      const batches = batchesOf(log, position, { ...only(), signal: stop.signal });
      expect((await batches.next()).value).toMatchObject({ events: [], caughtUp: true });
      stop.abort();
    });

    it('never skips an event that the server has not delivered yet', async () => {
      const { position } = await log.append(stream(1), 'any', [happened('A')]);
      const stop = new AbortController();
      const batches = batchesOf(log, position, { ...only(), signal: stop.signal });
      await batches.next();
      relay.hold();
      const mine = await log.append(stream(1), 'any', [happened('B')]);
      await log.append(`x${category}-1`, 'any', [happened('X')]);
      const passed: boolean[] = [];
      const read = (async () => {
        for (;;) {
          const { value } = await batches.next();
          if (value!.events.length > 0) return typesOf(value!.events);
          passed.push(log.compare(value!.upTo, mine.position) >= 0);
        }
      })();
      await letPass(2_500, 'longer than the client waits for a checkpoint');
      relay.release();
      expect(await read).toEqual(['B']);
      expect(passed).not.toContain(true);
      stop.abort();
    });

    it.each([
      ['left in the middle', async () => {}],
      ['aborted', async (stop: AbortController) => stop.abort()],
    ])('holds no call on the server once it is %s', async (_, leave) => {
      const after = await start();
      const events = Array.from({ length: 200 }, (_unused, n) => happened(`E${n}`));
      await log.append(stream(1), 'any', events);
      for (let round = 0; round < 5; round += 1) {
        const stop = new AbortController();
        const options = { ...only(), signal: stop.signal, batchEventsMax: 2 };
        for await (const batch of log.subscribe(after, options)) {
          if (batch.events.length === 0) continue;
          await leave(stop);
          break;
        }
      }
      await expect.poll(() => relay.open()).toBe(0);
    });

    it('delivers no event after an abort, though more are buffered', async () => {
      const after = await start();
      const events = Array.from({ length: 100 }, (_unused, n) => happened(`E${n}`));
      await log.append(stream(1), 'any', events);
      const stop = new AbortController();
      const options = { ...only(), signal: stop.signal, batchEventsMax: 5 };
      const batches = batchesOf(log, after, options);
      await batches.next();
      stop.abort();
      expect((await batches.next()).done).toBe(true);
    });

    it('excludes system streams, for any filter', async () => {
      const after = await start();
      await log.append(stream(1), 'any', [happened('A'), happened('B')]);
      await log.truncateStream(stream(1), 1);
      await log.append(stream(1), 'any', [happened('C')]);
      const seen = eventsOf(log, after);
      expect(typesOf(await seen.next(3))).toEqual(['A', 'B', 'C']);
      await seen.stop();
      const page = await log.readAll(after, { limit: 100 });
      expect(typesOf(page.events)).toEqual(['A', 'B', 'C']);
      expect(await log.readStream(metastreamOf(stream(1)))).toEqual([]);
      await expect(log.append(metastreamOf(stream(1)), 'any', [happened('A')])).rejects.toThrow(
        TypeError,
      );
    });

    it.each(['', '12', 'C/P', '1/2/3', '-1/2', '1/99999999999999999999'])(
      'refuses %o as a position',
      async (position) => {
        const stop = new AbortController();
        const batches = batchesOf(log, position, { ...only(), signal: stop.signal });
        await expect(batches.next()).rejects.toThrow(TypeError);
        await expect(log.readAll(position, { limit: 1 })).rejects.toThrow(TypeError);
        expect(() => log.compare(position, null)).toThrow(TypeError);
      },
    );
  });

  describe('appending', () => {
    it.each(['no_stream', 'any'] as const)(
      'stores an append once that it repeats after a lost reply (%s)',
      async (expected) => {
        const events = [happened('A'), happened('B')];
        relay.loseNextAppend('after');
        expect(await log.append(stream(1), expected, events)).toMatchObject({ revision: 1 });
        relay.loseNextAppend('before');
        await log.append(stream(2), expected, [happened('C')]);
        expect(typesOf(await log.readStream(stream(1)))).toEqual(['A', 'B']);
        expect(typesOf(await log.readStream(stream(2)))).toEqual(['C']);
      },
    );

    it.each(['any', 'no_stream', 0] as const)(
      'stores a pending append once when its connection is replaced (%s)',
      async (expected) => {
        const open = () => EventStoreDBClient.connectionString(relay.url);
        const clients = new ClientFailover(open, noLeaderWatch);
        const appender = new EventStoreDbAppender(clients, anonymous.credentials);
        for (const heldMs of [0, 300]) {
          const each = stream(heldMs);
          const events = [happened('A'), happened('B')];
          if (expected === 0) await log.append(each, 'no_stream', [happened('First')]);
          // The first attempt is delayed until the second one is sent, or not at all.
          relay.beforeNextAppend(async () => {
            clients.replace(null);
            await letPass(heldMs, 'the attempt after it');
          });
          const request = { stream: each, expected, events: serialised(each, events) };
          const first = expected === 0 ? 1 : 0;
          expect(await appender.append(request)).toMatchObject({ revision: first + 1 });
          await letPass(heldMs + 100, 'the first attempt arrives');
          const stored = await log.readStream(each, { from: first });
          expect(stored.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
        }
        await clients.dispose();
      },
    );

    it('stores an append once that timed out and is repeated', async () => {
      const lines = new ClientFailover(
        () => EventStoreDBClient.connectionString(relay.url),
        noLeaderWatch,
      );
      const appender = new EventStoreDbAppender(lines, anonymous.credentials);
      // Together, so that the server does not itself detect the second as a repeat.
      const requests = ['Other', 'Used'].map((type) => ({
        stream: stream(1),
        expected: 'any' as const,
        events: serialised(stream(1), [happened(type)]),
      }));
      relay.loseNextAppend('after', async () => letPass(1_200, 'the time is over'));
      for (const outcome of await appender.together(requests, 1_000))
        expect(outcome).toBeInstanceOf(LogUnavailable);
      const another = { ...requests[0]!, events: serialised(stream(1), [happened('Another')]) };
      const again = await appender.together([requests[1]!, another], 10_000);
      expect(again).toMatchObject([
        { revision: 1, repeated: true },
        { revision: 2, repeated: false },
      ]);
      expect(typesOf(await log.readStream(stream(1)))).toEqual(['Other', 'Used', 'Another']);
      await lines.dispose();
    });

    it('stores an append once that a new leader returns only after the lookup', async () => {
      const used = happened('Used');
      // After another event, so that the server does not itself detect the repeat.
      const late = [happened('Other'), used].map(({ id, type }) =>
        jsonEvent({ id, type, data: {} }),
      );
      relay.loseNextAppend('before', async () =>
        relay.beforeNextAppend(async () => {
          await direct.appendToStream(stream(1), late, anonymous);
        }),
      );
      const appended = await log.append(stream(1), 'any', [used]);
      expect(appended).toMatchObject({ revision: 1, repeated: true });
      expect(typesOf(await log.readStream(stream(1)))).toEqual(['Other', 'Used']);
    });

    it.each([
      ['no_stream', 0],
      [0, 1],
    ] as const)(
      'finds an append that the server counts and returns later, though it refuses the repeat (%s)',
      async (expected, revision) => {
        const used = happened('Used');
        if (expected === 0) await log.append(stream(1), 'no_stream', [happened('First')]);
        relay.refuseNextAppend(revision);
        const appended = log.append(stream(1), expected, [used]);
        await letPass(300, 'it is not shown yet');
        await direct.appendToStream(stream(1), jsonEvent({ ...used, data: {} }), anonymous);
        expect(await appended).toMatchObject({ revision, repeated: true });
      },
    );

    it('refuses an append that the server counts and never returns', async () => {
      relay.refuseNextAppend(0);
      await expect(log.append(stream(1), 'no_stream', [happened('A')])).rejects.toThrow(
        `${stream(1)} is at revision 0, not`,
      );
    });

    it('reads the tail again when it is sent over a new connection', async () => {
      await log.append(stream('key'), 'no_stream', [happened('Issued')]);
      relay.loseNextAppend('before', async () => {
        const revoked = jsonEvent({ type: 'Revoked', data: {} });
        await direct.appendToStream(stream('key'), revoked, {
          ...anonymous,
          expectedRevision: 0n,
        });
      });
      const guard = { stream: stream('key'), revision: 0 };
      const used = log.append(stream(1), 'any', [happened('Used')], { guard });
      // Whether the first attempt was stored is uncertain, so the outcome is unknown.
      await expect(used).rejects.toMatchObject({
        name: 'LogUnavailable',
        cause: expect.any(GuardMoved),
      });
      expect(await log.readStream(stream(1))).toEqual([]);
    });

    it('answers an append as stored that was stored before its guard moved', async () => {
      await log.append(stream('key'), 'no_stream', [happened('Issued')]);
      const guard = { stream: stream('key'), revision: 0 };
      for (const expected of ['any', 'no_stream'] as const) {
        relay.loseNextAppend('after', async () => {
          const moved = jsonEvent({ type: 'Revoked', data: {} });
          await direct.appendToStream(stream('key'), moved, anonymous);
        });
        const name = stream(expected);
        const now = { guard: { ...guard, revision: expected === 'any' ? 0 : 1 } };
        expect(await log.append(name, expected, [happened('Used')], now)).toMatchObject({
          revision: 0,
        });
        expect(await log.readStream(name)).toHaveLength(1);
      }
    });

    it('shares a tail read and a call among waiting appends', async () => {
      await log.append(stream('key'), 'no_stream', [happened('Issued')]);
      const guard = { stream: stream('key'), revision: 0 };
      const before = [relay.tailReads(), relay.appends()] as const;
      await Promise.all(
        Array.from({ length: 64 }, (_, n) =>
          log.append(stream('uses'), 'any', [happened(`U${n}`)], { guard }),
        ),
      );
      expect(relay.tailReads() - before[0]).toBeLessThanOrEqual(4);
      expect(relay.appends() - before[1]).toBeLessThanOrEqual(4);
      expect(await log.readStream(stream('uses'))).toHaveLength(64);
    });

    it('refuses an event above the size limit of the server, with the limit', async () => {
      const text = 'x'.repeat(1_200_000);
      await expect(
        log.append(stream(1), 'no_stream', [happened('Large', { text })]),
      ).rejects.toThrow(/larger than 1048576 bytes/);
      // Together they would be too large for one call.
      const half = 'x'.repeat(600_000);
      await Promise.all(
        [1, 2, 3].map(() => log.append(stream(2), 'any', [happened('Half', { half })])),
      );
      expect(await log.readStream(stream(2))).toHaveLength(3);
    });

    it('is refused with a message, though the client has none', async () => {
      await expect(log.append(stream(1), 4, [happened('A')])).rejects.toThrow(
        `${stream(1)} is at revision none, not at 4`,
      );
    });

    it('is refused even where the connection string disables refusals', async () => {
      const lenient = eventstoreDbStore({ url: `${url}&throwOnAppendFailure=false` });
      await expect(lenient.append(stream(1), 4, [happened('A')])).rejects.toThrow(
        'at revision none',
      );
      await lenient.close();
    });

    it('recognises the repeat of an append of an earlier process', async () => {
      const events = [happened('A'), happened('B')];
      const first = await log.append(stream(1), 'no_stream', events);
      const later = eventstoreDbStore({ url });
      expect(await later.append(stream(1), 'no_stream', events)).toEqual({
        ...first,
        repeated: true,
      });
      await later.close();
    });

    it('appends one by one when a part of a batch is already stored', async () => {
      const known = happened('Known');
      await log.append(stream(1), 'any', [known]);
      const later = eventstoreDbStore({ url });
      await later.append(stream(2), 'any', [happened('First')]);
      const answers = await Promise.all(
        [known, happened('New'), happened('Newer')].map((event) =>
          later.append(stream(1), 'any', [event]),
        ),
      );
      expect(answers.map(({ revision }) => revision)).toEqual([0, 1, 2]);
      expect(typesOf(await later.readStream(stream(1)))).toEqual(['Known', 'New', 'Newer']);
      await later.close();
    });

    it('stores an append once that is given concurrently under two guards', async () => {
      await log.append(stream('key'), 'no_stream', [happened('Issued')]);
      const used = happened('Used');
      const answers = await Promise.all([
        log.append(stream(1), 'any', [used], { guard: { stream: stream('key'), revision: 0 } }),
        log.append(stream(1), 'any', [used]),
      ]);
      expect(answers.map(({ revision }) => revision)).toEqual([0, 0]);
      expect(await log.readStream(stream(1))).toHaveLength(1);
    });

    it('has ended for every append by the time the log is closed', async () => {
      const settled: number[] = [];
      const give = async (n: number) => {
        await log.append(stream(n), 'no_stream', [happened('A')]);
        settled.push(n);
      };
      const given = Array.from({ length: 20 }, (_, n) => give(n));
      await log.close();
      expect(settled).toHaveLength(20);
      await Promise.all(given);
    });

    it('reports exactly one of two concurrent repeats as the first', async () => {
      const once = [happened('A')];
      await log.append(stream('warm'), 'no_stream', [happened('A')]);
      const answers = await Promise.all([1, 2].map(() => log.append(stream(1), 'no_stream', once)));
      expect(answers.filter(({ repeated }) => repeated)).toHaveLength(1);
    });

    it('never repeats an append to a journal that it knows to be stored', async () => {
      const known = happened('Known');
      const first = await log.append(stream(1), 'any', [known]);
      const answers = await Promise.all(
        [happened('New'), known, happened('Newer')].map((event) =>
          log.append(stream(1), 'any', [event]),
        ),
      );
      expect(answers[1]).toEqual({ ...first, repeated: true });
      expect(await log.readStream(stream(1))).toHaveLength(3);
    });

    it('stores a repeat of an earlier process at most twice in a journal', async () => {
      const known = happened('Known');
      await log.append(stream(1), 'any', [known]);
      const later = eventstoreDbStore({ url });
      await Promise.all(
        [happened('New'), known, happened('Newer')].map((event) =>
          later.append(stream(1), 'any', [event]),
        ),
      );
      const read = await later.readStream(stream(1));
      expect(new Set(read.map(({ id }) => id)).size).toBe(3);
      expect(read.length).toBeLessThanOrEqual(4);
      await later.close();
    });
  });

  describe('reading', () => {
    it('returns foreign events in a form that codecs reject', async () => {
      const data = new Uint8Array([1, 2, 3]);
      await direct.appendToStream(stream(1), [binaryEvent({ type: 'Raw', data })], anonymous);
      await direct.appendToStream(
        stream(1),
        [jsonEvent({ type: 'Bare', data: { a: 1 } })],
        anonymous,
      );
      expect(await log.readStream(stream(1))).toMatchObject([
        { type: 'Raw', data: null, meta: {} },
        { type: 'Bare', data: { a: 1 }, meta: {} },
      ]);
    });

    it('reads a tombstoned stream as a missing one', async () => {
      await log.append(stream(1), 'no_stream', [happened('A')]);
      await direct.tombstoneStream(stream(1), anonymous);
      expect(await log.readStream(stream(1))).toEqual([]);
      await expect(log.append(stream(1), 'no_stream', [happened('B')])).rejects.toThrow(
        'was deleted for good',
      );
    });

    it('leaves no call open on the server when it has its result', async () => {
      await log.append(stream(1), 'any', [happened('A'), happened('B'), happened('C')]);
      for (let round = 0; round < 5; round += 1) {
        await log.readStream(stream(1), { limit: 1 });
        await log.readAll(null, { limit: 1 });
        await log.head();
      }
      expect(relay.open()).toBe(0);
    });
  });

  it('keeps other stream metadata when it truncates a stream', async () => {
    await log.append(stream(1), 'no_stream', [happened('A'), happened('B'), happened('C')]);
    await direct.setStreamMetadata(stream(1), { maxCount: 50, owner: 'atrium' }, anonymous);
    await log.truncateStream(stream(1), 1);
    await log.truncateStream(stream(1), 2);
    await log.truncateStream(stream(1), 1);
    const { metadata } = await direct.getStreamMetadata(stream(1), anonymous);
    expect(metadata).toMatchObject({ maxCount: 50, owner: 'atrium', truncateBefore: 2 });
    expect(typesOf(await log.readStream(stream(1)))).toEqual(['C']);
  });

  it('never prints the connection string, not even with DEBUG', async () => {
    const secret = 'hunter2hunter2';
    for (const bad of [`esdb://u:${secret}@`, `http://u:${secret}@host`, `esdb://${secret}:x:y:z`])
      expect(() => eventstoreDbStore({ url: bad })).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining(secret) }),
      );
    const script = `
      const { eventstoreDbStore } = await import('./src/engine/log/eventstoredb/store.ts');
      const log = eventstoreDbStore({ url: process.env.URL });
      await log.head();
      await log.readStream('ticket-none');
      await log.close();`;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { env: { ...process.env, DEBUG: 'esdb:*', URL: url.replace('//', `//admin:${secret}@`) } },
    );
    expect(stderr).toContain('esdb:');
    expect(stdout + stderr).not.toContain(secret);
  });
});

const renamed = (events: readonly ReturnType<typeof happened>[]) =>
  events.map((event) => ({ ...event, id: randomUUID() }));
