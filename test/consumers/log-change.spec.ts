/** A database whose log was moved: what its books said about the old one is not believed. */
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBooks } from '../../src/consumers/checkpoint-schema.ts';
import { ownership } from '../../src/consumers/leases.ts';
import { openDatabase, type Database } from '../../src/db/pool.ts';
import { loggerOf } from '../../src/ops/logging.ts';
import { adoptLog, adoption, FedFromAnotherLog } from '../../src/consumers/log-change.ts';
import { LogUnavailable, type EventStore } from '../../src/store/event-store.ts';
import { logIdentity } from '../../src/store/log-identity.ts';
import { memoryEventStore } from '../../src/store/memory.ts';
import { freshDatabase } from '../support/database.ts';
import { happened } from '../support/log.ts';

const logger = loggerOf('silent');

let database: { readonly url: string; drop(): Promise<void> };
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

const at = '2026-03-01T09:00:00.000Z';

/** What a platform has written down that fed itself from another log. */
const written = async (pool: Pool) => {
  await openBooks(pool);
  await pool.query(
    `insert into projections.checkpoint (name, version, position, epoch, caught_up, updated_at)
     values ('ticket-list', 1, '77', 3, true, $1)`,
    [at],
  );
  await pool.query(
    `insert into process.checkpoint (name, position, epoch, updated_at) values ('p', '77', 2, $1)`,
    [at],
  );
  for (const [table, more, values] of [
    ['projections.parked', 'version, ', '1, '],
    ['process.parked', '', ''],
  ]) {
    await pool.query(
      `insert into ${table} (name, ${more} stream, event_id, revision, position, error, parked_at)
       values ('p', ${values} 'ticket-1', $1, 1, '70', 'poison', $2)`,
      [randomUUID(), at],
    );
  }
};

const rowsOf = async (table: string) =>
  (await db.pool.query<Record<string, unknown>>(`select * from ${table}`)).rows;

describe('a log', () => {
  it('has one identity, however many ask for it at once', async () => {
    const names = await Promise.all([1, 2, 3].map(() => logIdentity(log)));
    expect(new Set(names)).toEqual(new Set([await logIdentity(log)]));
    expect(await logIdentity(memoryEventStore())).not.toBe(names[0]);
  });
});

describe('a database', () => {
  it('keeps its checkpoints for the log that they are of', async () => {
    await adoptLog(db.pool, log);
    await written(db.pool);
    expect(await adoptLog(db.pool, log)).toBe(false);
    expect(await rowsOf('projections.checkpoint')).toHaveLength(1);
    expect(await rowsOf('process.checkpoint')).toHaveLength(1);
  });

  it('takes checkpoints without a log beside them for those of this one', async () => {
    await written(db.pool);
    expect(await adoptLog(db.pool, log)).toBe(false);
    expect(await rowsOf('projections.checkpoint')).toHaveLength(1);
  });

  it('forgets those of another log, once', async () => {
    await adoptLog(db.pool, memoryEventStore());
    await written(db.pool);
    expect(await adoptLog(db.pool, log)).toBe(true);
    for (const table of ['projections.checkpoint', 'projections.parked', 'process.checkpoint'])
      expect(await rowsOf(table)).toEqual([]);
    expect(await adoptLog(db.pool, log)).toBe(false);
  });

  it('leaves aside what a process has set aside, and finds where it stands now', async () => {
    await adoptLog(db.pool, memoryEventStore());
    await written(db.pool);
    await log.append('other-1', 'no_stream', [happened('A')]);
    const { position } = await log.append('ticket-1', 'no_stream', [happened('A'), happened('B')]);
    await adoptLog(db.pool, log);
    expect(await rowsOf('process.parked')).toMatchObject([{ stream: 'ticket-1', position }]);
  });

  it('changes nothing while somebody still feeds it from the other log', async () => {
    await adoptLog(db.pool, memoryEventStore());
    await written(db.pool);
    const owners = ownership({ url: database.url, logger });
    const stop = new AbortController();
    const owned = Promise.withResolvers<void>();
    const holding = owners.hold(
      'projection/ticket_list_v1',
      ({ signal }) => {
        owned.resolve();
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
      },
      stop.signal,
    );
    await owned.promise;
    const refusal = adoptLog(db.pool, log);
    await expect(refusal).rejects.toThrow(FedFromAnotherLog);
    await expect(refusal).rejects.toThrow('projection/ticket_list_v1');
    expect(await rowsOf('projections.checkpoint')).toHaveLength(1);
    stop.abort();
    await holding;
    await owners.close();
    expect(await adoptLog(db.pool, log)).toBe(true);
  });
});

describe('a platform', () => {
  it('is not ready before its log was adopted, and waits for one out of reach', async () => {
    let reachable = false;
    const away: EventStore = Object.assign(Object.create(log) as EventStore, {
      append: log.append.bind(log),
      readStream: async (...range: Parameters<EventStore['readStream']>) => {
        if (!reachable) throw new LogUnavailable('away');
        return log.readStream(...range);
      },
    });
    const adopting = adoption({ db, log: away, logger });
    const done = adopting.adopt(new AbortController().signal);
    expect(adopting.ready()).toContain('have not been matched with the log yet');
    reachable = true;
    await done;
    expect(adopting.ready()).toBe(true);
  });

  it('gives up waiting when it is stopped', async () => {
    const away: EventStore = Object.assign(Object.create(log) as EventStore, {
      readStream: () => Promise.reject(new LogUnavailable('away')),
    });
    const stop = new AbortController();
    const done = adoption({ db, log: away, logger }).adopt(stop.signal);
    stop.abort();
    await done;
  });
});
