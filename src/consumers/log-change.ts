import type { Pool, PoolClient } from 'pg';
import { openBooks } from './checkpoint-schema.ts';
import { LOCK_OF_NAME } from './locks.ts';
import { transaction } from '../db/transaction.ts';
import { backoff } from '../ops/backoff.ts';
import type { Report } from '../ops/report.ts';
import type { EventStore } from '../store/event-store.ts';
import { knownIdentity, logIdentity } from '../store/log-identity.ts';

/** The books in the database speak of another log, and somebody is still writing in them. */
export class FedFromAnotherLog extends Error {
  constructor(names: readonly string[]) {
    super(`another process still feeds ${names.join(', ')} from another log: stop it`);
    this.name = 'FedFromAnotherLog';
  }
}

/**
 * Sees to it that the checkpoints in the database are positions of this log. Those of another log
 * are forgotten: read models are then built from the start, and processes go on from the place
 * that the log itself knows; what a process has set aside stays aside. Books that nobody has
 * written a log into are taken to be of this one.
 *
 * @returns Whether anything was forgotten.
 * @throws {@link FedFromAnotherLog}; nothing was changed.
 * @throws {@link LogUnavailable}, and whatever the database throws.
 */
export const adoptLog = async (db: Pool, log: EventStore): Promise<boolean> => {
  const identity = await logIdentity(log);
  return transaction(db, async (client) => {
    // Under the lock that this takes, and keeps until the end.
    await openBooks(client);
    const forgotten = [];
    for (const books of ['projections', 'process'] as const) {
      const { rows } = await client.query<{ id: string }>(
        `with noted as (
           insert into ${books}.log (id) values ($1) on conflict do nothing returning id)
         select id from noted union all select id from ${books}.log limit 1`,
        [identity],
      );
      if (rows[0]?.id === identity) continue;
      if (forgotten.length === 0) await checkUnowned(client);
      await client.query(`delete from ${books}.checkpoint`);
      if (books === 'process') await findParked(client, log);
      else await client.query('delete from projections.parked');
      await client.query(`update ${books}.log set id = $1`, [identity]);
      forgotten.push(books);
    }
    return forgotten.length > 0;
  });
};

/**
 * Whether the checkpoints in the database are positions of another log, so that nothing in it may
 * be judged by this one. Changes nothing.
 *
 * @throws {@link LogUnavailable}, and whatever the database throws.
 */
export const isOfAnotherLog = async (db: Pool, log: EventStore): Promise<boolean> => {
  const identity = await knownIdentity(log);
  await openBooks(db);
  const { rows } = await db.query<{ id: string }>(
    'select id from projections.log union select id from process.log',
  );
  return rows.some(({ id }) => id !== identity);
};

/** A stream and a revision are the same in every log; where they stand is not. */
const findParked = async (client: PoolClient, log: EventStore): Promise<void> => {
  const { rows } = await client.query<{ stream: string; revision: number }>(
    'select distinct stream, revision from process.parked',
  );
  for (const { stream, revision } of rows) {
    const [event] = await log.readStream(stream, { from: revision, limit: 1 });
    await client.query(
      'update process.parked set position = $3 where stream = $1 and revision = $2',
      [stream, revision, event?.position ?? ''],
    );
  }
};

const checkUnowned = async (client: PoolClient): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select name from ownership.holder join pg_locks on ${LOCK_OF_NAME} order by name`,
  );
  if (rows.length > 0) throw new FedFromAnotherLog(rows.map(({ name }) => name));
};

export interface Adoption {
  /** `true`, or why the read models may not be shown yet. */
  ready(): true | string;
  /** Adopts the log, however often it takes. Resolves when it is done or `signal` has aborted. */
  adopt(signal: AbortSignal): Promise<void>;
}

/** {@link adoptLog} for a platform that starts while log or database cannot be reached. */
export const adoption = (parts: {
  readonly db: { readonly pool: Pool };
  readonly log: EventStore;
  readonly logger: Report;
}): Adoption => {
  const { db, log, logger } = parts;
  let state: true | string = 'the read models have not been matched with the log yet';
  return {
    ready: () => state,

    async adopt(signal) {
      const delays = backoff();
      while (!signal.aborted) {
        try {
          if (await adoptLog(db.pool, log))
            logger.warn({}, 'the log is another one: read models are built from the start');
          state = true;
          return;
        } catch (error) {
          if (error instanceof FedFromAnotherLog) state = error.message;
          logger.warn({ err: error }, 'the read models cannot be matched with the log');
          await delays.pause(signal);
        }
      }
    },
  };
};
