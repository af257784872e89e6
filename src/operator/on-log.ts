import { configOf, type Config } from '../config/config.ts';
import type { EventStore } from '../store/event-store.ts';

import { commandLogger, type Env } from './command-logger.ts';
import { openLog } from './open-log.ts';
import { messageForOperator, OperatorError } from './operator-error.ts';

/**
 * Runs `work` on the log of the configuration, and closes it. Nothing else is opened: a log in
 * EventStoreDB needs no Postgres.
 *
 * @throws {@link BadConfiguration}, {@link OperatorError} if the log cannot be opened, and whatever
 *   `work` throws.
 */
export const onLog = async <Outcome>(
  env: Env,
  work: (log: EventStore, config: Config) => Promise<Outcome>,
): Promise<Outcome> => {
  const config = configOf(env);
  const { log, close } = await openLog(config, commandLogger(env, config)).catch(cannotBeOpened);
  try {
    return await work(log, config);
  } finally {
    await close();
  }
};

const cannotBeOpened = (error: unknown): never => {
  const why = messageForOperator(error) ?? (error as Error).message;
  throw new OperatorError(`the event log cannot be opened: ${why}`, error);
};
