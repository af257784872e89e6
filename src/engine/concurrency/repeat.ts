import { RETRY_FIRST_MS, RETRY_MAX_MS } from '../limits.ts';
import { backoff, pause } from './backoff.ts';
import { Signal } from './signal.ts';

export interface RepeatOptions {
  readonly signal: AbortSignal;
  /**
   * Called with each failure of a pass, also during a stop; an error that it throws ends the loop.
   */
  readonly failed: (error: unknown) => void | Promise<void>;
  /** Wakeups end a rest. Default: none. */
  readonly wakeups?: Signal | undefined;
  /** The longest pause after failures. Default {@link RETRY_MAX_MS}. */
  readonly pauseMaxMs?: number;
  /** Wakeups this soon after the first one cause no further pass. Default 0. */
  readonly debounceMs?: number | undefined;
}

/**
 * Repeats `work` until `signal` aborts, with growing pauses after failures.
 *
 * @param work One pass. @returns Milliseconds to rest before the next one, unless woken earlier.
 */
export const repeat = async (
  work: () => Promise<number>,
  options: RepeatOptions,
): Promise<void> => {
  const {
    signal,
    failed,
    wakeups = new Signal(),
    debounceMs = 0,
    pauseMaxMs = RETRY_MAX_MS,
  } = options;
  const delays = backoff(RETRY_FIRST_MS, pauseMaxMs);
  while (!signal.aborted) {
    try {
      // Counted before the pass, so that a wakeup during it is not lost.
      const seen = wakeups.count;
      const restMs = await work();
      delays.reset();
      if (restMs > 0) await wakeups.after(seen, signal, restMs);
    } catch (error) {
      await failed(error);
      await delays.pause(signal);
    }
    if (debounceMs > 0) await pause(debounceMs, signal);
  }
};
