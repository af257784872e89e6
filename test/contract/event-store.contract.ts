import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  GuardMoved,
  LogUnavailable,
  READ_PAGE_EVENTS,
  WrongRevision,
  type EventStore,
  type NewEvent,
  type StoredEvent,
} from '../../src/engine/log/event-store.ts';
import { LOG_COMMIT_EVENTS_MAX, LOG_PAGE_BYTES_MAX } from '../../src/engine/limits.ts';
import { batchesOf, eventsOf, happened, typesOf } from '../support/log/events.ts';
import { letPass } from '../support/until.ts';

/**
 * The guarantees of every backend. A backend's spec file calls this, and adds its own
 * guarantees; the domain may rely only on guarantees that are tested here.
 *
 * No test assumes an empty log or a format of positions: each test writes unique categories and
 * starts at the end of the log.
 */
export const eventStoreContract = (
  name: string,
  open: () => Promise<{
    store: EventStore;
    /** The same log, as another process opens it. */
    other: EventStore;
    close(): Promise<void>;
  }>,
) =>
  describe(`${name} keeps the event-store contract`, () => {
    let store: EventStore;
    let other: EventStore;
    let close: () => Promise<void>;
    let category: string;
    const stream = (key: string | number) => `${category}-${key}`;
    const only = () => ({ categories: [category] });

    beforeEach(async () => {
      ({ store, other, close } = await open());
      category = `c${randomUUID().replaceAll('-', '').slice(0, 12)}`;
    });
    afterEach(() => close());

    describe('appending', () => {
      it('reads an unknown stream as empty', async () => {
        expect(await store.readStream(stream('none'))).toEqual([]);
      });

      it('numbers a stream from 0 and returns it in the order written', async () => {
        await store.append(stream(1), 'no_stream', [happened('A'), happened('B')]);
        const last = await store.append(stream(1), 1, [happened('C')]);
        expect(last).toMatchObject({ revision: 2, repeated: false });
        const read = await store.readStream(stream(1));
        expect(read.map(({ revision, type }) => [revision, type])).toEqual([
          [0, 'A'],
          [1, 'B'],
          [2, 'C'],
        ]);
        expect(store.compare(read[2]!.position, last.position)).toBe(0);
      });

      it('returns an event as it was written', async () => {
        const event = happened('Said', {
          text: 'Zażółć gęślą jaźń 漢字 🏢 \u0000 "quoted" \\ \n',
          lone: '\ud800',
          nothing: null,
          deep: { list: [1, -0.5, 1e21, true, { a: [] }] },
        });
        await store.append(stream(1), 'no_stream', [event]);
        const [read] = await store.readStream(stream(1));
        expect(read).toMatchObject({ ...event, stream: stream(1), revision: 0 });
        expect(read!.recordedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      });

      it('accepts a large event, and many at once', async () => {
        const text = 'ä'.repeat(200_000);
        await store.append(stream(1), 'no_stream', [happened('Large', { text })]);
        const many = Array.from({ length: 500 }, (_, n) => happened(`E${n}`));
        expect(await store.append(stream(2), 'no_stream', many)).toMatchObject({ revision: 499 });
        expect((await store.readStream(stream(1)))[0]!.data).toEqual({ text });
        expect(typesOf(await store.readStream(stream(2)))).toEqual(typesOf(many));
      });

      it("refuses an append at another revision, with the stream's revision", async () => {
        await store.append(stream(1), 'no_stream', [happened('A')]);
        for (const expected of ['no_stream', 1, 7] as const)
          await expect(store.append(stream(1), expected, [happened('B')])).rejects.toMatchObject({
            name: 'WrongRevision',
            stream: stream(1),
            expected,
            actual: 0,
          });
        await expect(store.append(stream(2), 0, [happened('B')])).rejects.toMatchObject({
          name: 'WrongRevision',
          actual: null,
        });
        expect(await store.readStream(stream(1))).toHaveLength(1);
        expect(await store.readStream(stream(2))).toEqual([]);
      });

      it('lets exactly one of two racing writers win', async () => {
        for (let round = 0; round < 20; round += 1) {
          const race = await Promise.allSettled(
            ['A', 'B'].map((type) => store.append(stream(round), 'no_stream', [happened(type)])),
          );
          expect(race.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
          const lost = race.find(({ status }) => status === 'rejected');
          expect(lost).toMatchObject({ reason: expect.any(WrongRevision) });
          expect(await store.readStream(stream(round))).toHaveLength(1);
        }
      });

      it('accepts any revision for a journal, and keeps each append in one piece', async () => {
        const answers = await Promise.all(
          Array.from({ length: 40 }, (_, n) =>
            store.append(stream('journal'), 'any', [happened(`A${n}`), happened(`B${n}`)]),
          ),
        );
        const read = await store.readStream(stream('journal'));
        expect(read.map(({ revision }) => revision)).toEqual([...read.keys()]);
        expect(read).toHaveLength(80);
        for (const [n, { revision }] of answers.entries())
          expect(typesOf(read.slice(revision - 1, revision + 1))).toEqual([`A${n}`, `B${n}`]);
      });

      it('appends to 50 streams at once, each event to its own stream', async () => {
        await Promise.all(
          Array.from({ length: 50 }, async (_, n) => {
            for (let round = 0; round < 4; round += 1)
              await store.append(stream(n), round === 0 ? 'no_stream' : round * 2 - 1, [
                happened(`E${n}`, { round, half: 1 }),
                happened(`E${n}`, { round, half: 2 }),
              ]);
          }),
        );
        for (let n = 0; n < 50; n += 1) {
          const read = await store.readStream(stream(n));
          expect(read.map(({ data }) => data)).toEqual(
            [0, 1, 2, 3].flatMap((round) => [1, 2].map((half) => ({ round, half }))),
          );
          expect(new Set(typesOf(read))).toEqual(new Set([`E${n}`]));
        }
      });

      it('orders an acknowledged append before later ones', async () => {
        const first = await store.append(stream(1), 'no_stream', [happened('A')]);
        const second = await store.append(stream(2), 'no_stream', [happened('B')]);
        expect(store.compare(first.position, second.position)).toBeLessThan(0);
      });

      it.each([
        ['no events', () => []],
        ['an id that is not a UUID', () => [{ ...happened('A'), id: 'one' }]],
        ['two events with one id', () => twice(happened('A'))],
        ['data that JSON cannot represent', () => [{ ...happened('A'), data: undefined }]],
        ['a number that JSON cannot represent', () => [happened('A', { n: 1n })]],
        ['a type with a lone surrogate', () => [happened('A\ud800')]],
        ['a type with U+0000', () => [happened('A\u0000')]],
      ])('refuses %s, without failing other appends', async (_, events) => {
        const [bad, good] = await Promise.allSettled([
          store.append(stream(1), 'no_stream', events()),
          store.append(stream(2), 'no_stream', [happened('B')]),
        ]);
        expect(bad).toMatchObject({ status: 'rejected', reason: expect.any(TypeError) });
        expect(good).toMatchObject({ status: 'fulfilled' });
        expect(await store.readStream(stream(1))).toEqual([]);
      });

      it('refuses a stream name that would not be returned unchanged', async () => {
        for (const bad of ['', `${category}-\ud800`, `${category}-\u0000`])
          await expect(store.append(bad, 'any', [happened('A')])).rejects.toThrow(TypeError);
      });
    });

    describe('repeating', () => {
      it('stores a repeated append once, so a writer that lost the reply can retry', async () => {
        const once = [happened('A'), happened('B')];
        const first = await store.append(stream(1), 'no_stream', once);
        const again = await store.append(stream(1), 'no_stream', once);
        expect(again).toEqual({ ...first, repeated: true });
        expect(await store.readStream(stream(1))).toHaveLength(2);
      });

      it('recognises a repeat after later appends', async () => {
        await store.append(stream(1), 'no_stream', [happened('A')]);
        const once = [happened('B'), happened('C')];
        const first = await store.append(stream(1), 0, once);
        await store.append(stream(1), 2, [happened('D')]);
        expect(await store.append(stream(1), 0, once)).toEqual({ ...first, repeated: true });
        expect(typesOf(await store.readStream(stream(1)))).toEqual(['A', 'B', 'C', 'D']);
      });

      it('recognises the repeat of an append at any revision', async () => {
        const once = [happened('A'), happened('B')];
        const first = await store.append(stream('journal'), 'any', once);
        await store.append(stream('journal'), 'any', [happened('C')]);
        expect(await store.append(stream('journal'), 'any', once)).toEqual({
          ...first,
          repeated: true,
        });
        expect(typesOf(await store.readStream(stream('journal')))).toEqual(['A', 'B', 'C']);
      });

      it('stores concurrent repeats of an append once', async () => {
        const once = [happened('A')];
        for (const expected of ['no_stream', 'any'] as const) {
          const name = stream(expected);
          const events = expected === 'any' ? [happened('A')] : once;
          const answers = await Promise.all(
            [1, 2, 3].map(() => store.append(name, expected, events)),
          );
          expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
          expect(new Set(answers.map(({ revision }) => revision))).toEqual(new Set([0]));
          expect(await store.readStream(name)).toHaveLength(1);
        }
      });

      it('refuses an append of which a part is already stored', async () => {
        const [a, b, c] = [happened('A'), happened('B'), happened('C')];
        await store.append(stream(1), 'no_stream', [a, b]);
        for (const events of [
          [b, c],
          [a, c],
          [c, a],
          [a, b, c],
        ])
          await expect(store.append(stream(1), 'no_stream', events)).rejects.toThrow(WrongRevision);
        expect(typesOf(await store.readStream(stream(1)))).toEqual(['A', 'B']);
        await store.append(stream(1), 1, [c]);
        await expect(store.append(stream(1), 'no_stream', [a, c])).rejects.toThrow(WrongRevision);
        expect(typesOf(await store.readStream(stream(1)))).toEqual(['A', 'B', 'C']);
      });
    });

    describe('the guard', () => {
      const guard = (revision: number | null) => ({ guard: { stream: stream('key'), revision } });

      it("accepts an append while the guard's stream has not moved", async () => {
        await store.append(stream(1), 'any', [happened('Before')], guard(null));
        await store.append(stream('key'), 'no_stream', [happened('Issued')]);
        await store.append(stream(1), 'any', [happened('Used')], guard(0));
        expect(typesOf(await store.readStream(stream(1)))).toEqual(['Before', 'Used']);
      });

      it('refuses an append once it has moved, with its revision', async () => {
        await store.append(stream('key'), 'no_stream', [happened('Issued'), happened('Revoked')]);
        for (const revision of [null, 0, 2])
          await expect(
            store.append(stream(1), 'any', [happened('Used')], guard(revision)),
          ).rejects.toMatchObject({
            name: 'GuardMoved',
            guard: { stream: stream('key'), revision },
            actual: 1,
          });
        await expect(
          store.append(stream(1), 'any', [happened('Used')], {
            guard: { stream: stream('none'), revision: 3 },
          }),
        ).rejects.toMatchObject({ name: 'GuardMoved', actual: null });
        expect(await store.readStream(stream(1))).toEqual([]);
      });

      it('refuses only the append that names it', async () => {
        await store.append(stream('key'), 'no_stream', [happened('Issued')]);
        const answers = await Promise.allSettled(
          [0, 1, 0, 1, 0].map((revision, n) =>
            store.append(stream(n % 2 ? 'a' : 'b'), 'any', [happened(`U${n}`)], guard(revision)),
          ),
        );
        expect(answers.map(({ status }) => status)).toEqual([
          'fulfilled',
          'rejected',
          'fulfilled',
          'rejected',
          'fulfilled',
        ]);
        expect(await store.readStream(stream('b'))).toHaveLength(3);
      });

      it('is not checked for an append that is already stored', async () => {
        await store.append(stream('key'), 'no_stream', [happened('Issued')]);
        const used = [happened('Used')];
        const first = await store.append(stream(1), 'any', used, guard(0));
        const made = [happened('Made')];
        const second = await store.append(stream(2), 'no_stream', made, guard(0));
        await store.append(stream('key'), 0, [happened('Revoked')]);
        expect(await store.append(stream(1), 'any', used, guard(0))).toEqual({
          ...first,
          repeated: true,
        });
        expect(await store.append(stream(2), 'no_stream', made, guard(0))).toEqual({
          ...second,
          repeated: true,
        });
      });

      it('is checked before the revision', async () => {
        await store.append(stream('key'), 'no_stream', [happened('Issued')]);
        await expect(
          store.append(stream(1), 5, [happened('Used')], guard(3)),
        ).rejects.toBeInstanceOf(GuardMoved);
      });
    });

    describe('reading a stream', () => {
      beforeEach(async () => {
        await store.append(
          stream(1),
          'no_stream',
          'ABCDE'.split('').map((type) => happened(type)),
        );
      });

      it.each([
        [{ from: 2 }, 'CDE'],
        [{ from: 1, limit: 2 }, 'BC'],
        [{ limit: 3 }, 'ABC'],
        [{ from: 5 }, ''],
        [{ backwards: true }, 'EDCBA'],
        [{ backwards: true, limit: 1 }, 'E'],
        [{ backwards: true, from: 2 }, 'CBA'],
        [{ backwards: true, from: 3, limit: 2 }, 'DC'],
        [{ backwards: true, from: 99 }, 'EDCBA'],
      ])('of the range %o returns %s', async (range, types) => {
        expect(typesOf(await store.readStream(stream(1), range)).join('')).toBe(types);
      });

      it('returns acknowledged events at once', async () => {
        for (let n = 5; n < 15; n += 1) {
          await store.append(stream(1), n - 1, [happened('F')]);
          expect(await store.readStream(stream(1), { from: n })).toHaveLength(1);
        }
      });
    });

    describe('reading the whole log', () => {
      it('pages through it in order, and reports the end', async () => {
        const { position: start } = await store.head();
        for (let n = 0; n < 7; n += 1)
          await store.append(stream(n % 3), 'any', [happened(`E${n}`)]);
        const seen: StoredEvent[] = [];
        let after = start;
        for (;;) {
          const page = await store.readAll(after, { ...only(), limit: 3 });
          expect(page.events.length).toBeLessThanOrEqual(3);
          seen.push(...page.events);
          expect(store.compare(page.next, after)).toBeGreaterThanOrEqual(0);
          after = page.next;
          if (page.end) break;
        }
        expect(typesOf(seen)).toEqual(['E0', 'E1', 'E2', 'E3', 'E4', 'E5', 'E6']);
        expect(store.compare(after, (await store.head()).position)).toBeGreaterThanOrEqual(0);
      });

      it('returns the events of one append together, despite concurrent appends', async () => {
        const { position: start } = await store.head();
        await Promise.all(
          [store, other].flatMap((writer, at) =>
            Array.from({ length: 30 }, (_, n) =>
              writer.append(stream(`${at}-${n}`), 'no_stream', [
                happened('A'),
                happened('B'),
                happened('C'),
              ]),
            ),
          ),
        );
        const read: StoredEvent[] = [];
        for (let [after, end] = [start, false]; !end;) {
          const page = await store.readAll(after, { limit: 17 });
          read.push(...page.events);
          [after, end] = [page.next, page.end];
        }
        const own = new Set([0, 1].flatMap((at) => [...Array(30).keys()].map((n) => `${at}-${n}`)));
        const isOwn = (event: StoredEvent) => own.has(event.stream.slice(stream('').length));
        const subscribed: StoredEvent[] = [];
        const stop = new AbortController();
        for await (const { events } of store.subscribe(start, { signal: stop.signal })) {
          subscribed.push(...events);
          if (subscribed.filter(isOwn).length === 180) break;
        }
        for (const order of [read, subscribed]) {
          expect(order.filter(isOwn)).toHaveLength(180);
          for (const [at, { type, stream: its }] of order.entries()) {
            if (!isOwn(order[at]!) || type !== 'A') continue;
            const together = order.slice(at, at + 3).map((event) => [event.stream, event.type]);
            expect(together).toEqual(['A', 'B', 'C'].map((one) => [its, one]));
          }
        }
      });

      it('returns only the requested categories, and moves past the others', async () => {
        const { position: start } = await store.head();
        await store.append(stream('a-b'), 'any', [happened('Mine')]);
        await store.append(`${category}x-1`, 'any', [happened('Longer')]);
        await store.append(`x${category}-1`, 'any', [happened('Other')]);
        const last = await store.append(`x${category}-1`, 'any', [happened('Other')]);
        const page = await store.readAll(start, { ...only(), limit: 10 });
        expect(typesOf(page.events)).toEqual(['Mine']);
        expect(page.end).toBe(true);
        expect(store.compare(page.next, last.position)).toBeGreaterThanOrEqual(0);
        const both = await store.readAll(start, {
          categories: [category, `x${category}`],
          limit: 10,
        });
        expect(typesOf(both.events)).toEqual(['Mine', 'Other', 'Other']);
      });

      it('ends a page and a batch by their bytes, and continues with the next event', async () => {
        const { position: start } = await store.head();
        const text = 'x'.repeat(100_000);
        for (let n = 0; n < 9; n += 1) {
          const events = Array.from({ length: 10 }, (_, m) => happened(`E${10 * n + m}`, { text }));
          await store.append(stream(n), 'no_stream', events);
        }
        const types = Array.from({ length: 90 }, (_, n) => `E${n}`);
        for (const range of [only(), {}]) {
          const read: StoredEvent[] = [];
          for (let [after, end] = [start, false]; !end;) {
            const page = await store.readAll(after, { ...range, limit: READ_PAGE_EVENTS });
            expect(JSON.stringify(page.events).length).toBeLessThan(LOG_PAGE_BYTES_MAX);
            read.push(...page.events);
            [after, end] = [page.next, page.end];
          }
          expect(typesOf(read.filter((event) => event.stream.startsWith(stream(''))))).toEqual(
            types,
          );
          const stop = new AbortController();
          const subscribed: StoredEvent[] = [];
          for await (const batch of store.subscribe(start, { ...range, signal: stop.signal })) {
            expect(JSON.stringify(batch.events).length).toBeLessThan(LOG_PAGE_BYTES_MAX);
            subscribed.push(...batch.events);
            if (batch.caughtUp) stop.abort();
          }
          expect(subscribed).toEqual(read);
        }
      });

      it('returns the head, and when its event was recorded', async () => {
        const { position } = await store.append(stream(1), 'any', [happened('A')]);
        const head = await store.head();
        expect(store.compare(head.position, position)).toBeGreaterThanOrEqual(0);
        expect(head.recordedAt).toMatch(/^\d{4}-.*Z$/);
      });

      it('orders positions, with null before all of them', async () => {
        const { position: a } = await store.append(stream(1), 'any', [happened('A')]);
        const { position: b } = await store.append(stream(1), 'any', [happened('B')]);
        expect(store.compare(a, b)).toBeLessThan(0);
        expect(store.compare(b, a)).toBeGreaterThan(0);
        expect(store.compare(a, a)).toBe(0);
        expect(store.compare(null, a)).toBeLessThan(0);
        expect(store.compare(null, null)).toBe(0);
        const apart = store.distance(a, b);
        expect(apart === null || apart >= 1).toBe(true);
        expect([null, 0]).toContain(store.distance(b, b));
      });
    });

    describe('subscribing', () => {
      it('catches up, and then delivers live events', async () => {
        const { position: start } = await store.head();
        await store.append(stream(1), 'any', [happened('A'), happened('B')]);
        const seen = eventsOf(store, start, only());
        expect(typesOf(await seen.next(2))).toEqual(['A', 'B']);
        await store.append(stream(2), 'any', [happened('C')]);
        await store.append(stream(1), 'any', [happened('D')]);
        expect(typesOf(await seen.next(2))).toEqual(['C', 'D']);
        await seen.stop();
      });

      it('resumes just after the given position', async () => {
        const { position: start } = await store.head();
        for (const type of 'ABCD') await store.append(stream(1), 'any', [happened(type)]);
        const all = eventsOf(store, start, only());
        const events = await all.next(4);
        await all.stop();
        const rest = eventsOf(store, events[1]!.position, only());
        expect(typesOf(await rest.next(2))).toEqual(['C', 'D']);
        await rest.stop();
      });

      it('reports its position with each batch, and when it has caught up', async () => {
        const { position: start } = await store.head();
        for (const type of 'ABCDE') await store.append(stream(1), 'any', [happened(type)]);
        const { position: end } = await store.append(`x${category}-1`, 'any', [happened('X')]);
        const stop = new AbortController();
        let at = start;
        const seen: StoredEvent[] = [];
        for await (const batch of store.subscribe(start, {
          ...only(),
          signal: stop.signal,
          batchEventsMax: 2,
        })) {
          expect(batch.events.length).toBeLessThanOrEqual(2);
          for (const { position } of batch.events) {
            expect(store.compare(position, at)).toBeGreaterThan(0);
            expect(store.compare(position, batch.upTo)).toBeLessThanOrEqual(0);
          }
          expect(store.compare(batch.upTo, at)).toBeGreaterThanOrEqual(0);
          at = batch.upTo;
          seen.push(...batch.events);
          if (batch.caughtUp && store.compare(at, end) >= 0) stop.abort();
        }
        expect(typesOf(seen).join('')).toBe('ABCDE');
      });

      it('moves past the events of other categories while it waits', async () => {
        const { position: start } = await store.append(stream(1), 'any', [happened('A')]);
        const stop = new AbortController();
        const batches = batchesOf(store, start, { ...only(), signal: stop.signal });
        const { position } = await store.append(`x${category}-1`, 'any', [happened('X')]);
        for (;;) {
          const { value } = await batches.next();
          expect(value!.events).toEqual([]);
          if (store.compare(value!.upTo, position) >= 0) break;
        }
        stop.abort();
        expect((await batches.next()).done).toBe(true);
      });

      it('reports that it has caught up where it is at the end already', async () => {
        await store.append(stream(1), 'any', [happened('A')]);
        const { position: start } = await store.head();
        const stop = new AbortController();
        const batches = batchesOf(store, start, { ...only(), signal: stop.signal });
        expect((await batches.next()).value).toMatchObject({ events: [], caughtUp: true });
        stop.abort();
        expect((await batches.next()).done).toBe(true);
      });

      it('delivers the same events as a read, and reports the end after a full batch', async () => {
        const { position: start } = await store.head();
        const data = {
          text: 'jaźń 漢字 🏢 \u0000 "quoted" \\ \n\t',
          lone: '\ud800',
          nothing: null,
        };
        for (const key of ['a', 'ä', 'b', 'b', 'a', 'ż'])
          await store.append(stream(key), 'any', [happened('Said', data)]);
        const { position: end } = await store.head();
        const stop = new AbortController();
        const options = { ...only(), signal: stop.signal, batchEventsMax: 2 };
        const seen: StoredEvent[] = [];
        for await (const { events, upTo, caughtUp } of store.subscribe(start, options)) {
          seen.push(...events);
          if (caughtUp && store.compare(upTo, end) >= 0) stop.abort();
        }
        const { events } = await store.readAll(start, { ...only(), limit: 6 });
        expect(seen).toEqual(events);
        expect(seen).toHaveLength(6);
      });

      it('applies backpressure while the consumer is busy, and loses no event', async () => {
        const { position: start } = await store.head();
        const events = Array.from({ length: 60 }, (_, n) => happened(`E${n}`));
        await store.append(stream(1), 'any', events.slice(0, 30));
        const stop = new AbortController();
        const seen: StoredEvent[] = [];
        let busy = 0;
        const options = { ...only(), signal: stop.signal, batchEventsMax: 7 };
        for await (const batch of store.subscribe(start, options)) {
          busy += 1;
          expect(busy).toBe(1);
          if (seen.length === 0) await store.append(stream(1), 'any', events.slice(30));
          await letPass(2, 'a slow reader');
          seen.push(...batch.events);
          if (seen.length === 60) stop.abort();
          busy -= 1;
        }
        expect(typesOf(seen)).toEqual(typesOf(events));
      });

      it('delivers every event once to every subscriber, in one order, under load', async () => {
        const { position: start } = await store.head();
        const readers = [1, 2].map(() => eventsOf(store, start, only()));
        await Promise.all(
          Array.from({ length: 20 }, async (_, n) => {
            for (let round = 0; round < 10; round += 1)
              await store.append(stream(n), 'any', [happened(`${n}/${round}`)]);
          }),
        );
        const [one, two] = await Promise.all(readers.map((reader) => reader.next(200)));
        expect(one!.map(({ id }) => id)).toEqual(two!.map(({ id }) => id));
        expect(new Set(one!.map(({ id }) => id)).size).toBe(200);
        await Promise.all(readers.map((reader) => reader.stop()));
      });

      it('ends without an error when aborted: before, while waiting and while busy', async () => {
        await store.append(stream(1), 'any', [happened('A')]);
        const { position: start } = await store.head();
        const before = batchesOf(store, start, { ...only(), signal: AbortSignal.abort() });
        expect((await before.next()).done).toBe(true);

        const stop = new AbortController();
        const waiting = batchesOf(store, start, { ...only(), signal: stop.signal });
        await waiting.next();
        const next = waiting.next();
        await letPass(20, 'the reader waits for the next batch');
        stop.abort();
        expect((await next).done).toBe(true);

        const busy = new AbortController();
        for await (const batch of store.subscribe(start, { ...only(), signal: busy.signal }))
          if (batch.caughtUp) busy.abort();
      });

      it('can be left at any time', async () => {
        const { position: start } = await store.head();
        await store.append(stream(1), 'any', [happened('A'), happened('B'), happened('C')]);
        const signal = new AbortController().signal;
        for await (const batch of store.subscribe(start, { ...only(), signal, batchEventsMax: 1 }))
          if (batch.events.length > 0) break;
        expect(await store.readStream(stream(1))).toHaveLength(3);
      });
    });

    describe('truncating and deleting', () => {
      it('truncates a stream except for its last event, and continues its numbers', async () => {
        const { position: start } = await store.head();
        await store.append(
          stream(1),
          'no_stream',
          'ABCD'.split('').map((type) => happened(type)),
        );
        await store.truncateStream(stream(1), 2);
        await store.truncateStream(stream(1), 2);
        expect(typesOf(await store.readStream(stream(1)))).toEqual(['C', 'D']);
        await store.truncateStream(stream(1), 99);
        expect(typesOf(await store.readStream(stream(1)))).toEqual(['D']);
        expect(await store.append(stream(1), 3, [happened('E')])).toMatchObject({ revision: 4 });
        expect(await store.readStream(stream(1), { backwards: true })).toHaveLength(2);
        const { events } = await store.readAll(start, { ...only(), limit: 100 });
        expect(typesOf(events)).toEqual(expect.arrayContaining(['D', 'E']));
      });

      it('deletes a closed journal, and only that, once another event has followed', async () => {
        await store.append(stream('old'), 'any', [happened('A'), happened('B')]);
        await store.append(stream('new'), 'any', [happened('C')]);
        await store.deleteStream(stream('old'));
        await store.deleteStream(stream('none'));
        expect(await store.readStream(stream('old'))).toEqual([]);
        expect(await store.readStream(stream('new'))).toHaveLength(1);
        await store.deleteStream(stream('new'));
        await store.append(stream('newest'), 'any', [happened('D')]);
        await expect.poll(() => store.readStream(stream('new'))).toEqual([]);
      });

      it('never reuses a position, whatever was deleted', async () => {
        const { position: a } = await store.append(stream(1), 'any', [happened('A')]);
        await store.deleteStream(stream(1));
        const { position: b } = await store.append(stream(2), 'any', [happened('B')]);
        expect(store.compare(a, b)).toBeLessThan(0);
      });

      it('reads and subscribes past deleted events', async () => {
        const { position: start } = await store.head();
        await store.append(
          stream(1),
          'any',
          'ABCD'.split('').map((type) => happened(type)),
        );
        await store.append(stream(2), 'any', [happened('X'), happened('Y')]);
        await store.append(stream(3), 'any', [happened('Z')]);
        await store.truncateStream(stream(1), 3);
        await store.deleteStream(stream(2));
        const seen = eventsOf(store, start, only());
        const until = async () => {
          const types: string[] = [];
          while (types.at(-1) !== 'Z') types.push(...typesOf(await seen.next(1)));
          return types;
        };
        expect(await until()).toEqual(expect.arrayContaining(['D', 'Z']));
        await seen.stop();
      });
    });

    describe('a capability, where it is claimed', () => {
      it('tellsEveryRepeat: also of the appends of another process', async () => {
        await store.append(stream(1), 'no_stream', [happened('A')]);
        const once = [happened('B')];
        const first = await other.append(stream(1), 0, once);
        expect(await store.append(stream(1), 0, once)).toEqual({
          ...first,
          repeated: store.capabilities.tellsEveryRepeat,
        });
        expect(typesOf(await store.readStream(stream(1)))).toEqual(['A', 'B']);
      });

      it('commitsInCallOrder: appends of one turn are in the order of their calls', async () => {
        if (!store.capabilities.commitsInCallOrder) return;
        for (let round = 0; round < 5; round += 1) {
          const { position: start } = await store.head();
          const calls = Array.from({ length: 60 }, (_, n) => `${round}.${n}`);
          await Promise.all(
            calls.map((call) => store.append(stream(call), 'no_stream', [happened(call)])),
          );
          const { events } = await store.readAll(start, { ...only(), limit: 100 });
          expect(typesOf(events)).toEqual(calls);
        }
      });

      it('commitsInCallOrder: also beside other appends, which fill a commit', async () => {
        if (!store.capabilities.commitsInCallOrder) return;
        const many = () =>
          Array.from({ length: LOG_COMMIT_EVENTS_MAX - 20 }, () => happened('Other'));
        const others = [store.append(stream('other-1'), 'no_stream', many())];
        // The commit of the first begins; the second waits for the next one.
        for (let turn = 0; turn < 2; turn += 1) await new Promise((go) => setImmediate(go));
        others.push(store.append(stream('other-2'), 'no_stream', many()));
        await new Promise((go) => setImmediate(go));
        const [first, second] = await Promise.all([
          store.append(
            stream('large'),
            'no_stream',
            Array.from({ length: 30 }, () => happened('A')),
          ),
          store.append(stream('small'), 'no_stream', [happened('B')]),
          ...others,
        ]);
        expect(store.compare(first.position, second.position)).toBeLessThan(0);
      });

      it('orderedAppends: where commits are not in the order of the calls', () => {
        expect(store.orderedAppends === null).toBe(store.capabilities.commitsInCallOrder);
      });

      it('guardsInOneStep: no guarded append follows the event that moves its guard', async () => {
        if (!store.capabilities.guardsInOneStep) return;
        await store.append(stream('key'), 'no_stream', [happened('Issued')]);
        for (let revision = 0; revision < 20; revision += 1) {
          const guard = { stream: stream('key'), revision };
          const uses = Promise.allSettled(
            Array.from({ length: 10 }, () =>
              store.append(stream('uses'), 'any', [happened('Used')], { guard }),
            ),
          );
          const moved = await other.append(stream('key'), revision, [happened('Moved')]);
          const settled = await uses;
          const late = settled.filter((use) =>
            use.status === 'fulfilled'
              ? store.compare(use.value.position, moved.position) > 0
              : !(use.reason instanceof GuardMoved),
          );
          expect(late).toEqual([]);
        }
      });

      it('showsRemovedInAll: readAll still returns deleted events', async () => {
        const { position: start } = await store.head();
        await store.append(stream('cut'), 'no_stream', [happened('A'), happened('B')]);
        await store.append(stream('gone'), 'any', [happened('C')]);
        await store.append(stream('last'), 'any', [happened('D')]);
        await store.truncateStream(stream('cut'), 1);
        await store.deleteStream(stream('gone'));
        expect(typesOf(await store.readStream(stream('cut')))).toEqual(['B']);
        expect(await store.readStream(stream('gone'))).toEqual([]);
        const { events } = await store.readAll(start, { ...only(), limit: 10 });
        expect(typesOf(events).join('')).toBe(store.capabilities.showsRemovedInAll ? 'ABCD' : 'BD');
      });
    });

    describe('closing', () => {
      it('finishes pending appends and ends the subscriptions', async () => {
        const { position: start } = await store.append(stream(1), 'any', [happened('A')]);
        const signal = new AbortController().signal;
        const batches = batchesOf(store, start, { ...only(), signal });
        await batches.next();
        const last = batches.next();
        const appends = Array.from({ length: 20 }, () =>
          store.append(stream(2), 'any', [happened('B')]),
        );
        await store.close();
        expect(await Promise.all(appends)).toHaveLength(20);
        // It may still deliver its buffered events; then it ends.
        const end = (await last).done ? await last : await batches.next();
        expect(end.done).toBe(true);
      });

      it('answers later calls as unavailable, and is idempotent', async () => {
        await store.close();
        await store.close();
        await expect(store.append(stream(1), 'any', [happened('A')])).rejects.toThrow(
          LogUnavailable,
        );
        await expect(store.readStream(stream(1))).rejects.toThrow(LogUnavailable);
        await expect(store.head()).rejects.toThrow(LogUnavailable);
      });
    });
  });

const twice = (event: NewEvent): NewEvent[] => [event, event];
