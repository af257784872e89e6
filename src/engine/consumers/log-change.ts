import type { Pool, PoolClient } from 'pg';
import { lockName } from '../postgres/advisory-lock.ts';
import { transaction } from '../postgres/transaction.ts';
import { LEASE_SILENT_MAX_MS } from '../limits.ts';
import { readinessError } from '../observe/readiness-error.ts';
import { currentTimelineId, logIdentity, logTimelines } from '../log/log-identity.ts';
import type { EventStore, StoredEvent } from '../log/event-store.ts';
import type { Queryable } from './checkpoints.ts';
import { holdersAlive } from './lease-rows.ts';
import { releasesAlive } from './release-rows.ts';
import {
  notedLog,
  noteLog,
  compareLog,
  type LogComparison,
  type CompareLogOptions,
} from './restore-detection.ts';
import { endImport } from '../log/log-import.ts';
import { LogRestored, WrongLog } from '../log/log-refused.ts';

/** The checkpoints in the database belong to another log, and a process still writes them. */
export class FedFromAnotherLog extends Error {
  /** The consumers that are fed. */
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super(
      readinessError(`another process still feeds ${names.join(', ')} from another log: stop it`),
    );
    this.name = 'FedFromAnotherLog';
    this.names = names;
  }
}

/** Servers are running on the log that is to be changed. */
export class ServersRunning extends Error {
  constructor(names: readonly string[]) {
    super(`a server still runs: stop all of them (${names.join(', ')})`);
    this.name = 'ServersRunning';
  }
}

export interface AdoptOptions extends CompareLogOptions {
  /** Called for a log of another identity, which is accepted unless this throws. */
  readonly accept?: ((client: PoolClient) => Promise<void>) | null;
}

/**
 * Ensures that the checkpoints in the database are positions of this log. Those of a log whose
 * events were imported into this one are deleted: read models are then rebuilt, and processes
 * continue from the position in the log itself; parked work of processes stays parked. Checkpoints
 * without a recorded log are assumed to belong to this one.
 *
 * @returns Whether anything was deleted.
 * @throws {@link FedFromAnotherLog}; {@link WrongLog} for a log that is empty or of another
 *   identity, unless `accept` says that an operator has accepted it; {@link LogRestored} if the log
 *   was restored from a backup and lacks events that the database was fed. Nothing was changed.
 * @throws {@link LogUnavailable}, and errors of the database.
 */
export const adoptLog = async (
  db: Pool,
  log: EventStore,
  { accept = null, ...options }: AdoptOptions = {},
): Promise<boolean> => {
  if ((await notedLog(db)) !== null)
    refuseUnlessAccepted(await compareLog(db, log, options), accept);
  // Before the transaction, which must not wait for an append. A refused log stays unchanged.
  const id = await logIdentity(log);
  const origin = (await logTimelines(log))[0]?.id ?? id;
  const isAnother = await transaction(db, async (client) => {
    await lockLog(client);
    const standing = await compareLog(client, log, options);
    refuseUnlessAccepted(standing, accept);
    const isChanged = standing.kind === 'another' || standing.kind === 'imported';
    if (isChanged) {
      await (accept ?? assertNotFed)(client);
      await forgetPositions(client, log);
    }
    await noteLog(client, { id, origin });
    return isChanged;
  });
  await endImport(log);
  return isAnother;
};

const refuseUnlessAccepted = (standing: LogComparison, accept: AdoptOptions['accept']): void => {
  if (standing.kind === 'restored') throw new LogRestored(standing.reason);
  if (standing.kind === 'another' && !accept) throw new WrongLog(standing.reason);
};

/** Several processes start at once: one adopts the log, the others find it done. */
export const lockLog = (client: PoolClient): Promise<void> => lockName(client, 'atrium/log');

/** @throws {@link FedFromAnotherLog} while a process holds a lease on a consumer. */
const assertNotFed = async (client: PoolClient): Promise<void> => {
  const alive = await holdersAlive(client, LEASE_SILENT_MAX_MS);
  if (alive.length > 0) throw new FedFromAnotherLog(alive);
};

/**
 * @param waiting Whether to count a server whose log is refused: it serves nothing, and continues
 *   without a restart once the log is accepted.
 * @throws {@link ServersRunning} while a server of any role runs, or a command that feeds read
 *   models.
 */
export const noServerRuns = async (
  client: Queryable,
  { waiting }: { readonly waiting: boolean },
): Promise<void> => {
  const servers = (await releasesAlive(client, LEASE_SILENT_MAX_MS))
    .filter(({ serves = true }) => serves || waiting)
    .map(({ name, roles, since }) => `${name} with the roles ${roles.join(', ')} since ${since}`);
  const names = servers.length > 0 ? servers : await holdersAlive(client, LEASE_SILENT_MAX_MS);
  if (names.length > 0) throw new ServersRunning(names);
};

/**
 * Deletes the position of every consumer, and the parked streams of its read models. Parked work of
 * a process stays parked if its event is in this log; otherwise it is deleted.
 */
export const forgetPositions = async (client: PoolClient, log: EventStore): Promise<void> => {
  await client.query('delete from consumers.checkpoint');
  await client.query(`delete from consumers.parked where not starts_with(consumer, 'process/')`);
  await findParked(client, log);
};

/**
 * Whether the checkpoints in the database are positions of another log, so that they must not be
 * compared with this one. Reads only.
 *
 * @throws {@link LogUnavailable}, and errors of the database.
 */
export const isOfAnotherLog = async (db: Pool, log: EventStore): Promise<boolean> => {
  const identity = await currentTimelineId(log);
  const { rows } = await db.query<{ id: string }>('select id from consumers.log');
  return rows.some(({ id }) => id !== identity);
};

/** Stream, revision and id are the same in every log; the position is not. */
const findParked = async (client: PoolClient, log: EventStore): Promise<void> => {
  const { rows } = await client.query<{ stream: string; revision: number; eventId: string }>(
    `select distinct stream, revision, event_id as "eventId" from consumers.parked`,
  );
  for (const { stream, revision, eventId } of rows) {
    const [event] = await log.readStream(stream, { from: revision, limit: 1 });
    if (event && isNamed(event, eventId))
      await client.query('update consumers.parked set position = $2 where event_id = $1', [
        eventId,
        event.position,
      ]);
    else await client.query('delete from consumers.parked where event_id = $1', [eventId]);
  }
};

/** Parked work on a message has the message's id, under which the event was recorded. */
const isNamed = ({ id, meta }: StoredEvent, eventId: string): boolean =>
  id === eventId || meta['commandId'] === eventId;
