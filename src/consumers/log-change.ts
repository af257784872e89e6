import type { Pool, PoolClient } from 'pg';
import { transaction } from '../db/transaction.ts';
import { LEASE_SILENT_MAX_MS } from '../limits.ts';
import { notReady } from '../ops/not-ready.ts';
import { knownIdentity, logIdentity, logTimelines } from '../store/log-identity.ts';
import type { EventStore } from '../store/event-store.ts';
import { holdersAlive } from './lease-rows.ts';
import { noteLog, standingOf, type StandingOptions } from './log-standing.ts';
import { LogRestored } from '../store/log-restored.ts';

/** The checkpoints in the database are of another log, and somebody is still writing them. */
export class FedFromAnotherLog extends Error {
  /** What is fed. */
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super(notReady(`another process still feeds ${names.join(', ')} from another log: stop it`));
    this.name = 'FedFromAnotherLog';
    this.names = names;
  }
}

/**
 * Sees to it that the checkpoints in the database are positions of this log. Those of another log
 * are forgotten: read models are then built from the start, and processes go on from the position
 * that the log itself knows; what a process has set aside stays aside. Checkpoints without a log
 * beside them are taken to be of this one.
 *
 * @returns Whether anything was forgotten.
 * @throws {@link FedFromAnotherLog}, or {@link LogRestored} where the log was restored from a
 *   backup and lacks what the database was fed; nothing was changed.
 * @throws {@link LogUnavailable}, and whatever the database throws.
 */
export const adoptLog = async (
  db: Pool,
  log: EventStore,
  options: StandingOptions = {},
): Promise<boolean> => {
  const id = await logIdentity(log);
  const origin = (await logTimelines(log))[0]?.id ?? id;
  return transaction(db, async (client) => {
    await lockLog(client);
    const standing = await standingOf(client, log, options);
    if (standing.kind === 'restored') throw new LogRestored(standing.reason);
    if (standing.kind === 'another') {
      await nobodyFeeds(client);
      await forgetPositions(client, log);
    }
    await noteLog(client, { id, origin });
    return standing.kind === 'another';
  });
};

/** Several processes start at once: one adopts the log, the others find it done. */
export const lockLog = async (client: PoolClient): Promise<void> => {
  await client.query(`select pg_advisory_xact_lock(hashtextextended('atrium/log', 0))`);
};

/** @throws {@link FedFromAnotherLog} while a process holds a lease on a consumer. */
export const nobodyFeeds = async (client: PoolClient): Promise<void> => {
  const alive = await holdersAlive(client, LEASE_SILENT_MAX_MS);
  if (alive.length > 0) throw new FedFromAnotherLog(alive);
};

/**
 * Forgets how far every consumer is, and what its read model had set aside. What a process has set
 * aside stays aside where its event is in this log; elsewhere there is nothing left to set aside.
 */
export const forgetPositions = async (client: PoolClient, log: EventStore): Promise<void> => {
  await client.query('delete from consumers.checkpoint');
  await client.query(`delete from consumers.parked where not starts_with(consumer, 'process/')`);
  await findParked(client, log);
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
