/** A database whose log was moved: its checkpoints of the old log are no longer valid. */
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leases as leasesIn } from '../../../src/engine/consumers/leases.ts';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { adoptLog, FedFromAnotherLog } from '../../../src/engine/consumers/log-change.ts';
import type { EventStore, NewEvent } from '../../../src/engine/log/event-store.ts';
import { logIdentity } from '../../../src/engine/log/log-identity.ts';
import { markImported } from '../../../src/engine/log/log-import.ts';
import { WrongLog } from '../../../src/engine/log/log-refused.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { happened } from '../../support/log/events.ts';

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

const READ_MODEL = 'projection/ticket-list@1';
const PROCESS = 'process/p';

/**
 * The rows of a platform whose consumers read another log.
 *
 * @param eventId The event of `ticket-1` that both consumers have parked.
 */
const written = async (pool: Pool, eventId: string = randomUUID()) => {
  for (const consumer of [READ_MODEL, PROCESS]) {
    await pool.query(
      `insert into consumers.checkpoint (consumer, position, epoch, updated_at)
       values ($1, '1', 3, $2)`,
      [consumer, at],
    );
    await pool.query(
      `insert into consumers.parked
         (consumer, lane, stream, event_id, revision, position, reason, parked_at)
       values ($1, 'ticket-1', 'ticket-1', $2, 1, '70', 'poison', $3)`,
      [consumer, eventId, at],
    );
  }
};

/** Imports the events of the log that the database was fed from into this one. */
const imported = async (): Promise<EventStore> => {
  const source = memoryEventStore();
  await adoptLog(db.pool, source);
  await markImported(log, await logIdentity(source));
  return source;
};

const rowsOf = async (table: string) =>
  (await db.pool.query<Record<string, unknown>>(`select * from ${table}`)).rows;

describe('a log', () => {
  it('has one identity, also with concurrent callers', async () => {
    const names = await Promise.all([1, 2, 3].map(() => logIdentity(log)));
    expect(new Set(names)).toEqual(new Set([await logIdentity(log)]));
    expect(await logIdentity(memoryEventStore())).not.toBe(names[0]);
  });
});

describe('a database', () => {
  it('keeps its checkpoints with the log they were made from', async () => {
    await adoptLog(db.pool, log);
    await written(db.pool);
    expect(await adoptLog(db.pool, log)).toBe(false);
    expect(await rowsOf('consumers.checkpoint')).toHaveLength(2);
  });

  it('treats checkpoints without a log identity as those of this log', async () => {
    await written(db.pool);
    expect(await adoptLog(db.pool, log)).toBe(false);
    expect(await rowsOf('consumers.checkpoint')).toHaveLength(2);
  });

  it('refuses an empty log where it was fed from another, and changes neither', async () => {
    await adoptLog(db.pool, memoryEventStore());
    await written(db.pool);
    const refusal = adoptLog(db.pool, log);
    await expect(refusal).rejects.toThrow(WrongLog);
    await expect(refusal).rejects.toThrow(/is empty.*atrium log adopt$/);
    expect(await rowsOf('consumers.checkpoint')).toHaveLength(2);
    expect((await log.head()).position).toBeNull();
  });

  it("refuses another installation's log", async () => {
    await adoptLog(db.pool, memoryEventStore());
    await logIdentity(log);
    await expect(adoptLog(db.pool, log)).rejects.toThrow(/another identity.*atrium log adopt$/);
  });

  it('refuses a log into which the events of a third one were imported', async () => {
    await adoptLog(db.pool, memoryEventStore());
    await markImported(log, randomUUID());
    await expect(adoptLog(db.pool, log)).rejects.toThrow(WrongLog);
  });

  it('deletes its checkpoints once when it adopts a log with imported events', async () => {
    await imported();
    await written(db.pool);
    expect(await adoptLog(db.pool, log)).toBe(true);
    expect(await rowsOf('consumers.checkpoint')).toEqual([]);
    expect(await adoptLog(db.pool, log)).toBe(false);
  });

  it('refuses an imported log that another installation has adopted', async () => {
    const source = await imported();
    await adoptLog(db.pool, log);
    const other = await freshDatabase();
    const second = openDatabase({ url: other.url, logger, connectionsMax: 2 });
    await adoptLog(second.pool, source);
    await expect(adoptLog(second.pool, log)).rejects.toThrow(WrongLog);
    await second.close();
    await other.drop();
  });

  it('adopts any log that an operator accepts', async () => {
    await adoptLog(db.pool, memoryEventStore());
    await written(db.pool);
    expect(await adoptLog(db.pool, log, { accept: async () => {} })).toBe(true);
    expect(await rowsOf('consumers.checkpoint')).toEqual([]);
    expect(await adoptLog(db.pool, log)).toBe(false);
  });

  it.each([
    ['event', ({ id }: NewEvent) => id],
    ['message', ({ meta }: NewEvent) => meta['commandId']],
  ])('keeps the parked streams of a process by their %s, with new positions', async (_, idOf) => {
    await imported();
    const events = [happened('A'), happened('B')];
    await written(db.pool, idOf(events[1]!));
    await log.append('other-1', 'no_stream', [happened('A')]);
    const { position } = await log.append('ticket-1', 'no_stream', events);
    await adoptLog(db.pool, log);
    expect(await rowsOf('consumers.parked')).toMatchObject([
      { consumer: PROCESS, stream: 'ticket-1', position },
    ]);
  });

  it.each([
    ['no event', [happened('A')]],
    ['another event', [happened('A'), happened('B')]],
  ])('deletes a parked stream where the log has %s at its revision', async (_, events) => {
    await imported();
    await written(db.pool);
    await log.append('ticket-1', 'no_stream', events);
    await adoptLog(db.pool, log);
    expect(await rowsOf('consumers.parked')).toEqual([]);
  });

  it('changes no row while a process still feeds it from the other log', async () => {
    await imported();
    await written(db.pool);
    const owners = leasesIn({ db, logger });
    const stop = new AbortController();
    const owned = Promise.withResolvers<void>();
    const holding = owners.hold(
      READ_MODEL,
      ({ signal }) => {
        owned.resolve();
        return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      },
      stop.signal,
    );
    await owned.promise;
    const refusal = adoptLog(db.pool, log);
    await expect(refusal).rejects.toThrow(FedFromAnotherLog);
    await expect(refusal).rejects.toThrow(READ_MODEL);
    expect(await rowsOf('consumers.checkpoint')).toHaveLength(2);
    stop.abort();
    await holding;
    await owners.close();
    expect(await adoptLog(db.pool, log)).toBe(true);
  });
});
