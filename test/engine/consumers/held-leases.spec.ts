/** Leases acquired without waiting, and those of a platform with a single process. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leases as leasesIn, type SharedLeases } from '../../../src/engine/consumers/leases.ts';
import { leaseRows } from '../../../src/engine/consumers/lease-rows.ts';
import { exclusiveLeases } from '../../../src/engine/consumers/exclusive-leases.ts';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { lockWaits } from '../../support/postgres/lock-waits.ts';
import { until } from '../../support/until.ts';

const logger = loggerOf('silent');
let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Database;
const opened: SharedLeases[] = [];
beforeEach(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, logger });
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await db.close();
  await database.drop();
});

const shared = (address: string | null = null, silentMaxMs = 60_000) => {
  const one = leasesIn({ db, logger, silentMaxMs, address });
  opened.push(one);
  return one;
};

describe('a lease acquired without waiting', () => {
  it('has one holder, and is refused to others until it is released', async () => {
    const [first, second] = [shared('http://first'), shared('http://second')];
    expect(await first.holderOf('it')).toBeNull();
    const held = await first.take('it');
    expect(held?.signal.aborted).toBe(false);
    expect(await second.take('it')).toBeNull();
    expect(await first.holderOf('it')).toEqual({ isThis: true, address: 'http://first' });
    expect(await second.holderOf('it')).toEqual({ isThis: false, address: 'http://first' });
    await Promise.all([held!.release(), held!.release()]);
    const next = await second.take('it');
    expect(next!.epoch).toBeGreaterThan(held!.epoch);
    expect(await first.holderOf('it')).toEqual({ isThis: false, address: 'http://second' });
    await expect(second.take('it')).rejects.toThrow('already');
  });

  it('is aborted and free for others when its holder closes', async () => {
    const [first, second] = [shared(), shared()];
    const held = await first.take('it');
    await first.close();
    expect(held!.signal.aborted).toBe(true);
    await held!.release();
    expect(await second.take('it')).not.toBeNull();
    expect(await first.take('other')).toBeNull();
  });

  it('is lost by a holder without a heartbeat, and another acquires it', async () => {
    const [first, second] = [shared('http://first'), shared()];
    const held = await first.take('it');
    await db.pool.query(`update consumers.heartbeat set beat_at = beat_at - interval '2 minutes'`);
    expect(await second.holderOf('it')).toBeNull();
    const next = await second.take('it');
    expect(next!.epoch).toBeGreaterThan(held!.epoch);
    // The first holder learns of the loss at its next heartbeat.
    await first.take('another');
    await until(() => held!.signal.aborted);
  });

  it('is an error while the database is unavailable, and can be acquired afterwards', async () => {
    const one = shared();
    const { pool } = db;
    const query = pool.query.bind(pool) as (...call: unknown[]) => unknown;
    let away = true;
    pool.query = ((...call: unknown[]) =>
      away ? Promise.reject(new Error('away')) : query(...call)) as typeof pool.query;
    await expect(one.take('it')).rejects.toThrow('away');
    away = false;
    expect(await one.take('it')).not.toBeNull();
  });

  it('has no row once it was forgotten', async () => {
    const one = shared();
    await (await one.take('it'))!.release();
    await one.forget(['it']);
    const { rows } = await db.pool.query('select from consumers.lease');
    expect(rows).toEqual([]);
  });
});

describe('a platform with a single process', () => {
  const holding = (all: ReturnType<typeof exclusiveLeases>, name: string) =>
    new Promise<{ epoch: number; signal: AbortSignal }>((granted) => {
      void all.hold(
        name,
        async (lease) => {
          granted(lease);
          await new Promise((over) => lease.signal.addEventListener('abort', over));
        },
        new AbortController().signal,
      );
    });

  it('acquires all its leases by one statement, under a higher epoch than before', async () => {
    const before = await shared().take('a');
    const statements: unknown[] = [];
    const { pool } = db;
    const query = pool.query.bind(pool) as (...call: unknown[]) => unknown;
    pool.query = ((...call: unknown[]) => {
      statements.push(call[0]);
      return query(...call);
    }) as typeof pool.query;
    const all = exclusiveLeases({ db, logger, until: new AbortController().signal });
    const [a] = await Promise.all([holding(all, 'a'), holding(all, 'b'), holding(all, 'c')]);
    expect(statements).toHaveLength(1);
    expect(a.epoch).toBeGreaterThan(before!.epoch);
    expect(await all.owners(['a', 'z'])).toEqual(
      new Map([
        ['a', 'this'],
        ['z', 'none'],
      ]),
    );
    await all.close();
    expect(a.signal.aborted).toBe(true);
  });

  it('ends with its exclusive lease', async () => {
    const until = new AbortController();
    const all = exclusiveLeases({ db, logger, until: until.signal });
    const lease = await holding(all, 'a');
    until.abort();
    expect(lease.signal.aborted).toBe(true);
    await all.close();
  });
});

describe('the leases of a holder', () => {
  it.each([
    ['gives them up', (rows: ReturnType<typeof leaseRows>) => rows.giveUp(['a', 'z'])],
    ['ends', (rows: ReturnType<typeof leaseRows>) => rows.end()],
  ])('are locked in the order of their names when it %s', async (_, free) => {
    const rows = leaseRows(db.pool, { holder: randomUUID(), silentMaxMs: 60_000, address: null });
    for (const name of ['z', 'a']) await rows.beat([name], []);
    const other = await db.pool.connect();
    try {
      await other.query('begin');
      await other.query("select from consumers.lease where name = 'a' for update");
      const freed = free(rows);
      const isWaiting = async () => (await lockWaits(db.pool)) === 1;
      await until(isWaiting, 'the statement that waits for the first name');
      await db.pool.query("select from consumers.lease where name = 'z' for update nowait");
      await other.query('rollback');
      await freed;
    } finally {
      other.release(true);
    }
    expect([...(await rows.owners(['a', 'z'])).values()]).toEqual(['none', 'none']);
  });
});
