import type { Pool, PoolClient } from 'pg';
import { transaction } from '../db/transaction.ts';
import { LEASE_SILENT_MAX_MS } from '../limits.ts';
import { knownIdentity, logIdentity } from '../store/log-identity.ts';
import type { EventStore } from '../store/event-store.ts';
import { holdersAlive } from './lease-rows.ts';

/** The checkpoints in the database are of another log, and somebody is still writing them. */
export class FedFromAnotherLog extends Error {
  constructor(names: readonly string[]) {
    super(`another process still feeds ${names.join(', ')} from another log: stop it`);
    this.name = 'FedFromAnotherLog';
  }
}

/**
 * Sees to it that the checkpoints in the database are positions of this log. Those of another log
 * are forgotten: read models are then built from the start, and processes go on from the position
 * that the log itself knows; what a process has set aside stays aside. Checkpoints without a log
 * beside them are taken to be of this one.
 *
 * @returns Whether anything was forgotten.
 * @throws {@link FedFromAnotherLog}; nothing was changed.
 * @throws {@link LogUnavailable}, and whatever the database throws.
 */
export const adoptLog = async (db: Pool, log: EventStore): Promise<boolean> => {
  const identity = await logIdentity(log);
  return transaction(db, async (client) => {
    // Several processes start at once: one adopts the log, the others find it done.
    await client.query(`select pg_advisory_xact_lock(hashtextextended('atrium/log', 0))`);
    const { rows } = await client.query<{ id: string }>(
      `with noted as (
         insert into consumers.log (id) values ($1) on conflict do nothing returning id)
       select id from noted union all select id from consumers.log limit 1`,
      [identity],
    );
    if (rows[0]?.id === identity) return false;
    const alive = await holdersAlive(client, LEASE_SILENT_MAX_MS);
    if (alive.length > 0) throw new FedFromAnotherLog(alive);
    await client.query('delete from consumers.checkpoint');
    await client.query(`delete from consumers.parked where not starts_with(consumer, 'process/')`);
    await findParked(client, log);
    await client.query('update consumers.log set id = $1', [identity]);
    return true;
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
  const { rows } = await db.query<{ id: string }>('select id from consumers.log');
  return rows.some(({ id }) => id !== identity);
};

/** A stream and a revision are the same in every log; where they stand is not. */
const findParked = async (client: PoolClient, log: EventStore): Promise<void> => {
  const { rows } = await client.query<{ stream: string; revision: number }>(
    'select distinct stream, revision from consumers.parked',
  );
  for (const { stream, revision } of rows) {
    const [event] = await log.readStream(stream, { from: revision, limit: 1 });
    await client.query(
      'update consumers.parked set position = $3 where stream = $1 and revision = $2',
      [stream, revision, event?.position ?? ''],
    );
  }
};
