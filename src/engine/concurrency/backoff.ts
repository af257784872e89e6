import { setTimeout as sleep } from 'node:timers/promises';
import { RETRY_FIRST_MS, RETRY_MAX_MS } from '../limits.ts';

/** Growing, jittered pauses between attempts that go on without end. */
export interface Backoff {
  /** Waits for the next pause, or until `signal` aborts. */
  pause(signal: AbortSignal): Promise<void>;
  /** It worked: the next pause is the first again. */
  reset(): void;
}

/**
 * Doubles from `firstMs` to `maxMs`. Each pause is drawn between half and the whole of it, so that
 * what failed together does not come back together.
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

/** Waits `ms`, or until `signal` aborts; an abort is no error. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
