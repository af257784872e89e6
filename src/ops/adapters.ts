/** The adapters that a configuration asks for: shared by the server and the operator's commands. */
import { postgresDirectory, type Config } from '../config.ts';
import { embeddedPostgres } from '../db/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase, type Database } from '../db/pool.ts';
import type { EventStore } from '../store/event-store.ts';
import { eventstoreDbStore } from '../store/eventstoredb.ts';
import { postgresEventStore, prepareLog } from '../store/postgres.ts';
import type { Logger } from './logging.ts';

export interface Adapters {
  readonly databaseUrl: string;
  readonly log: EventStore;
  /** Migrated. */
  readonly db: Database;
  /** In the reverse order of opening; an embedded Postgres stops with its last user. */
  close(): Promise<void>;
}

/**
 * Opens the database, embedded where none is configured, and the log: EventStoreDB where it is
 * configured, else in the database.
 *
 * @throws If one of them cannot be had; what was opened by then is closed again.
 */
export const openAdapters = async (config: Config, logger: Logger): Promise<Adapters> => {
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closeOne of closing.splice(0).reverse()) await closeOne();
  };
  try {
    let { databaseUrl } = config;
    if (databaseUrl === null) {
      const postgres = await embeddedPostgres(postgresDirectory(config));
      closing.push(() => postgres.release());
      databaseUrl = postgres.url;
    }
    const log = await openLog(config.eventstoreUrl, databaseUrl, logger);
    closing.push(() => log.close());
    const db = openDatabase({ url: databaseUrl, logger });
    closing.push(() => db.close());
    await migrate(db.pool);
    return { databaseUrl, log, db, close };
  } catch (error) {
    await close();
    throw error;
  }
};

const openLog = async (
  eventstoreUrl: string | null,
  databaseUrl: string,
  logger: Logger,
): Promise<EventStore> => {
  if (eventstoreUrl !== null) return eventstoreDbStore({ url: eventstoreUrl, logger });
  await prepareLog(databaseUrl);
  return postgresEventStore({ url: databaseUrl, logger });
};
