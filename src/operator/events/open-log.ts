import { configOf, type Config } from '../../config.ts';
import type { EventStore } from '../../store/event-store.ts';
import { openLog } from '../adapters.ts';
import { commandLogger, type Env } from '../command-logger.ts';
import { EventsRefused } from './refused.ts';

/**
 * Runs `work` on the log of the configuration, and closes it. Nothing else is opened: what is
 * moved to EventStoreDB needs no Postgres.
 *
 * @throws {@link BadConfiguration}, {@link EventsRefused} if the log cannot be had, and whatever
 *   `work` throws.
 */
export const onLog = async <Outcome>(
  env: Env,
  work: (log: EventStore) => Promise<Outcome>,
): Promise<Outcome> => {
  const { log, close } = await opened(env, configOf(env));
  try {
    return await work(log);
  } finally {
    await close();
  }
};

const opened = async (env: Env, config: Config) => {
  try {
    return await openLog(config, commandLogger(env, config));
  } catch (error) {
    // Of several addresses that were tried in vain, Node says only the code.
    const { message, code } = error as NodeJS.ErrnoException;
    throw new EventsRefused(`the event log cannot be opened: ${message || code}`, error);
  }
};

/** Aborts at the first Ctrl-C or SIGTERM; the second one ends the process as usual. */
export const interruption = (): AbortSignal => {
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort());
  return interrupted.signal;
};

/** `a, b` as an operator writes it. */
export const listOf = (text: string | undefined): readonly string[] | null => {
  const parts = (text ?? '').split(',').map((part) => part.trim());
  const named = parts.filter((part) => part !== '');
  return named.length === 0 ? null : named;
};
