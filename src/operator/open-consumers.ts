import manifest from '../../package.json' with { type: 'json' };
import { release } from '../compose.ts';
import { configOf, type Config } from '../config/config.ts';
import { isOfAnotherLog } from '../engine/consumers/log-change.ts';
import { releases as releasesIn, type Releases } from '../engine/consumers/releases.ts';
import { leases as leasesIn, type Leases } from '../engine/consumers/leases.ts';
import { consumers as consumersOf, type Consumers } from '../engine/consumers/runtime.ts';
import type { Database } from '../engine/postgres/pool.ts';
import { systemClock } from '../engine/time/clock.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import type { WrittenVersions } from '../engine/log/written-versions.ts';
import { openCommandAdapters } from './adapters.ts';
import { commandLogger, type Env } from './command-logger.ts';
import { databaseUnreachable } from './database-unreachable.ts';
import { interruption } from './interruption.ts';
import { OperatorError } from './operator-error.ts';

/** The parts for commands on the log's consumers. */
export interface OpenConsumers {
  readonly config: Config;
  readonly log: EventStore;
  /** The unguarded log, to repair a refused log. */
  readonly stored: EventStore;
  readonly versions: WrittenVersions;
  readonly db: Database;
  readonly leases: Leases;
  /** The running releases; a command is not counted. */
  readonly releases: Releases;
  readonly consumers: Consumers;
  /**
   * For commands that must not reset consumers of another log.
   *
   * @throws {@link OperatorError} if the consumers were fed from another log.
   */
  checkLog(): Promise<void>;
  /** Aborts on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/** Opens the log and the database of the server, running or not, for `work`. */
export const onConsumers = async <T>(
  env: Env,
  work: (opened: OpenConsumers) => Promise<T>,
): Promise<T> => {
  const config = configOf(env);
  const logger = await commandLogger(env, config);
  const { db, opened, stored, databaseUrl, close } = await openCommandAdapters(config, logger);
  const { log, versions } = opened;
  const leases = leasesIn({ db, logger });
  const releases = releasesIn({
    db,
    clock: systemClock,
    logger,
    name: manifest.version,
    roles: [],
    runs: [],
    reads: release.versionsRead,
  });
  try {
    return await work({
      config,
      log,
      stored,
      versions,
      db,
      leases,
      releases,
      consumers: consumersOf({ log, db, leases, releases, clock: systemClock, logger }),
      async checkLog() {
        if (await isOfAnotherLog(db.pool, stored)) throw new OperatorError(ANOTHER_LOG);
      },
      signal: interruption(),
    }).catch(databaseUnreachable(databaseUrl));
  } finally {
    await leases.close();
    await close();
  }
};

const ANOTHER_LOG =
  'the read models are of another log than the configured one: set EVENTSTORE_URL and ' +
  'DATABASE_URL as the server has them, or go on with this log: atrium log adopt';
