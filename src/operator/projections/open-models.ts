import { configOf, type Config } from '../../config.ts';
import { leases as leasesIn, type Leases } from '../../consumers/leases.ts';
import { consumers as consumersOf } from '../../consumers/runtime.ts';
import type { Database } from '../../db/pool.ts';
import { releasedProjections } from '../../compose.ts';
import type { AnyProjection } from '../../projections/projection.ts';
import { readModels, type ReadModels } from '../../projections/read-models.ts';
import type { EventStore } from '../../store/event-store.ts';
import { adoptLog, FedFromAnotherLog, isOfAnotherLog } from '../../consumers/log-change.ts';
import { openAdapters } from '../adapters.ts';
import { commandLogger, type Env } from '../command-logger.ts';
import { interruption } from '../interruption.ts';
import { OperatorError } from '../operator-error.ts';
import { systemClock } from '../../ops/clock.ts';

/** What commands on read models work with. */
export interface OpenModels {
  readonly config: Config;
  readonly log: EventStore;
  readonly models: ReadModels;
  readonly projections: readonly AnyProjection[];
  readonly db: Database;
  readonly leases: Leases;
  /**
   * Competes for the read models like every process that feeds them: where no other process does,
   * requests are carried out here. Read models of another log are reset first, as by a server, and
   * a line says so.
   *
   * @throws {@link OperatorError} if the database is fed from another log.
   */
  feed(): Promise<void>;
  /**
   * For commands on the read models as they are: those of another log are neither shown nor
   * verified, and not reset either. Only preparing them resets them.
   *
   * @throws {@link OperatorError} if they are of another log.
   */
  checkLog(): Promise<void>;
  /** Aborts at Ctrl-C, and when the process is told to end. */
  readonly signal: AbortSignal;
}

/**
 * Opens the log and the database of the server, running or not, for `work`.
 *
 * @param name Of the one read model that this is about. Default: all of this release.
 * @throws {@link OperatorError} if this release has no read model of that name.
 */
export const onModels = async <T>(
  env: Env,
  name: string | undefined,
  work: (opened: OpenModels) => Promise<T>,
): Promise<T> => {
  const projections = releasedProjections.filter((one) => name === undefined || one.name === name);
  if (projections.length === 0) {
    const names = releasedProjections.map((one) => one.name).join(', ');
    throw new OperatorError(`there is no read model ${name}; there are ${names}`);
  }
  const config = configOf(env);
  const logger = commandLogger(env, config);
  const { db, log, close } = await openAdapters(config, logger);
  const leases = leasesIn({ db, logger });
  const ended = new AbortController();
  let feeding: Promise<void> | undefined;
  try {
    const consumers = consumersOf({ log, db, leases, clock: systemClock, logger });
    const models = readModels({ projections, consumers });
    return await work({
      config,
      log,
      models,
      projections,
      db,
      leases,
      async feed() {
        try {
          if (await adoptLog(db.pool, log))
            process.stderr.write('the log is another one: read models are built from the start\n');
        } catch (error) {
          if (error instanceof FedFromAnotherLog) throw new OperatorError(error.message);
          throw error;
        }
        feeding ??= consumers.start(models.runners, ended.signal);
      },
      async checkLog() {
        if (await isOfAnotherLog(db.pool, log)) throw new OperatorError(ANOTHER_LOG);
      },
      signal: interruption(),
    });
  } finally {
    ended.abort();
    await feeding;
    await leases.close();
    await close();
  }
};

const ANOTHER_LOG =
  'the read models are of another log than the configured one: set EVENTSTORE_URL and ' +
  'DATABASE_URL as the server has them, or have them built anew: atrium projections prepare';
