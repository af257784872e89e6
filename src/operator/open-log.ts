/**
 * Opens only the configured log. Commands that need nothing else do not import the platform, which
 * would take most of their start time.
 */
import { postgresDirectory, type Config } from '../config/config.ts';
import { embeddedPostgres } from '../engine/postgres/embedded/embedded.ts';
import { clusterHome } from '../engine/postgres/embedded/paths.ts';
import { systemClock, virtualClock, type Clock } from '../engine/time/clock.ts';
import type { Logger } from '../engine/observe/logging.ts';
import { clockOffsetMs } from '../engine/control/time-travel.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import { postgresEventStore, prepareLog } from '../engine/log/postgres/store.ts';
import { databaseUnreachable } from './database-unreachable.ts';

/** The opener must close it; an embedded Postgres stops with its last user. */
export interface OpenLog {
  readonly log: EventStore;
  close(): Promise<void>;
}

/**
 * The log alone, which stores events unsealed. An embedded Postgres is started only if the log is
 * in it.
 */
export const openLog = async (config: Config, logger: Logger): Promise<OpenLog> => {
  await using closing = new AsyncDisposableStack();
  const log = await logIn(config, () => postgresOf(config, closing, logger), closing, logger);
  const opened = closing.move();
  return { log, close: () => opened.disposeAsync() };
};

/** The server's clock: real time plus, in development, its offset. */
export const clockOf = async ({ environment }: Config, log: EventStore): Promise<Clock> =>
  environment === 'development' ? virtualClock(systemClock, await clockOffsetMs(log)) : systemClock;

/** Connection string of the configured database, or of an embedded one that `closing` stops. */
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

/** Where a server writes, apart from attachments: the embedded Postgres may be on another disk. */
export const dataDirectories = (config: Config): readonly string[] =>
  config.databaseUrl === null
    ? [config.dataDirectory, clusterHome(postgresDirectory(config))]
    : [config.dataDirectory];

/** {@link dataDirectories}, and that of attachments, which may be a disk that processes share. */
export const writtenDirectories = (config: Config): readonly string[] => {
  const { files } = config;
  const ofFiles = files.kind === 'directory' ? [files.directory] : [];
  return [...dataDirectories(config), ...ofFiles];
};

/** The configured log, in EventStoreDB or in the database; `closing` closes it. */
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
    await prepareLog(url).catch(databaseUnreachable(url));
    log = postgresEventStore({ url, logger });
  }
  closing.defer(() => log.close());
  return log;
};
