import { configOf } from '../../config.ts';
import type { EventStore } from '../../store/event-store.ts';
import { openLog } from '../adapters.ts';
import { loggerOf } from '../logging.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * Runs `work` on the log of the configuration, and closes it. Nothing else is opened: what is
 * moved to EventStoreDB needs no Postgres.
 *
 * @throws {@link BadConfiguration}, and whatever `work` throws.
 */
export const onLog = async <Outcome>(
  env: Env,
  work: (log: EventStore) => Promise<Outcome>,
): Promise<Outcome> => {
  // Standard output is for events.
  const { log, close } = await openLog(configOf(env), loggerOf('silent'));
  try {
    return await work(log);
  } finally {
    await close();
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
