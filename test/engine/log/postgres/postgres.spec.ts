import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EventStore, StoredEvent } from '../../../../src/engine/log/event-store.ts';
import {
  GuardMoved,
  LogUnavailable,
  WrongRevision,
} from '../../../../src/engine/log/event-store.ts';
import { isUnreachable } from '../../../../src/engine/postgres/errors.ts';
import { postgresEventStore, prepareLog } from '../../../../src/engine/log/postgres/store.ts';
import { eventStoreContract } from '../../../contract/event-store.contract.ts';
import { freshDatabase } from '../../../support/postgres/database.ts';
import { batchesOf, eventsOf, happened, typesOf } from '../../../support/log/events.ts';
import { lockWaits } from '../../../support/postgres/lock-waits.ts';
import { poolOf } from '../../../support/postgres/pool.ts';
import { proxyTo } from '../../../support/postgres/proxy.ts';
import { heldFor, until } from '../../../support/until.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  await prepareLog(database.url);
});
afterAll(() => database.drop());
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

eventStoreContract('postgres', async () => {
  const [store, other] = [1, 2].map(() => postgresEventStore({ url: database.url }));
  const close = async () => void (await Promise.all([store!.close(), other!.close()]));
  return { store: store!, other: other!, close };
});

describe('preparing the log', () => {
  it('is idempotent, also when many do it at once', async () => {
    const empty = await freshDatabase();
    cleanups.push(empty.drop);
    await Promise.all(Array.from({ length: 6 }, () => prepareLog(empty.url)));
    const store = opened(empty.url);
    await store.append('ticket-1', 'no_stream', [happened('A')]);
    await prepareLog(empty.url);
    expect(await store.readStream('ticket-1')).toHaveLength(1);
  });

  it('keeps a log in each schema, and accepts only plain schema names', async () => {
    await prepareLog(database.url, 'other');
    const other = opened(database.url, 'other');
    expect(await other.append('ticket-1', 'no_stream', [happened('A')])).toMatchObject({
      position: '1',
    });
    await expect(prepareLog(database.url, 'es; drop schema es')).rejects.toThrow(TypeError);
    expect(() => opened(database.url, 'Es')).toThrow(TypeError);
  });

  it('is given up where Postgres takes the connection and does not answer', async () => {
    const proxy = await proxyTo(database.url);
    cleanups.push(() => proxy.close());
    proxy.hang(true);
    const preparing = prepareLog(proxy.url, 'es', { connectionTimeoutMillis: 200 });
    const failure = await heldFor(failureOf(preparing), 30_000);
    expect(isUnreachable(failure), String(failure)).toBe(true);
  });

  it('is given up where a statement is not answered', async () => {
    const other = new Client({ connectionString: database.url });
    await other.connect();
    cleanups.push(() => other.end());
    // What makes it wait for another process that prepares the same log.
    await other.query(`select pg_advisory_lock(1635021417, hashtext('prepare held'))`);
    const preparing = prepareLog(database.url, 'held', { query_timeout: 500 });
    const failure = await heldFor(failureOf(preparing), 30_000);
    expect(isUnreachable(failure), String(failure)).toBe(true);
  });
});

describe('the log in Postgres', () => {
  it('numbers all events densely from 1, whichever appends are refused', async () => {
    const empty = await freshLog();
    const store = opened(empty);
    await Promise.allSettled(
      Array.from({ length: 300 }, (_, n) =>
        store.append(`s-${n % 40}`, n % 3 ? 'any' : 'no_stream', [happened('A'), happened('B')]),
      ),
    );
    const { events } = await store.readAll(null, { limit: 1_000 });
    expect(events.map(({ position }) => position)).toEqual(
      events.map((_, index) => String(index + 1)),
    );
    expect(store.distance(null, events.at(-1)!.position)).toBe(events.length);
  });

  it('commits queued appends as one batch', async () => {
    const empty = await freshLog();
    const store = opened(empty);
    await store.append('warm-1', 'any', [happened('A')]);
    await Promise.all(
      Array.from({ length: 500 }, (_, n) => store.append(`s-${n}`, 'no_stream', [happened('A')])),
    );
    const [row] = await query(
      empty,
      'select count(distinct xmin::text)::int as commits from es.event',
    );
    expect(row!['commits']).toBeLessThan(10);
  });

  it('finds a position by an index, though the plan was made on an empty log', async () => {
    const empty = await freshLog();
    const counted = async () => {
      const [row] = await query(
        empty,
        `select seq_scan::int as scans, n_tup_ins::int as stored
         from pg_stat_user_tables where relname = 'event'`,
      );
      return row!;
    };
    const before = await counted();
    const store = postgresEventStore({ url: empty });
    await store.append('key-1', 'no_stream', [happened('Issued')]);
    const guard = { stream: 'key-1', revision: 0 };
    const pair = [happened('A'), happened('B')];
    for (let round = 0; round < 10; round += 1) {
      await store.append('journal-1', 'any', pair, { guard });
      await Promise.all([
        store.append('journal-1', 'any', pair, { guard }),
        store.append('journal-1', 'any', [happened('C')], { guard }),
        store.append('other-1', round === 0 ? 'no_stream' : round - 1, [happened('D')]),
      ]);
      await Promise.all([
        store.append('single-1', 'any', [happened('E')], { guard }),
        store.append('single-2', 'any', [happened('F')], { guard }),
      ]);
    }
    await store.close();
    await expect.poll(counted).toEqual({ scans: before['scans'], stored: 1 + 2 + 10 + 10 + 20 });
  });

  it('reads by an index without statistics: a page costs as much as its events', async () => {
    const url = await freshLog();
    await query(url, 'alter table es.event set (autovacuum_enabled = off)');
    await query(
      url,
      `insert into es.event (position, revision, id, stream, type, data, meta)
       select n, n, gen_random_uuid(), 's-1', 'A', '1', '{}' from generate_series(1, 10000) n`,
    );
    for (const categories of [undefined, ['s']]) {
      const store = opened(url);
      const filter = categories ? { categories } : {};
      const signal = AbortSignal.timeout(60_000);
      let seen = 0;
      for await (const { events, caughtUp } of store.subscribe(null, { ...filter, signal })) {
        seen += events.length;
        if (caughtUp) break;
      }
      expect(seen).toBe(10_000);
      await store.close();
    }
    // A session reports its statistics when it ends.
    const read = async () => {
      const [row] = await query(
        url,
        `select seq_tup_read::int as whole, idx_tup_fetch::int as by_index
         from pg_stat_user_tables where relid = 'es.event'::regclass`,
      );
      return row as { whole: number; by_index: number };
    };
    await expect.poll(async () => (await read()).by_index).toBeGreaterThanOrEqual(20_000);
    expect((await read()).by_index).toBeLessThan(60_000);
    expect((await read()).whole).toBe(0);
  });

  it('fails only the bad append of a commit', async () => {
    const store = opened(await freshLog());
    const taken = happened('Taken');
    await store.append('first-1', 'no_stream', [taken]);
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) =>
        store.append(`s-${n}`, 'no_stream', n === 17 ? [happened('A'), taken] : [happened('A')]),
      ),
    );
    expect(answers.map(({ status }) => status).indexOf('rejected')).toBe(17);
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(answers[17]).toMatchObject({
      reason: { message: expect.stringContaining('in another stream already') },
    });
    expect(await store.readStream('s-17')).toEqual([]);
  });

  it('answers each append of a commit, and stores the accepted ones in order', async () => {
    const store = opened(await freshLog());
    const [known, taken] = [happened('Known'), happened('Taken')];
    await store.append('ring-1', 'no_stream', [happened('Made')]);
    await store.append('known-1', 'no_stream', [known]);
    await store.append('taken-1', 'no_stream', [taken]);
    const [old, now] = [
      { stream: 'ring-1', revision: null },
      { stream: 'ring-1', revision: 0 },
    ];
    const asked = (more: readonly (() => Promise<unknown>)[]) =>
      Promise.allSettled([
        store.append('s-1', 'any', [happened('A')], { guard: now }),
        store.append('s-2', 'any', [happened('B')], { guard: old }),
        store.append('known-1', 'no_stream', [known], { guard: old }),
        store.append('s-3', 7, [happened('C')]),
        store.append('s-1', 'any', [happened('D')], { guard: now }),
        ...more.map((append) => append()),
        store.append('s-5', 'any', [happened('E')]),
      ]);
    const stored = (position: number, revision: number) => ({
      status: 'fulfilled',
      value: { position: String(position), revision, repeated: false },
    });
    const repeated = {
      status: 'fulfilled',
      value: { position: '2', revision: 0, repeated: true },
    };
    const refused = (reason: unknown) => ({ status: 'rejected', reason });
    const [guardMoved, wrongRevision] = [
      refused(expect.any(GuardMoved)),
      refused(expect.any(WrongRevision)),
    ];
    expect(await asked([])).toEqual([
      stored(4, 0),
      guardMoved,
      repeated,
      wrongRevision,
      stored(5, 1),
      stored(6, 0),
    ]);
    // With events whose ids are in the log already, in another stream and in their own.
    const inAnother = { message: expect.stringContaining('in another stream already') };
    expect(
      await asked([
        () => store.append('s-4', 'any', [taken]),
        () => store.append('known-1', 'any', [known]),
      ]),
    ).toEqual([
      stored(7, 2),
      guardMoved,
      repeated,
      wrongRevision,
      stored(8, 3),
      refused(expect.objectContaining(inAnother)),
      repeated,
      stored(9, 1),
    ]);
  });

  it('distinguishes a partial repeat of an append from an id of another stream', async () => {
    const store = opened(await freshLog());
    const [a, b] = [happened('A'), happened('B')];
    await store.append('s-1', 'any', [b]);
    await expect(store.append('s-1', 'any', [a, b])).rejects.toThrow(WrongRevision);
    await expect(store.append('s-2', 'any', [b])).rejects.toThrow(/in another stream already/);
  });

  it('lets the sessions of the platform read and append, and nothing else', async () => {
    const store = opened(database.url);
    await store.append('kept-1', 'any', [happened('A')]);
    for (const statement of [
      `update es.event set type = 'B'`,
      'delete from es.event',
      'truncate es.event',
      `insert into es.event (position, revision, id, stream, type, data, meta)
         values (99999, 0, gen_random_uuid(), 'x', 'x', '1', '{}')`,
      'drop table es.event',
      'update es.watermark set up_to = 0',
      `select es.delete_stream('kept-1')`,
      `select es.truncate_stream('kept-1', 1)`,
    ])
      await expect(query(database.url, statement, 'atrium_log')).rejects.toMatchObject({
        code: '42501',
      });
    await expect(
      query(database.url, 'select * from es.event', 'atrium_log_retention'),
    ).rejects.toMatchObject({ code: '42501' });
    const roles = await query(
      database.url,
      `select count(*)::int as n from pg_stat_activity
       where application_name like 'atrium log%' and datname = current_database()`,
    );
    expect(roles[0]!['n']).toBeGreaterThan(0);
    expect(await query(database.url, 'select current_user', 'atrium_log')).toEqual([
      { current_user: 'atrium_log' },
    ]);
  });

  it('assumes the role with the grants, whatever its login lacks', async () => {
    const url = new URL(await freshLog());
    const login = `app_${randomUUID().replaceAll('-', '')}`;
    await query(url.href, `create role ${login} login noinherit in role atrium_log`);
    cleanups.push(() => query(database.url, `drop role ${login}`));
    url.username = login;
    await expect(query(url.href, 'select * from es.event')).rejects.toMatchObject({
      code: '42501',
    });
    const store = opened(url.href);
    await store.append('s-1', 'any', [happened('A')]);
    expect(await store.readStream('s-1')).toHaveLength(1);
    await expect(store.deleteStream('s-1')).rejects.toMatchObject({ code: '42501' });
  });

  it('sees a guard as moved by an append just before in the same turn', async () => {
    const store = opened(await freshLog());
    await store.append('key-1', 'no_stream', [happened('Issued')]);
    const guard = { stream: 'key-1', revision: 0 };
    const answers = await Promise.allSettled([
      store.append('used-1', 'any', [happened('Used')], { guard }),
      store.append('key-1', 0, [happened('Revoked')]),
      store.append('used-1', 'any', [happened('Used')], { guard }),
      store.append('used-2', 'any', [happened('Used')], { guard }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(answers[3]).toMatchObject({ reason: { name: 'GuardMoved', actual: 1 } });
  });

  it('deletes many journals over one connection at a time', async () => {
    const url = await freshLog();
    const store = opened(url);
    const journals = Array.from({ length: 30 }, (_, n) => `old-${n}`);
    for (const stream of [...journals, 'kept-1'])
      await store.append(stream, 'any', [happened('A')]);
    await query(
      url,
      `create table held (connections int);
       create function counted() returns trigger language plpgsql as $$
         begin
           insert into public.held select count(*) from pg_stat_activity
             where application_name = 'atrium log retention' and datname = current_database();
           return new;
         end $$;
       create trigger counted after update on es.watermark for each row
         execute function counted()`,
    );
    await Promise.all(journals.map((stream) => store.deleteStream(stream)));
    const held = await query(url, 'select connections from held');
    expect(held.map(({ connections }) => connections)).toEqual(journals.map(() => 1));
    expect((await store.readAll(null, { limit: 100 })).events).toHaveLength(1);
  });

  it('reports no fault when it is closed before the end of a deleted journal is', async () => {
    const url = await freshLog();
    const faults: string[] = [];
    const logger = { info: () => {}, warn: (_: object, fault: string) => void faults.push(fault) };
    const store = postgresEventStore({ url, logger });
    cleanups.push(() => store.close());
    await store.append('other-1', 'any', [happened('A'), happened('B')]);
    await store.append('old-1', 'any', [happened('C')]);
    await store.deleteStream('old-1');
    const pool = poolOf(url);
    cleanups.push(() => pool.end());
    const other = await pool.connect();
    await other.query('begin; select from es.watermark for update');
    const truncated = store.truncateStream('other-1', 1);
    await until(async () => (await lockWaits(pool)) === 1, 'the truncation to wait');
    await store.append('new-1', 'any', [happened('D')]);
    await store.close();
    await other.query('commit');
    other.release();
    await truncated;
    expect(faults).toEqual([]);
    expect(await opened(url).readStream('old-1')).toHaveLength(1);
  });

  it('keeps its head row until the next one is inserted, and no longer', async () => {
    const url = await freshLog();
    const store = opened(url);
    await store.append('old-1', 'any', [happened('A'), happened('B')]);
    await store.deleteStream('old-1');
    expect(await query(url, 'select position::int from es.event')).toEqual([{ position: 2 }]);
    expect(await store.append('new-1', 'any', [happened('C')])).toMatchObject({ position: '3' });
    await expect
      .poll(() => query(url, 'select position::int from es.event'))
      .toEqual([{ position: 3 }]);
    expect(await query(url, 'select up_to::int from es.watermark')).toEqual([{ up_to: 2 }]);
  });

  describe('of which a large journal is deleted', () => {
    const REMOVED_AT_ONCE = 10;

    /** A journal at every second position, and the last positions of the portions that are gone. */
    const journalOf = async (events: number, throughProxy = false) => {
      const url = await freshLog();
      const proxy = throughProxy ? await proxyTo(url) : null;
      if (proxy) cleanups.push(() => proxy.close());
      const store = postgresEventStore({
        url: proxy?.url ?? url,
        removedAtOnceMax: REMOVED_AT_ONCE,
      });
      cleanups.push(() => store.close());
      for (let n = 0; n < events; n += 1) {
        await store.append('old-1', 'any', [happened(`Old${n}`)]);
        await store.append('kept-1', 'any', [happened(`Kept${n}`)]);
      }
      await query(
        url,
        `create table portion (nth serial, up_to bigint);
         create function noted() returns trigger language plpgsql as $$
           begin insert into public.portion (up_to) values (new.up_to); return new; end $$;
         create trigger noted after update on es.watermark for each row execute function noted()`,
      );
      const portions = async () =>
        (await query(url, 'select up_to::int from portion order by nth')).map(
          ({ up_to: upTo }) => upTo,
        );
      return { url, store, proxy, portions };
    };
    const revisionsOf = async (store: EventStore, stream: string) =>
      (await store.readStream(stream)).map(({ revision }) => revision);
    const range = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => from + n);

    it('deletes it in portions, oldest first', async () => {
      const { store, portions } = await journalOf(25);
      await store.deleteStream('old-1');
      expect(await portions()).toEqual([19, 39, 49]);
      expect(await store.readStream('old-1')).toEqual([]);
      expect(await revisionsOf(store, 'kept-1')).toEqual(range(0, 25));
    });

    it('deletes it at once if it has no more than one portion', async () => {
      const { store, portions } = await journalOf(REMOVED_AT_ONCE);
      await store.deleteStream('old-1');
      expect(await portions()).toEqual([19]);
    });

    it('truncates it in portions likewise', async () => {
      const { store, portions } = await journalOf(25);
      await store.truncateStream('old-1', 23);
      expect(await portions()).toEqual([19, 39, 45]);
      expect(await revisionsOf(store, 'old-1')).toEqual([23, 24]);
      await store.truncateStream('old-1', 99);
      expect(await revisionsOf(store, 'old-1')).toEqual([24]);
    });

    it('reads as truncated after a failure, and a repeat continues', async () => {
      const { store, portions, proxy } = await journalOf(25, true);
      const options = { signal: AbortSignal.timeout(60_000), batchEventsMax: 5 };
      const before = batchesOf(store, null, options);
      await before.next();
      proxy!.loseReplyTo('es.truncate_stream');
      await expect(store.deleteStream('old-1')).rejects.toThrow(LogUnavailable);
      expect(await portions()).toEqual([19]);
      expect(await revisionsOf(store, 'old-1')).toEqual(range(10, 25));

      for (const [batches, after] of [
        [before, 5],
        [batchesOf(store, null, options), 0],
        [batchesOf(store, '7', options), 7],
      ] as const) {
        const kept: number[] = [];
        for (let caughtUp = false; !caughtUp;) {
          const { value } = await batches.next();
          caughtUp = value!.caughtUp;
          const positions = value!.events.map(({ position }: StoredEvent) => Number(position));
          kept.push(...positions.filter((position: number) => position % 2 === 0));
        }
        expect(kept).toEqual(range(1, 51).filter((n) => n % 2 === 0 && n > after));
        await batches.return?.();
      }
      const next = await store.append('kept-1', 24, [happened('Next')]);
      expect(next.position).toBe('51');

      await store.deleteStream('old-1');
      await store.deleteStream('old-1');
      expect(await portions()).toEqual([19, 39, 49]);
      const { events } = await store.readAll(null, { limit: 100 });
      expect(events.map(({ stream }) => stream)).toEqual(range(0, 26).map(() => 'kept-1'));
    });

    const stops: [string, (store: EventStore, stop: AbortController) => unknown, RegExp][] = [
      ['its caller stops', (_, stop) => stop.abort(new Error('the caller stops')), /caller stops/],
      ['the log is closed', (store) => store.close(), /it was closed/],
    ];
    it.each(stops)('keeps what is left of it when %s', async (_, end, reason) => {
      const { url, store, portions } = await journalOf(25);
      const pool = poolOf(url);
      cleanups.push(() => pool.end());
      const other = await pool.connect();
      await other.query('begin; select from es.watermark for update');
      const stop = new AbortController();
      const deleted = failureOf(store.deleteStream('old-1', { signal: stop.signal }));
      await until(async () => (await lockWaits(pool)) === 1, 'the first portion to wait');
      await end(store, stop);
      await other.query('commit');
      other.release();
      expect(await deleted).toMatchObject({ message: expect.stringMatching(reason) });
      expect(await portions()).toEqual([19]);
      const again = opened(url);
      expect(await revisionsOf(again, 'old-1')).toEqual(range(10, 25));
      await again.deleteStream('old-1');
      expect(await again.readStream('old-1')).toEqual([]);
    });
  });

  it('stops a reader at a gap that no deletion explains', async () => {
    const url = await freshLog();
    const store = opened(url);
    await store.append('gone-1', 'any', [happened('A'), happened('B'), happened('C')]);
    for (let n = 0; n < 6; n += 1) await store.append('s-1', 'any', [happened('A')]);
    await store.deleteStream('gone-1');
    expect((await store.readAll(null, { limit: 100 })).events).toHaveLength(6);
    await query(url, 'delete from es.event where position = 6');
    for (const categories of [undefined, ['s'], ['none']])
      for (const after of [null, '2', '5']) {
        const range = { limit: 100, ...(categories && { categories }) };
        await expect(store.readAll(after, range)).rejects.toThrow(/hole between/);
      }
    expect((await store.readAll('6', { limit: 100 })).events).toHaveLength(3);
    const signal = AbortSignal.timeout(60_000);
    await expect(batchesOf(store, null, { signal }).next()).rejects.toThrow(/hole between/);
  });

  it('stops a subscription at such a gap, in any of its pages', async () => {
    const url = await freshLog();
    const store = opened(url);
    await store.append('gone-1', 'any', [happened('A'), happened('B'), happened('C')]);
    for (let n = 0; n < 12; n += 1)
      await store.append(n % 3 ? 's-1' : 'x-1', 'any', [happened('A')]);
    await store.deleteStream('gone-1');
    const signal = AbortSignal.timeout(60_000);
    const read = async (categories: string[] | undefined, after: string | null) => {
      const options = { signal, batchEventsMax: 2, ...(categories && { categories }) };
      const seen: StoredEvent[] = [];
      for await (const { events, caughtUp } of store.subscribe(after, options)) {
        seen.push(...events);
        if (caughtUp) break;
      }
      return seen.map(({ position }) => Number(position));
    };
    expect(await read(undefined, null)).toEqual(Array.from({ length: 12 }, (_, n) => n + 4));
    expect(await read(['s'], null)).toEqual([5, 6, 8, 9, 11, 12, 14, 15]);
    for (const position of [13, 12, 8]) {
      await query(url, `delete from es.event where position = ${position}`);
      for (const categories of [undefined, ['s']])
        await expect(read(categories, null)).rejects.toThrow(/hole between/);
    }
    expect(await read(['s'], '13')).toEqual([14, 15]);
  });

  it('reads an event beyond the bytes of a page as a page of its own', async () => {
    const url = await freshLog();
    const store = opened(url);
    await query(
      url,
      `insert into es.event (position, revision, id, stream, type, data, meta)
       select n, n - 1, gen_random_uuid(), 's-1', 'A',
         to_json(repeat('x', case when n in (3, 4) then 5000000 else 9 end)), '{}'
       from generate_series(1, 6) n`,
    );
    for (const categories of [undefined, ['s']]) {
      const range = { limit: 2, ...(categories && { categories }) };
      const pages: number[] = [];
      for (let [after, end]: [string | null, boolean] = [null, false]; !end;) {
        const page = await store.readAll(after, range);
        pages.push(page.events.length);
        [after, end] = [page.next, page.end];
      }
      expect(pages.filter((events) => events > 0)).toEqual([2, 1, 1, 2]);
      const signal = AbortSignal.timeout(60_000);
      const options = { signal, batchEventsMax: 2, ...(categories && { categories }) };
      const seen: string[] = [];
      for await (const batch of store.subscribe(null, options)) {
        seen.push(...batch.events.map(({ position }) => position));
        if (batch.caughtUp) break;
      }
      expect(seen).toEqual(['1', '2', '3', '4', '5', '6']);
    }
  });

  it("leaves the process's type parsers as they are", async () => {
    await opened(database.url).head();
    const [row] = await query(database.url, `select 1::int8 as big, '{"a":1}'::json as json`);
    expect(row).toEqual({ big: '1', json: { a: 1 } });
  });

  it("truncates an event's time of recording to milliseconds", async () => {
    const url = await freshLog();
    await query(
      url,
      `insert into es.event (position, revision, created, id, stream, type, data, meta)
       select n, n - 1, at::timestamptz, gen_random_uuid(), 's-1', 'A', '1', '{}'
       from unnest(array['2026-03-01 09:00:00+00', '2026-03-01 10:00:00.5+01',
         '2026-03-01 09:00:00.12+00', '2026-03-01 09:00:00.123999+00'])
         with ordinality as t(at, n)`,
    );
    const store = opened(url);
    const seen: StoredEvent[] = [];
    const signal = AbortSignal.timeout(60_000);
    for await (const { events } of store.subscribe(null, { signal, batchEventsMax: 1 }))
      if (seen.push(...events) === 4) break;
    for (const read of [seen, await store.readStream('s-1')])
      expect(read.map(({ recordedAt }) => recordedAt)).toEqual(
        ['000', '500', '120', '123'].map((ms) => `2026-03-01T09:00:00.${ms}Z`),
      );
  });

  it('reports an unreadable event as a fault, not as an unavailable log', async () => {
    const url = await freshLog();
    const store = opened(url);
    await store.append('s-1', 'any', [happened('A'), happened('B')]);
    await query(url, `update es.event set created = 'infinity' where position = 2`);
    const signal = AbortSignal.timeout(30_000);
    const pages = batchesOf(store, null, { signal, batchEventsMax: 1 });
    expect(typesOf((await pages.next()).value!.events)).toEqual(['A']);
    await expect(pages.next()).rejects.toThrow(/cannot be decoded: RangeError/);
  });

  it('scans on where a filter skips more events than one statement scans', async () => {
    const url = await freshLog();
    const store = opened(url);
    await store.append('s-1', 'any', [happened('First')]);
    await query(
      url,
      `insert into es.event (position, revision, id, stream, type, data, meta)
       select n, n, gen_random_uuid(), 'x-1', 'X', '1', '{}' from generate_series(2, 120001) n`,
    );
    const { position } = await store.append('s-1', 'any', [happened('Last')]);
    expect(position).toBe('120002');
    const seen = eventsOf(store, null, { categories: ['s'] });
    expect(typesOf(await seen.next(2))).toEqual(['First', 'Last']);
    await seen.stop();
  });
});

describe('several sessions', () => {
  it('wake one another', async () => {
    const url = await freshLog();
    const listener = new Client({ connectionString: url });
    await listener.connect();
    cleanups.push(() => listener.end());
    const senders = new Set<string | undefined>();
    listener.on('notification', ({ payload }) => senders.add(payload));
    await listener.query('listen atrium_es');
    const follower = eventsOf(opened(url), null);
    const seen = follower.next(1);
    await until(() => senders.size === 1, 'the notification that a listener sends itself');
    await opened(url).append('s-1', 'any', [happened('A')]);
    await until(() => senders.size === 2, 'the notification of an append');
    expect(typesOf(await seen)).toEqual(['A']);
    await follower.stop();
  });

  it('race for a revision, and exactly one wins', async () => {
    const url = await freshLog();
    const stores = [opened(url), opened(url), opened(url)];
    for (let round = 0; round < 20; round += 1) {
      const race = await Promise.allSettled(
        stores.map((store) => store.append(`s-${round}`, 'no_stream', [happened('A')])),
      );
      const lost = race.filter(({ status }) => status === 'rejected');
      expect(lost).toHaveLength(2);
      for (const loser of lost) expect(loser).toMatchObject({ reason: { name: 'WrongRevision' } });
    }
  });
});

describe('connections', () => {
  it('are released when a subscription is left or aborted, or the log is closed', async () => {
    const url = await freshLog();
    const store = opened(url);
    await store.append('s-1', 'any', [happened('A')]);
    await store.readAll(null, { limit: 1 });
    await store.head();
    const before = await sessions(url);
    for (let round = 0; round < 3; round += 1) {
      const signal = new AbortController().signal;
      for await (const _ of store.subscribe(null, { signal })) break;
      const stop = new AbortController();
      for await (const _ of store.subscribe(null, { signal: stop.signal })) stop.abort();
    }
    await expect.poll(() => sessions(url)).toBe(before);
    await store.close();
    await expect.poll(() => sessions(url)).toBe(0);
  });

  it('that lose the reply to an append repeat it: the events are stored once', async () => {
    const url = await freshLog();
    const proxy = await proxyTo(url);
    cleanups.push(() => proxy.close());
    const store = opened(proxy.url);
    await store.append('s-1', 'any', [happened('A')]);
    for (const expected of ['any', 0] as const) {
      const event = happened(`Marked${expected}`);
      proxy.loseReplyTo(event.type);
      const answer = await store.append(expected === 'any' ? 'j-1' : 's-1', expected, [event]);
      expect(answer.repeated).toBe(true);
    }
    expect(proxy.lost).toBe(2);
    expect(await opened(url).readStream('s-1')).toHaveLength(2);
    expect(await opened(url).readStream('j-1')).toHaveLength(1);
  });

  it('that lose the reply twice leave the outcome unknown; a retry reveals it', async () => {
    const url = await freshLog();
    const proxy = await proxyTo(url);
    cleanups.push(() => proxy.close());
    const store = opened(proxy.url);
    const event = happened('Marked');
    proxy.loseReplyTo('Marked');
    proxy.loseReplyTo('Marked');
    await expect(store.append('s-1', 'no_stream', [event])).rejects.toThrow(LogUnavailable);
    expect(await store.append('s-1', 'no_stream', [event])).toMatchObject({ repeated: true });
    expect(await store.readStream('s-1')).toHaveLength(1);
  });

  it('that lose the reply to a read repeat it', async () => {
    const url = await freshLog();
    const proxy = await proxyTo(url);
    cleanups.push(() => proxy.close());
    const store = opened(proxy.url);
    await store.append('marked-1', 'any', [happened('A')]);
    proxy.loseReplyTo('marked-1');
    expect(await store.readStream('marked-1')).toHaveLength(1);
    proxy.loseReplyTo('order by position');
    const seen = eventsOf(store, null);
    expect(typesOf(await seen.next(1))).toEqual(['A']);
    await seen.stop();
    proxy.loseReplyTo('format binary');
    await store.append('marked-1', 'any', [happened('B'), happened('C')]);
    const pages = batchesOf(store, null, {
      signal: new AbortController().signal,
      batchEventsMax: 1,
    });
    for (const type of ['A', 'B', 'C'])
      expect(typesOf((await pages.next()).value!.events)).toEqual([type]);
    await pages.return?.();
    expect(proxy.lost).toBe(3);
  });

  it('that are cut are replaced, under subscriptions too', async () => {
    const url = await freshLog();
    const store = opened(url);
    const seen = eventsOf(store, null);
    for (let round = 0; round < 4; round += 1) {
      await store.append('s-1', 'any', [happened(`E${round}`)]);
      expect(typesOf(await seen.next(1))).toEqual([`E${round}`]);
      await query(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    }
    expect(await store.readStream('s-1')).toHaveLength(4);
    await seen.stop();
  });

  it('that the server has announced to end are not used again', async () => {
    const url = await freshLog();
    const proxy = await proxyTo(url);
    cleanups.push(() => proxy.close());
    const store = opened(proxy.url);
    await store.append('s-1', 'no_stream', [happened('A')]);
    proxy.endLate(1_000);
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query('begin; lock table es.event in access exclusive mode');
    const append = store.append('s-1', 0, [happened('B')]);
    const waiting = `from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock'`;
    await expect.poll(() => query(url, `select pid ${waiting}`)).toHaveLength(1);
    await query(url, `select pg_terminate_backend(pid) ${waiting}`);
    await other.end();
    expect(await append).toMatchObject({ revision: 1, repeated: false });
  });

  it('to a missing database are refused at once', async () => {
    const url = new URL(database.url);
    url.pathname = '/nowhere';
    const store = opened(url.href);
    await expect(store.append('s-1', 'any', [happened('A')])).rejects.toThrow(LogUnavailable);
    await expect(store.head()).rejects.toThrow(LogUnavailable);
  });

  it('that hang are given up in time, and the outcome of the append is found', async () => {
    const url = await freshLog();
    const proxy = await proxyTo(url);
    cleanups.push(() => proxy.close());
    const store = opened(proxy.url);
    await store.append('s-1', 'no_stream', [happened('A')]);
    await store.readStream('s-1');
    proxy.drop(true);
    const event = happened('B');
    const calls = await Promise.allSettled([
      store.append('s-1', 0, [event]),
      store.append('s-2', 'any', [happened('C')]),
      store.readStream('s-1'),
      store.readAll(null, { limit: 1 }),
      store.truncateStream('s-1', 1),
    ]);
    for (const call of calls)
      expect(call).toMatchObject({ status: 'rejected', reason: { name: 'LogUnavailable' } });
    proxy.drop(false);
    expect(await store.append('s-1', 0, [event])).toMatchObject({ revision: 1 });
    expect(typesOf(await store.readStream('s-1'))).toEqual(['A', 'B']);
  });

  it('wait for the commit of another session, no longer than the deadline', async () => {
    const url = await freshLog();
    const store = opened(url);
    await store.append('s-1', 'no_stream', [happened('A')]);
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query('begin');
    const none: string[] = [];
    await other.query(
      'select * from es.append($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12)',
      Array.from({ length: 12 }, () => none),
    );
    const event = happened('B');
    await expect(store.append('s-1', 0, [event])).rejects.toThrow(LogUnavailable);
    expect(await store.readStream('s-1')).toHaveLength(1);
    await other.end();
    expect(await store.append('s-1', 0, [event])).toMatchObject({ revision: 1 });
  });
});

/** What `work` has failed with. */
const failureOf = (work: Promise<void>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

const opened = (url: string, schema?: string): EventStore => {
  const store = postgresEventStore({ url, ...(schema && { schema }) });
  cleanups.push(() => store.close());
  return store;
};

const freshLog = async (): Promise<string> => {
  const { url, drop } = await freshDatabase();
  cleanups.push(drop);
  await prepareLog(url);
  return url;
};

const query = async (url: string, text: string, role?: string) => {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    if (role !== undefined) await client.query(`set role ${role}`);
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
};

const sessions = async (url: string): Promise<unknown> =>
  (
    await query(
      url,
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and backend_type = 'client backend'`,
    )
  )[0]?.['n'];
