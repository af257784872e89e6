import { configOf, type Config } from '../config/config.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import { commandLogger, type Env } from './command-logger.ts';
import { mustBeInstalled } from './installed.ts';
import { openLog } from './open-log.ts';
import { messageForOperator, OperatorError } from './operator-error.ts';

/**
 * Runs `work` on the configured log, and closes it. A log in EventStoreDB needs no Postgres.
 *
 * @param makes The log may be created in a configured database that has none yet.
 * @throws {@link BadConfiguration}, {@link OperatorError} if the log cannot be opened, and errors
 *   of `work`.
 */
export const onLog = async <Outcome>(
  env: Env,
  work: (log: EventStore, config: Config) => Promise<Outcome>,
  { makes = false }: { readonly makes?: boolean } = {},
): Promise<Outcome> => {
  const config = configOf(env);
  if (config.eventstoreUrl === null) {
    await mustBeInstalled(config, { tables: !makes }).catch(unlessMissing);
  }
  const { log, close } = await openLog(config, await commandLogger(env, config)).catch(
    cannotBeOpened,
  );
  try {
    return await work(log, config);
  } finally {
    await close();
  }
};

/** A missing installation keeps its own error message. */
const unlessMissing = (error: unknown): never => {
  if (error instanceof OperatorError) throw error;
  return cannotBeOpened(error);
};

const cannotBeOpened = (error: unknown): never => {
  const why = messageForOperator(error) ?? (error as Error).message;
  throw new OperatorError(`the event log cannot be opened: ${why}`, error);
};
