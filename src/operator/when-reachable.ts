import { isUnreachable } from '../engine/postgres/errors.ts';
import { RETRY_FIRST_MS } from '../engine/limits.ts';
import { START_RETRY_MAX_MS, START_WAIT_MAX_MS } from './limits.ts';
import { backoff } from '../engine/concurrency/backoff.ts';
import type { Logger } from '../engine/observe/logging.ts';
import { LogUnavailable } from '../engine/log/event-store.ts';
import { LogRefused } from '../engine/log/log-refused.ts';

/**
 * Opens a dependency that may start later than this server.
 *
 * @throws A permanent failure at once, any other after {@link START_WAIT_MAX_MS}.
 */
export const whenReachable = async <T>(open: () => Promise<T>, logger: Logger): Promise<T> => {
  const givenUpAt = performance.now() + START_WAIT_MAX_MS;
  const delays = backoff(RETRY_FIRST_MS, START_RETRY_MAX_MS);
  // Never aborted: during a start, SIGTERM ends the process at once.
  const never = new AbortController().signal;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!isTransient(error) || performance.now() >= givenUpAt) throw error;
      logger.warn({ reason: (error as Error).message }, 'waiting for the database and the log');
      await delays.pause(never);
    }
  }
};

/** A refused log is permanent: an operator must repair it. */
const isTransient = (error: unknown): boolean =>
  (error instanceof LogUnavailable && !(error instanceof LogRefused)) || isUnreachable(error);
