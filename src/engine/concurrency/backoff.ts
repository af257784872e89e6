import { setTimeout as sleep } from 'node:timers/promises';
import { RETRY_FIRST_MS, RETRY_MAX_MS } from '../limits.ts';

/** Exponential backoff with jitter, for attempts that never end. */
export interface Backoff {
  /** Waits for the next pause, or until `signal` aborts. */
  pause(signal: AbortSignal): Promise<void>;
  /** Call after a success: the next pause is the first one again. */
  reset(): void;
}

/**
 * Doubles from `firstMs` to `maxMs`. Each pause is a random one between half and the whole of it,
 * so that clients that failed together do not retry together.
 */
export const backoff = (firstMs = RETRY_FIRST_MS, maxMs = RETRY_MAX_MS): Backoff => {
  let next = firstMs;
  return {
    async pause(signal) {
      const drawn = next * (0.5 + Math.random() / 2);
      next = Math.min(next * 2, maxMs);
      await pause(drawn, signal);
    },
    reset() {
      next = firstMs;
    },
  };
};

/** Resolves after `ms`, or when `signal` aborts. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};

/**
 * Repeats `work` with growing pauses until it succeeds or `signal` aborts.
 *
 * @param failed Called with every failure.
 */
export const retry = async (
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
