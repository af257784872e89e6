import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  leases as leasesIn,
  type Lease,
  type Leases,
} from '../../../src/engine/consumers/leases.ts';
import { YieldLease } from '../../../src/engine/consumers/yield-lease.ts';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { keyOf } from '../../../src/engine/log/streams.ts';
import { postgresEventStore, prepareLog } from '../../../src/engine/log/postgres/store.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import {
  caughtUp,
  projectionsOn,
  type RunningProjections,
} from '../../support/consumers/running-projections.ts';
import {
  countedOf,
  made,
  painted,
  rowsOf,
  talliesOf,
} from '../../support/consumers/sample-projection.ts';
import { proxyTo } from '../../support/postgres/proxy.ts';
import { letPass, until } from '../../support/until.ts';

/** Long enough that an owner on a busy machine beats within two thirds of it. */
const SILENT_MAX_MS = 3_000;
/** Waiting processes poll every fifteenth of it. */
const LONG_SILENT_MAX_MS = 60_000;
const logger = loggerOf('silent');
let database: Awaited<ReturnType<typeof freshDatabase>>;

beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

describe('a lease', () => {
  let all: Leases[];
  let pools: Database[];
  const stop = () => new AbortController();
  const opened = (url = database.url) => {
    const db = openDatabase({ url, logger });
    pools.push(db);
    const one = leasesIn({ db, logger, silentMaxMs: SILENT_MAX_MS });
    all.push(one);
    return one;
  };
  beforeEach(() => {
    all = [];
    pools = [];
  });
  afterEach(async () => {
    await Promise.all(all.map((one) => one.close()));
    await Promise.all(pools.map((db) => db.close()));
  });

  /** Holds `name` until stopped, and records its leases. */
  const holding = (owner: Leases, name = 'it') => {
    const leases: Lease[] = [];
    const stopping = stop();
    const ended = owner.hold(
      name,
      async (lease) => {
        leases.push(lease);
        await new Promise((over) => lease.signal.addEventListener('abort', over, { once: true }));
      },
      stopping.signal,
    );
    const release = async () => {
      stopping.abort();
      await ended;
    };
    return { leases, release };
  };
  const current = ({ leases }: { leases: Lease[] }) => leases.some(({ signal }) => !signal.aborted);

  it('is not reacquired by a holder that yielded it before its pause is over', async () => {
    const stopping = stop();
    let turns = 0;
    const ended = opened().hold(
      'it',
      async () => {
        turns += 1;
        throw new YieldLease('it is for others', 3_600_000);
      },
      stopping.signal,
    );
    await until(() => turns > 0, 'its turn');
    const other = holding(opened());
    await until(() => current(other), 'the turn of the other');
    await other.release();
    await letPass(1_000, 'it would be taken back meanwhile');
    expect(turns).toBe(1);
    stopping.abort();
    await ended;
  });

  it('has one owner at a time, and the next as soon as it is released', async () => {
    const [first, second] = [opened(), opened()];
    const a = holding(first);
    await until(() => current(a));
    const b = holding(second);
    expect(await first.owners(['it', 'other'])).toEqual(
      new Map([
        ['it', 'this'],
        ['other', 'none'],
      ]),
    );
    expect(await second.owners(['it'])).toEqual(new Map([['it', 'other']]));
    expect(current(b)).toBe(false);
    await a.release();
    await until(() => current(b));
    expect(b.leases[0]!.epoch).toBeGreaterThan(a.leases[0]!.epoch);
    await b.release();
    expect(await first.owners(['it'])).toEqual(new Map([['it', 'none']]));
  });

  it('shares one statement per heartbeat with many others', async () => {
    const one = opened();
    const names = Array.from({ length: 30 }, (_, at) => `name-${at}`);
    const held = names.map((name) => holding(one, name));
    await until(() => held.every(current));
    const { pool } = pools[0]!;
    const statements: string[] = [];
    const query = pool.query.bind(pool) as (...call: unknown[]) => unknown;
    pool.query = ((...call: unknown[]) => {
      const [asked] = call as [{ name?: string } | string];
      statements.push(typeof asked === 'string' ? asked : (asked.name ?? ''));
      return query(...call);
    }) as typeof pool.query;
    await until(() => statements.length >= 5);
    expect(new Set(statements)).toEqual(new Set(['leases beat']));
    await Promise.all(held.map((each) => each.release()));
  });

  it('is reacquired under a higher epoch by a holder that was silent for too long', async () => {
    const a = holding(opened());
    await until(() => current(a));
    const other = openDatabase({ url: database.url, logger });
    await other.pool.query(
      `update consumers.lease set holder = null;
       update consumers.heartbeat set beat_at = beat_at - interval '1 minute'`,
    );
    await until(() => a.leases[0]!.signal.aborted && current(a));
    expect(a.leases.at(-1)!.epoch).toBeGreaterThan(a.leases[0]!.epoch);
    await other.close();
    await a.release();
  });

  it('is acquired from a dead holder whose last beat is later than now', async () => {
    const other = openDatabase({ url: database.url, logger });
    await other.pool.query(
      `with dead as (insert into consumers.heartbeat (holder, beat_at)
         values (gen_random_uuid(), clock_timestamp() + interval '1 hour') returning holder)
       insert into consumers.lease (name, epoch, holder) select $1, 1, holder from dead`,
      ['it'],
    );
    const a = holding(opened());
    await until(() => current(a));
    expect(a.leases[0]!.epoch).toBe(2);
    await other.close();
    await a.release();
  });

  /** The database of the first pool is unavailable until the returned function is called. */
  const databaseAway = () => {
    const { pool } = pools[0]!;
    const query = pool.query.bind(pool) as (...call: unknown[]) => unknown;
    let away = true;
    pool.query = ((...call: unknown[]) =>
      away ? Promise.reject(new Error('away')) : query(...call)) as typeof pool.query;
    return () => {
      away = false;
    };
  };

  it('lets its holder stop while the database is unavailable, and is free afterwards', async () => {
    const owner = opened();
    const a = holding(owner);
    const beside = holding(owner, 'beside');
    await until(() => current(a) && current(beside));
    const back = databaseAway();
    await a.release();
    back();
    // The heartbeat continues, so only a released row can be acquired by another process.
    await until(() => beside.leases.length > 1);
    const b = holding(opened());
    await until(() => current(b));
    await Promise.all([b.release(), beside.release()]);
  });

  it('is lost with the database, and reacquired under a higher epoch', async () => {
    const a = holding(opened());
    await until(() => current(a));
    const back = databaseAway();
    await until(() => a.leases[0]!.signal.aborted);
    back();
    await until(() => current(a));
    expect(a.leases.at(-1)!.epoch).toBeGreaterThan(a.leases[0]!.epoch);
    await a.release();
  });

  it('is lost before another process has it, though its heartbeat still waits', async () => {
    const proxy = await proxyTo(database.url);
    onTestFinished(() => proxy.close());
    const a = holding(opened(proxy.url));
    await until(() => current(a));
    proxy.hang(true);
    const b = holding(opened());
    await until(() => current(b));
    expect(a.leases[0]!.signal.aborted).toBe(true);
    proxy.hang(false);
    await Promise.all([a.release(), b.release()]);
  });

  it('survives a cut connection', async () => {
    const a = holding(opened());
    await until(() => current(a));
    const other = openDatabase({ url: database.url, logger });
    await other.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    const { rows } = await other.pool.query<{ at: string }>(
      'select beat_at as at from consumers.heartbeat',
    );
    await until(async () => {
      const after = await other.pool.query<{ at: string }>(
        'select beat_at as at from consumers.heartbeat',
      );
      return after.rows[0]!.at > rows[0]!.at;
    });
    expect([a.leases.length, current(a)]).toEqual([1, true]);
    await other.close();
    await a.release();
  });

  it('stays with an owner whose heartbeat continues, however long others wait', async () => {
    const a = holding(opened());
    await until(() => current(a));
    const b = holding(opened());
    await letPass(SILENT_MAX_MS * 2, 'one who does not beat would have been replaced');
    expect([a.leases.length, current(a), current(b)]).toEqual([1, true, false]);
    await Promise.all([a.release(), b.release()]);
  });

  it('is no longer waited for by a process that stops', async () => {
    const a = holding(opened());
    await until(() => current(a));
    const b = holding(opened());
    await b.release();
    expect(b.leases).toEqual([]);
    await a.release();
  });

  it('is kept when the work under it fails', async () => {
    let runs = 0;
    const stopping = stop();
    const ended = opened().hold(
      'it',
      async () => {
        runs += 1;
        if (runs < 3) throw new Error('failed');
        stopping.abort();
      },
      stopping.signal,
    );
    await ended;
    expect(runs).toBe(3);
  });
});

describe('processes that feed one read model', () => {
  let log: EventStore;
  let children: ChildProcess[];
  let revisions: Map<string, number>;

  beforeEach(async () => {
    await prepareLog(database.url);
    log = postgresEventStore({ url: database.url });
    children = [];
    revisions = new Map();
  });
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await log.close();
  });

  const born = (silentMaxMs = SILENT_MAX_MS) => {
    const child = spawn(
      process.execPath,
      [
        fileURLToPath(new URL('./sample-projection-child.ts', import.meta.url)),
        database.url,
        String(silentMaxMs),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    children.push(child);
    return child;
  };
  const owns = (child: ChildProcess) => once(child.stdout!, 'data');

  /** Appends to twenty widgets until stopped. */
  const writing = () => {
    const stopping = new AbortController();
    const write = async () => {
      for (let at = 0; !stopping.signal.aborted; at += 1) {
        const stream = `widget-${at % 20}`;
        const revision = revisions.get(stream);
        const colour = ['red', 'blue', 'green'][at % 3]!;
        const event = revision === undefined ? made(colour, at % 9) : painted(colour);
        await log.append(stream, revision ?? 'no_stream', [event]);
        revisions.set(stream, (revision ?? -1) + 1);
      }
    };
    const done = write();
    return async () => {
      stopping.abort();
      await done;
    };
  };

  const tellsTheTruth = async ({ db }: RunningProjections) => {
    const truth = [...revisions].map(([stream, revision]) => [keyOf(stream), revision + 1]);
    expect((await rowsOf(db)).map(({ id, facts }) => [id, facts])).toEqual(
      truth.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
    expect(await talliesOf(db)).toEqual(await countedOf(db));
  };

  it('count each event once though the owner is stopped, replaced and continued', async () => {
    const child = born();
    await owns(child);
    const stop = writing();
    const one = projectionsOn(database.url, log, { silentMaxMs: SILENT_MAX_MS });
    one.start();
    await until(() => revisions.size === 20, 'something written');
    child.kill('SIGSTOP');
    await until(async () => (await one.models.status())[0]?.owner === 'this', 'take-over');
    child.kill('SIGCONT');
    const { size } = revisions;
    const written = () => [...revisions.values()].reduce((sum, revision) => sum + revision, size);
    const before = written();
    await until(() => written() > before + 100, 'more written beside the one that woke');
    await stop();
    await caughtUp(one.models, log);
    await tellsTheTruth(one);
    await expect
      .poll(async () => (await one.models.status())[0])
      .toMatchObject({ owner: 'this', lagEvents: 0 });

    // The first process still waits for the lease, and acquires it in turn.
    await one.stop();
    const reader = projectionsOn(database.url, log);
    await log.append('widget-0', revisions.get('widget-0')!, [painted('white')]);
    revisions.set('widget-0', revisions.get('widget-0')! + 1);
    await caughtUp(reader.models, log);
    await tellsTheTruth(reader);
    await expect
      .poll(async () => (await reader.models.status())[0])
      .toMatchObject({ owner: 'other' });
    await reader.stop();
  });

  it('count each event once though owners are killed at any moment', async () => {
    const stop = writing();
    for (const afterMs of [0, 30, 110, 240]) {
      const child = born();
      await owns(child);
      await letPass(afterMs, 'the owner has come this far when it is killed');
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const one = projectionsOn(database.url, log, { silentMaxMs: SILENT_MAX_MS });
    one.start();
    await until(async () => (await one.models.status())[0]?.owner === 'this', 'take-over');
    await stop();
    await caughtUp(one.models, log);
    await tellsTheTruth(one);
    await one.stop();
  });

  it('take over from a killed one long before its heartbeat would expire', async () => {
    const child = born(LONG_SILENT_MAX_MS);
    await owns(child);
    const one = projectionsOn(database.url, log, { silentMaxMs: LONG_SILENT_MAX_MS });
    one.start();
    await until(async () => (await one.models.status())[0]?.owner === 'other', 'the owner');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await until(async () => (await one.models.status())[0]?.owner === 'this', 'take-over');
    await one.stop();
  });

  it('take over at once when the owner stops orderly', async () => {
    const child = born();
    await owns(child);
    const one = projectionsOn(database.url, log, { silentMaxMs: 60_000 });
    one.start();
    await log.append('widget-0', 'no_stream', [made()]);
    await caughtUp(one.models, log);
    child.kill('SIGTERM');
    await once(child, 'exit');
    await until(async () => (await one.models.status())[0]?.owner === 'this', 'hand-over');
    await one.stop();
  });
});
