/** The adapters that a configuration asks for: shared by the server and the operator's commands. */
import { postgresDirectory, type Config } from '../config.ts';
import { embeddedPostgres } from '../db/embedded/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase, type Database } from '../db/pool.ts';
import type { EventStore } from '../store/event-store.ts';
import { eventstoreDbStore } from '../store/eventstoredb/store.ts';
import { postgresEventStore, prepareLog } from '../store/postgres/store.ts';
import type { Logger } from '../ops/logging.ts';

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
  const opened = opening();
  try {
    const databaseUrl = await openPostgres(config, opened, logger);
    const log = await logIn(config, async () => databaseUrl, opened, logger);
    const db = openDatabase({ url: databaseUrl, logger });
    opened.push(() => db.close());
    await migrate(db.pool);
    return { databaseUrl, log, db, close: opened.close };
  } catch (error) {
    await opened.close();
    throw error;
  }
};

/** The log alone: an embedded Postgres is started only if the log is in it. */
export const openLog = async (
  config: Config,
  logger: Logger,
): Promise<Pick<Adapters, 'log' | 'close'>> => {
  const opened = opening();
  try {
    const log = await logIn(config, () => openPostgres(config, opened, logger), opened, logger);
    return { log, close: opened.close };
  } catch (error) {
    await opened.close();
    throw error;
  }
};

interface Opened {
  push(close: () => Promise<void>): void;
  close(): Promise<void>;
}

/** What has been opened, to be closed in the reverse order. */
const opening = (): Opened => {
  const closing: (() => Promise<void>)[] = [];
  return {
    push: (close) => closing.push(close),
    async close() {
      for (const closeOne of closing.splice(0).reverse()) await closeOne();
    },
  };
};

const openPostgres = async (config: Config, opened: Opened, logger: Logger): Promise<string> => {
  if (config.databaseUrl !== null) return config.databaseUrl;
  const postgres = await embeddedPostgres(postgresDirectory(config), { logger });
  opened.push(() => postgres.release());
  return postgres.url;
};

const logIn = async (
  { eventstoreUrl }: Config,
  databaseUrl: () => Promise<string>,
  opened: Opened,
  logger: Logger,
): Promise<EventStore> => {
  let log: EventStore;
  if (eventstoreUrl !== null) log = eventstoreDbStore({ url: eventstoreUrl, logger });
  else {
    const url = await databaseUrl();
    await prepareLog(url);
    log = postgresEventStore({ url, logger });
  }
  opened.push(() => log.close());
  return log;
};
