import { configOf, type Config } from '../config/config.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import { openCommandAdapters } from './adapters.ts';
import { commandLogger, type Env } from './command-logger.ts';

/**
 * Runs `work`, which appends, on the guarded log: refused if it is another installation's or older
 * than the database. Closes it.
 *
 * @throws `BadConfiguration`, `OperatorError`, `LogRefused`, and whatever `work` throws.
 */
export const onPlatformLog = async <Outcome>(
  env: Env,
  work: (log: EventStore, config: Config) => Promise<Outcome>,
): Promise<Outcome> => {
  const config = configOf(env);
  const { opened, close } = await openCommandAdapters(config, await commandLogger(env, config));
  try {
    await opened.watch.check();
    return await work(opened.log, config);
  } finally {
    await close();
  }
};
