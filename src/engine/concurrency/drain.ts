import { backoff } from './backoff.ts';

/**
 * Repeats `work` with growing pauses until it succeeds or `signal` aborts.
 *
 * @param failed Told of every failure.
 */
export const untilDone = async (
  work: () => Promise<unknown>,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> => {
  const delays = backoff();
  while (!signal.aborted) {
    try {
      await work();
      return;
    } catch (error) {
      failed(error);
      await delays.pause(signal);
    }
  }
};
