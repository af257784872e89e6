/** The adapters that a configuration asks for: shared by the server and the operator's commands. */
import { layoutOf } from '../bus/nats/layout.ts';
import type { Nats } from '../bus/nats/nats.ts';
import { releasedEventTypes } from '../compose.ts';
import type { Config } from '../config/config.ts';
import { guardedLog, platformLog, type PlatformLog } from '../engine/consumers/platform-log.ts';
import { migrate } from '../engine/postgres/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { openDatabase, type Database } from '../engine/postgres/pool.ts';
import { loggerOf, type Logger } from '../engine/observe/logging.ts';
import type { Tracing } from '../engine/observe/tracing.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import { writtenVersions, type WrittenVersions } from '../engine/log/written-versions.ts';
import { mustBeInstalled } from './installed.ts';
import { logIn, postgresOf } from './open-log.ts';

export interface Adapters {
  /** As every component gets it. */
  readonly opened: PlatformLog;
  /** As it is stored, for what puts a refused log right, and for nothing else. */
  readonly stored: EventStore;
  /** In which versions the events of the log are written, as operators have said. */
  readonly versions: WrittenVersions;
  /** Migrated. */
  readonly db: Database;
  /** Where {@link db} is. */
  readonly databaseUrl: string;
  /** Closes them in the reverse order; an embedded Postgres stops with its last user. */
  close(): Promise<void>;
}

/** Of a server, which makes what is not there yet. */
export interface ServerParts {
  readonly tracing: Tracing;
}

/**
 * Opens the database, embedded where none is configured, and the log: EventStoreDB where it is
 * configured, else in the database.
 *
 * @param server Default: for a command, which makes no installation.
 * @throws If one of them cannot be opened; those opened before are closed again.
 */
export const openAdapters = async (
  config: Config,
  logger: Logger,
  server: ServerParts | null = null,
): Promise<Adapters> => {
  if (server === null) await mustBeInstalled(config);
  await using closing = new AsyncDisposableStack();
  const databaseUrl = await postgresOf(config, closing, logger);
  const stored = await logIn(config, async () => databaseUrl, closing, logger);
  const db = openDatabase({ url: databaseUrl, logger });
  closing.defer(() => db.close());
  await migrate(db.pool, migrations);
  const isLogInDatabase = config.eventstoreUrl === null;
  // A command says by its outcome that the log is refused.
  const report = server ? logger : loggerOf('silent');
  const guarded = guardedLog({ log: stored, pool: db.pool, logger: report, isLogInDatabase });
  const versions = writtenVersions(guarded.log, releasedEventTypes);
  const opened = platformLog(guarded, { versions, tracing: server?.tracing });
  const parts = closing.move();
  return { opened, stored, versions, db, databaseUrl, close: () => parts.disposeAsync() };
};

/**
 * NATS, where it is the bus. It is dialled from now on: whoever needs it while it is away is told
 * so. `null`: the log is the bus.
 */
export const openNats = async (
  { nats, busPrefix }: Pick<Config, 'nats' | 'busPrefix'>,
  logger: Logger,
): Promise<Nats | null> => {
  if (nats === null) return null;
  // Its client takes long to load, and nobody else needs it.
  const { natsLink } = await import('../bus/nats/link.ts');
  const { replicas, ...address } = nats;
  return natsLink({ address, replicas, layout: layoutOf(busPrefix), logger });
};
