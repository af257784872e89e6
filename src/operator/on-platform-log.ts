import { configOf, type Config } from '../config/config.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import { openCommandAdapters } from './adapters.ts';
import { commandLogger, type Env } from './command-logger.ts';
import { databaseUnreachable } from './database-unreachable.ts';

/**
 * Runs `work`, which appends, on the guarded log, and closes it. A log of another installation, or
 * older than the database, is refused.
 *
 * @throws `BadConfiguration`, `OperatorError`, `LogRefused`, and errors of `work`.
 */
export const onPlatformLog = async <Outcome>(
  env: Env,
  work: (log: EventStore, config: Config) => Promise<Outcome>,
): Promise<Outcome> => {
  const config = configOf(env);
  const logger = await commandLogger(env, config);
  const { opened, databaseUrl, close } = await openCommandAdapters(config, logger);
  try {
    await opened.watch.check();
    return await work(opened.log, config);
  } catch (error) {
    return databaseUnreachable(databaseUrl)(error);
  } finally {
    await close();
  }
};
