/** The adapters that a configuration asks for: shared by the server and the operator's commands. */
import { layoutOf } from '../bus/nats/layout.ts';
import type { Nats } from '../bus/nats/nats.ts';
import { releasedEventTypes } from '../compose.ts';
import type { Config } from '../config/config.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase, type Database } from '../db/pool.ts';
import type { Logger } from '../ops/logging.ts';
import type { EventStore } from '../store/event-store.ts';
import { writtenIn, writtenVersions, type WrittenVersions } from '../store/written-versions.ts';
import { logIn, postgresOf } from './open-log.ts';

export interface Adapters {
  readonly log: EventStore;
  /** In which versions the events of {@link log} are written, as operators have said. */
  readonly versions: WrittenVersions;
  /** Migrated. */
  readonly db: Database;
  /** Where {@link db} is. */
  readonly databaseUrl: string;
  /** Closes them in the reverse order; an embedded Postgres stops with its last user. */
  close(): Promise<void>;
}

/**
 * Opens the database, embedded where none is configured, and the log: EventStoreDB where it is
 * configured, else in the database.
 *
 * @throws If one of them cannot be opened; those opened before are closed again.
 */
export const openAdapters = async (config: Config, logger: Logger): Promise<Adapters> => {
  await using closing = new AsyncDisposableStack();
  const databaseUrl = await postgresOf(config, closing, logger);
  const bare = await logIn(config, async () => databaseUrl, closing, logger);
  const versions = writtenVersions(bare, releasedEventTypes);
  const log = writtenIn(bare, versions);
  const db = openDatabase({ url: databaseUrl, logger });
  closing.defer(() => db.close());
  await migrate(db.pool);
  const opened = closing.move();
  return { log, versions, db, databaseUrl, close: () => opened.disposeAsync() };
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
