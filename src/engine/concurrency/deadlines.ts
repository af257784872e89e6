import { DEADLINE_SWEEP_MS } from '../limits.ts';

/** Deadlines of many short operations, on one timer. */
export interface Deadlines {
  /**
   * Calls `late` once, `withinMs` from now, or up to the precision later.
   *
   * @returns The idempotent function that cancels the deadline.
   */
  within(withinMs: number, late: () => void): () => void;
}

interface Deadline {
  readonly atMs: number;
  readonly late: () => void;
}

/**
 * Operations nearly always end long before their deadline, so a periodic sweep costs less than a
 * timer each. No timer runs while there is no deadline, and none keeps the process alive.
 *
 * @param precisionMs Default {@link DEADLINE_SWEEP_MS}.
 */
export const deadlines = (precisionMs: number = DEADLINE_SWEEP_MS): Deadlines => {
  const open = new Set<Deadline>();
  let isScheduled = false;

  const sweep = () => {
    isScheduled = false;
    const nowMs = performance.now();
    let nextMs = Infinity;
    for (const deadline of open) {
      if (deadline.atMs > nowMs) {
        nextMs = Math.min(nextMs, deadline.atMs - nowMs);
        continue;
      }
      open.delete(deadline);
      deadline.late();
    }
    if (nextMs < Infinity) sweepIn(nextMs);
  };
  const sweepIn = (ms: number) => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(sweep, Math.min(ms, precisionMs)).unref();
  };

  return {
    within(withinMs, late) {
      const deadline = { atMs: performance.now() + withinMs, late };
      open.add(deadline);
      sweepIn(withinMs);
      return () => void open.delete(deadline);
    },
  };
};
