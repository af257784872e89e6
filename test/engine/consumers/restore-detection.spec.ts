/** Detection of a log restored from a backup, by the positions stored in the database. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adoptLog } from '../../../src/engine/consumers/log-change.ts';
import type { Queryable } from '../../../src/engine/consumers/checkpoints.ts';
import { compareLog } from '../../../src/engine/consumers/restore-detection.ts';
import { LogRestored } from '../../../src/engine/log/log-refused.ts';
import { restoreGuard, type RestoreGuard } from '../../../src/engine/consumers/restore-guard.ts';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import {
  LogUnavailable,
  type EventStore,
  type NewEvent,
} from '../../../src/engine/log/event-store.ts';
import { beginTimeline } from '../../../src/engine/log/log-identity.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { freshDatabase, type TestDatabase } from '../../support/postgres/database.ts';
import { unsteadyChannel } from '../../support/log/unsteady-channel.ts';
import { happened } from '../../support/log/events.ts';

const logger = loggerOf('silent');
const NEVER = new AbortController().signal;
let database: TestDatabase;
let db: Database;
let log: EventStore;

beforeEach(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, logger, connectionsMax: 4 });
  log = memoryEventStore();
});
afterEach(async () => {
  await db.close();
  await log.close();
  await database.drop();
});

/** The log as it was when it held `count` events. */
const backupOf = async (count: number): Promise<EventStore> => {
  const copy = memoryEventStore();
  const { events } = await log.readAll(null, { limit: count });
  for (const { stream, id, type, data, meta } of events)
    await copy.append(stream, 'any', [{ id, type, data, meta }] satisfies NewEvent[]);
  return copy;
};

const append = (stream: string) => log.append(stream, 'any', [happened('A')]);
const checkpointAt = (position: string) =>
  db.pool.query(
    `insert into consumers.checkpoint (consumer, position, epoch, updated_at)
     values ('process/p', $1, 1, '2026-03-01T09:00:00.000Z')`,
    [position],
  );
const restored = (reason: RegExp) => ({
  kind: 'restored',
  reason: expect.stringMatching(reason),
});

it('takes a log that another process begins meanwhile for the same', async () => {
  const query = async (...call: Parameters<typeof db.pool.query>) => {
    await adoptLog(db.pool, log);
    return db.pool.query(...call);
  };
  const standing = await compareLog({ query } as Queryable, log);
  expect(standing).toEqual({ kind: 'same' });
});

describe('a database beside a log', () => {
  beforeEach(async () => {
    await adoptLog(db.pool, log);
    for (const stream of ['ticket-1', 'ticket-2', 'ticket-3']) await append(stream);
  });

  it('matches the log that it was fed from', async () => {
    await checkpointAt('4');
    expect(await compareLog(db.pool, log)).toEqual({ kind: 'same' });
  });

  it('detects a checkpoint past the end of the log, and changes no row', async () => {
    await checkpointAt('4');
    const backup = await backupOf(3);
    const refusal = adoptLog(db.pool, backup);
    await expect(refusal).rejects.toThrow(LogRestored);
    await expect(refusal).rejects.toThrow(/ends at 3, and process\/p has come to 4.*log restored/);
    expect((await db.pool.query('select from consumers.checkpoint')).rowCount).toBe(1);
  });

  it('detects another event in place of an acknowledged one, however long the log is', async () => {
    const stop = new AbortController();
    const watch = restoreGuard({ log, pool: db.pool, logger, isJournal: () => false });
    await watch.adopt();
    await watch.log.append('ticket-4', 'any', [happened('A')]);
    const running = watch.run(stop.signal);
    stop.abort();
    await running;
    const backup = await backupOf(4);
    expect(await compareLog(db.pool, backup)).toEqual(
      restored(/revision 0 of ticket-4 .* no event/),
    );
    for (const stream of ['ticket-4', 'ticket-5', 'ticket-6'])
      await backup.append(stream, 'any', [happened('B')]);
    expect(await compareLog(db.pool, backup)).toEqual(restored(/ticket-4 there is another event/));
  });

  it('does not report truncated events as lost', async () => {
    const stop = new AbortController();
    const watch = restoreGuard({ log, pool: db.pool, logger, isJournal: () => false });
    await watch.adopt();
    await watch.log.append('process-1', 'any', [happened('A')]);
    const running = watch.run(stop.signal);
    stop.abort();
    await running;
    await append('process-1');
    await log.truncateStream('process-1', 1);
    expect(await compareLog(db.pool, log)).toEqual({ kind: 'same' });
  });

  it('detects a log that was restored since, and one older than its last restore', async () => {
    const backup = await backupOf(3);
    await beginTimeline(log, { after: '3', name: 'test' });
    expect(await compareLog(db.pool, log)).toEqual(restored(/was restored since/));
    await db.pool.query('update consumers.log set id = $1', [
      (await log.readStream('log-identity')).at(-1)!.id,
    ]);
    expect(await compareLog(db.pool, log)).toEqual({ kind: 'same' });
    expect(await compareLog(db.pool, backup)).toEqual(restored(/older than its last restore/));
  });

  it('detects a copy of itself in another cluster, where the log is stored in it', async () => {
    await db.pool.query(`update consumers.log set cluster = '1'`);
    expect(await compareLog(db.pool, log)).toEqual({ kind: 'same' });
    expect(await compareLog(db.pool, log, { isLogInDatabase: true })).toEqual(
      restored(/another cluster/),
    );
  });
});

describe('a process whose log is replaced by an older one', () => {
  /** Every call is forwarded to `present`. */
  const exchangeable = () => {
    let present = log;
    const through = logWith(log, {
      append: (...call) => present.append(...call),
      readStream: (...call) => present.readStream(...call),
      readAll: (...call) => present.readAll(...call),
      subscribe: (...call) => present.subscribe(...call),
      head: () => present.head(),
    });
    return { through, exchange: (other: EventStore) => (present = other) };
  };

  it('refuses appends after a failed call, ends its consumers, is not ready', async () => {
    const { through, exchange } = exchangeable();
    const watch = restoreGuard({ log: through, pool: db.pool, logger, isJournal: () => false });
    await watch.adopt();
    await watch.log.append('ticket-1', 'any', [happened('A')]);
    await watch.log.append('ticket-2', 'any', [happened('A')]);
    await checkpointAt('3');
    const backup = await backupOf(2);
    const away = () => Promise.reject(new LogUnavailable('away'));
    exchange(logWith(log, { append: away }));
    const next = () => watch.log.append('ticket-3', 'any', [happened('A')]);
    await expect(next()).rejects.toThrow('away');
    exchange(backup);
    await expect(next()).rejects.toThrow(LogRestored);
    expect(watch.changed.aborted).toBe(true);
    expect(watch.ready()).toContain('atrium log restored');
    expect(await backup.readStream('ticket-3')).toEqual([]);
    await watch.run(NEVER);
  });

  /** A process with two events, and the log as it was before the second. */
  const begun = async () => {
    const { through, exchange } = exchangeable();
    const channel = unsteadyChannel({ log, chance: () => 0 });
    const watch = restoreGuard({
      log: logWith(through, { channel }),
      pool: db.pool,
      logger,
      isJournal: () => false,
    });
    await watch.adopt();
    await watch.log.append('ticket-1', 'any', [happened('A')]);
    await watch.log.append('ticket-2', 'any', [happened('A')]);
    await checkpointAt('3');
    return { watch, exchange, channel, backup: await backupOf(2) };
  };
  const refusesReads = async ({ log: guarded }: RestoreGuard) => {
    await expect(guarded.readStream('ticket-1')).rejects.toThrow(LogRestored);
    await expect(guarded.readAll(null, { limit: 1 })).rejects.toThrow(LogRestored);
  };

  it('refuses reads after a failed read', async () => {
    const { watch, exchange, backup } = await begun();
    exchange(logWith(log, { readStream: () => Promise.reject(new LogUnavailable('away')) }));
    await expect(watch.log.readStream('ticket-1')).rejects.toThrow('away');
    exchange(backup);
    await refusesReads(watch);
  });

  it('refuses calls over its channel after a failed one', async () => {
    const { watch, exchange, channel, backup } = await begun();
    const ask = async () => {
      await watch.log.channel!.ready();
      return watch.log.channel!.ask('looking', 1_000, (calls) => calls.revisionOf('ticket-1'));
    };
    expect(await ask()).toBe(0);
    const back = channel.goAway();
    await expect(ask()).rejects.toThrow(LogUnavailable);
    back();
    exchange(backup);
    await expect(ask()).rejects.toThrow(LogRestored);
    const unchecked = watch.log.channel!.ask('looking', 1_000, async () => 'asked');
    await expect(unchecked).rejects.toThrow(LogRestored);
  });

  it('refuses reads after its subscription was interrupted', async () => {
    const { watch, exchange, backup } = await begun();
    const interrupted = logWith(log, {
      async *subscribe(after, options) {
        options.onInterrupted?.();
        yield* log.subscribe(after, { ...options, signal: AbortSignal.abort() });
      },
    });
    exchange(interrupted);
    for await (const _ of watch.log.subscribe(null, { signal: NEVER }));
    exchange(backup);
    await refusesReads(watch);
  });

  it('refuses reads and appends once a restore into the database has begun', async () => {
    let isBegun = false;
    const isBeingRestored = async () => isBegun;
    const watch = restoreGuard({
      log,
      pool: db.pool,
      logger,
      isJournal: () => false,
      isBeingRestored,
    });
    await watch.adopt();
    await watch.check();
    isBegun = true;
    // The tables are made anew by the restore.
    await db.pool.query('drop schema consumers cascade');
    await expect(watch.check()).rejects.toThrow('a backup is restored into the database');
    expect(watch.changed.aborted).toBe(true);
    await refusesReads(watch);
    await expect(watch.log.append('ticket-3', 'any', [happened('A')])).rejects.toThrow(LogRestored);
  });

  it('continues where the log is the same after a failure', async () => {
    const { through, exchange } = exchangeable();
    const watch = restoreGuard({ log: through, pool: db.pool, logger, isJournal: () => false });
    await watch.adopt();
    exchange(logWith(log, { append: () => Promise.reject(new LogUnavailable('away')) }));
    const next = () => watch.log.append('ticket-3', 'any', [happened('A')]);
    await expect(next()).rejects.toThrow('away');
    exchange(log);
    expect(await next()).toMatchObject({ revision: 0 });
    expect(watch.ready()).toBe(true);
  });

  it('refuses appends before the log was compared with the database', async () => {
    await adoptLog(db.pool, log);
    await checkpointAt('9');
    const watch = restoreGuard({ log, pool: db.pool, logger, isJournal: () => false });
    const first = watch.log.append('ticket-1', 'any', [happened('A')]);
    await expect(first).rejects.toThrow(LogRestored);
    await db.pool.query('delete from consumers.checkpoint');
    await watch.adopt();
    expect(await watch.log.append('ticket-1', 'any', [happened('A')])).toMatchObject({
      revision: 0,
    });
  });
});
