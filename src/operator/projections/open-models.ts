import { release } from '../../compose.ts';
import { adoptLog, FedFromAnotherLog } from '../../engine/consumers/log-change.ts';
import type { AnyProjection } from '../../engine/projections/projection.ts';
import { readModels, type ReadModels } from '../../engine/projections/read-models.ts';
import type { Env } from '../command-logger.ts';
import { onConsumers, type OpenConsumers } from '../open-consumers.ts';
import { OperatorError } from '../operator-error.ts';

/** The parts for commands on read models. */
export interface OpenModels extends OpenConsumers {
  readonly models: ReadModels;
  readonly projections: readonly AnyProjection[];
  /**
   * Competes for the read models' leases like every process that feeds them, so that requests are
   * carried out here if no other process does. Read models of another log are reset first, as by a
   * server, with a line of output.
   *
   * @throws {@link OperatorError} if the database is fed from another log.
   */
  feed(): Promise<void>;
}

/**
 * Opens the log and the database of the server, running or not, for `work`.
 *
 * @param name The read model. Default: all of this release.
 * @throws {@link OperatorError} if this release has no read model of that name.
 */
export const onModels = async <T>(
  env: Env,
  name: string | undefined,
  work: (opened: OpenModels) => Promise<T>,
): Promise<T> => {
  const projections = release.projections.filter((one) => name === undefined || one.name === name);
  if (projections.length === 0) {
    const names = release.projections.map((one) => one.name).join(', ');
    throw new OperatorError(`there is no read model ${name}; there are ${names}`);
  }
  return onConsumers(env, async (opened) => {
    const { db, log, consumers } = opened;
    const models = readModels({ projections, consumers });
    const ended = new AbortController();
    let feeding: Promise<void> | undefined;
    try {
      return await work({
        ...opened,
        models,
        projections,
        async feed() {
          try {
            if (await adoptLog(db.pool, log))
              process.stderr.write(
                'the log is another one: read models are built from the start\n',
              );
          } catch (error) {
            if (error instanceof FedFromAnotherLog) throw new OperatorError(error.message);
            throw error;
          }
          feeding ??= consumers.start(models.runners, ended.signal);
        },
      });
    } finally {
      ended.abort();
      await feeding;
    }
  });
};
