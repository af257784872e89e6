/** The adapters that a configuration asks for: shared by the server and the operator's commands. */
import { layoutOf } from '../bus/nats/layout.ts';
import type { Nats } from '../bus/nats/nats.ts';
import { release } from '../compose.ts';
import type { Config } from '../config/config.ts';
import { platformLog, type PlatformLog } from '../engine/consumers/platform-log.ts';
import { useCategories } from '../domain/keys/journals.ts';
import { migrate, mustNotBeLeftBehind } from '../engine/postgres/migrate.ts';
import { noteRelease } from '../engine/postgres/release-history.ts';
import { migrations } from '../migrations/migrations.ts';
import { openDatabase, type Database } from '../engine/postgres/pool.ts';
import { loggerOf, type Logger } from '../engine/observe/logging.ts';
import type { Tracing } from '../engine/observe/tracing.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import type { Secrets } from '../engine/secrets/secrets.ts';
import { isBeingRestored, refuseUnfinishedRestore } from './backup/destination.ts';
import { systemClock, type Clock } from '../engine/time/clock.ts';
import { builtFrom } from './commit.ts';
import { mustBeInstalled } from './installed.ts';
import { thisRelease } from './newer-release.ts';
import { secretsFor } from './secrets-key.ts';
import { clockOf, logIn, postgresOf } from './open-log.ts';

export interface Adapters {
  readonly opened: PlatformLog;
  /** The unguarded log, to inspect or repair a log that is refused. */
  readonly stored: EventStore;
  /** Read from the log even while it is refused: it may be repaired while a server runs. */
  clock(): Promise<Clock>;
  /** All migrations are applied. */
  readonly db: Database;
  /** The installation's secrets; a command without their key cannot use them. */
  readonly secrets: Secrets;
  /** The connection string of {@link db}. */
  readonly databaseUrl: string;
  /** Closes all parts, last opened first; an embedded Postgres stops with its last user. */
  close(): Promise<void>;
}

/**
 * For a server: creates the installation if none exists, and records that this release runs on it.
 *
 * @param databaseUrl A Postgres that the caller keeps open.
 * @throws As {@link openCommandAdapters}.
 */
export const openAdapters = async (
  config: Config,
  databaseUrl: string,
  logger: Logger,
  tracing: Tracing,
): Promise<Adapters> => {
  const adapters = await openAll(config, async () => databaseUrl, logger, tracing);
  try {
    await noteRelease(adapters.db.pool, thisRelease(builtFrom(config)), systemClock.now());
  } catch (error) {
    await adapters.close();
    throw error;
  }
  return adapters;
};

/**
 * Opens the database, embedded unless one is configured, and the log: EventStoreDB if it is
 * configured, else in the database. A command creates no installation, and reports a refused log
 * in its outcome.
 *
 * @throws `NewerDatabase` if a newer release has run that does not allow a return to this one;
 *   and if a part cannot be opened. The parts opened before are closed.
 */
export const openCommandAdapters = async (config: Config, logger: Logger): Promise<Adapters> => {
  await mustBeInstalled(config);
  const postgres = (closing: AsyncDisposableStack) => postgresOf(config, closing, logger);
  return openAll(config, postgres, logger);
};

const openAll = async (
  config: Config,
  postgres: (closing: AsyncDisposableStack) => Promise<string>,
  logger: Logger,
  tracing?: Tracing,
): Promise<Adapters> => {
  await using closing = new AsyncDisposableStack();
  const databaseUrl = await postgres(closing);
  const stored = await logIn(config, async () => databaseUrl, closing, logger);
  const db = openDatabase({ url: databaseUrl, logger });
  closing.defer(() => db.close());
  await refuseUnfinishedRestore(db.pool);
  await mustNotBeLeftBehind(db.pool, thisRelease(null).version);
  await migrate(db.pool, migrations);
  const secrets = await secretsFor(config, stored, db.pool, tracing !== undefined);
  const isLogInDatabase = config.eventstoreUrl === null;
  const opened = platformLog({
    log: stored,
    pool: db.pool,
    logger: tracing ? logger : loggerOf('silent'),
    isLogInDatabase,
    isBeingRestored: () => isBeingRestored(db.pool),
    isJournal: release.terms.isJournal,
    eventTypes: release.eventTypes,
    personal: { secrets, types: release.eventTypes },
    tracing,
    untracedCategories: useCategories,
  });
  const parts = closing.move();
  return {
    opened,
    clock: () => clockOf(config, stored),
    stored,
    db,
    secrets,
    databaseUrl,
    close: () => parts.disposeAsync(),
  };
};

/**
 * NATS, if it is the bus; it connects in the background, and calls fail while it is unreachable.
 * `null`: the log is the bus.
 */
export const openNats = async (
  { nats, busPrefix }: Pick<Config, 'nats' | 'busPrefix'>,
  logger: Logger,
): Promise<Nats | null> => {
  if (nats === null) return null;
  // Loaded on demand, because the client takes long to load.
  const { natsLink } = await import('../bus/nats/link.ts');
  const { replicas, ...address } = nats;
  return natsLink({ address, replicas, layout: layoutOf(busPrefix), logger });
};
