/**
 * The log that a configuration asks for, and no more: who needs nothing else does not load what a
 * platform is made of, which is most of what a command's start would go into.
 */
import { postgresDirectory, type Config } from '../config/config.ts';
import { embeddedPostgres } from '../engine/postgres/embedded/embedded.ts';
import { systemClock, virtualClock, type Clock } from '../engine/time/clock.ts';
import type { Logger } from '../engine/observe/logging.ts';
import { clockOffsetMs } from '../engine/timers/time-travel.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import { postgresEventStore, prepareLog } from '../engine/log/postgres/store.ts';

/** Closed by who has opened it; an embedded Postgres stops with its last user. */
export interface OpenLog {
  readonly log: EventStore;
  close(): Promise<void>;
}

/**
 * The log alone, which keeps events as they are handed over. An embedded Postgres is started only
 * if the log is in it.
 */
export const openLog = async (config: Config, logger: Logger): Promise<OpenLog> => {
  await using closing = new AsyncDisposableStack();
  const log = await logIn(config, () => postgresOf(config, closing, logger), closing, logger);
  const opened = closing.move();
  return { log, close: () => opened.disposeAsync() };
};

/** The server's time: real time and, in development, how far it was moved ahead. */
export const clockOf = async ({ environment }: Config, log: EventStore): Promise<Clock> =>
  environment === 'development' ? virtualClock(systemClock, await clockOffsetMs(log)) : systemClock;

/** The connection string of the configured database, or of the embedded one, for `closing`. */
export const postgresOf = async (
  config: Config,
  closing: AsyncDisposableStack,
  logger: Logger,
): Promise<string> => {
  if (config.databaseUrl !== null) return config.databaseUrl;
  const postgres = await embeddedPostgres(postgresDirectory(config), { logger });
  closing.defer(() => postgres.release());
  return postgres.url;
};

/** The configured log, for `closing`: EventStoreDB, or the one in the database. */
export const logIn = async (
  { eventstoreUrl }: Config,
  databaseUrl: () => Promise<string>,
  closing: AsyncDisposableStack,
  logger: Logger,
): Promise<EventStore> => {
  let log: EventStore;
  if (eventstoreUrl !== null) {
    // Loaded on demand, because the client takes long to load.
    const { eventstoreDbStore } = await import('../engine/log/eventstoredb/store.ts');
    log = eventstoreDbStore({ url: eventstoreUrl, logger });
  } else {
    const url = await databaseUrl();
    await prepareLog(url);
    log = postgresEventStore({ url, logger });
  }
  closing.defer(() => log.close());
  return log;
};
