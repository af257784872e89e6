import { pause } from '../concurrency/backoff.ts';
import { LOG_RETRY_MS } from '../limits.ts';
import { LogUnavailable } from './event-store.ts';

/**
 * Repeats `work` while it throws {@link LogUnavailable}; `null`: `signal` was aborted.
 *
 * @throws Its other errors.
 */
export const untilReachable = async <T>(
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | null> => {
  for (;;) {
    if (signal.aborted) return null;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      await pause(LOG_RETRY_MS, signal);
    }
  }
};
