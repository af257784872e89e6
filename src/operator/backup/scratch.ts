/** A temporary Postgres, removed at the end of the command. */
import { chmod, rm } from 'node:fs/promises';
import type { Pool } from 'pg';
import { postgresEventStore, prepareLog } from '../../engine/log/postgres/store.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import { embeddedPostgres } from '../../engine/postgres/embedded/embedded.ts';
import { poolOn } from '../../engine/postgres/pool.ts';
import type { Manifest } from './manifest.ts';
import { temporaryDirectory, temporaryPostgres } from './temporary-directory.ts';

/** An empty, temporary installation. */
export interface Scratch {
  readonly pool: Pool;
  /** The database's connection string. */
  readonly url: string;
  /** In the database, or in a second one if the backup's log is in EventStoreDB. */
  readonly log: EventStore;
}

/** Opened for a copy of this backup, and removed by `closing`. @throws `EmbeddedUnavailable`. */
export const openScratch = async (
  { log: { isInDatabase } }: Pick<Manifest, 'log'>,
  closing: AsyncDisposableStack,
  logger: Logger,
): Promise<Scratch> => {
  const directory = await temporaryDirectory();
  closing.defer(() => rm(directory, { recursive: true, force: true }));
  // The user of the Postgres processes must traverse it; the cluster inside belongs to that user.
  await chmod(directory, 0o711);
  const postgres = await embeddedPostgres(temporaryPostgres(directory), { logger });
  closing.defer(() => postgres.release());
  const { url } = postgres;
  const pool = poolOn(url, 'atrium verify', { statement_timeout: 0, logger });
  closing.defer(() => pool.end());
  const log = postgresEventStore({ url: isInDatabase ? url : await otherDatabase(pool, url) });
  closing.defer(() => log.close());
  return { pool, url, log };
};

const otherDatabase = async (pool: Pool, url: string): Promise<string> => {
  await pool.query('create database scratch_log');
  const other = new URL(url);
  other.pathname = '/scratch_log';
  await prepareLog(other.href);
  return other.href;
};
