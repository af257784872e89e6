import { DEADLINE_SWEEP_MS } from '../limits.ts';

/** Deadlines of many short things at once, held by one timer. */
export interface Deadlines {
  /**
   * Calls `late` once, when `withinMs` is over or up to {@link DEADLINE_SWEEP_MS} later.
   *
   * @returns What calls it off. Doing it twice, or after it was late, is doing nothing.
   */
  within(withinMs: number, late: () => void): () => void;
}

interface Deadline {
  readonly atMs: number;
  readonly late: () => void;
}

/**
 * A timer of its own for each thing that is nearly always over long before costs more than a look
 * at all of them now and then. While there is none, no timer runs.
 */
export const deadlines = (): Deadlines => {
  const open = new Set<Deadline>();
  let looking = false;

  const look = () => {
    looking = false;
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
    if (nextMs < Infinity) lookIn(nextMs);
  };
  const lookIn = (ms: number) => {
    if (looking) return;
    looking = true;
    setTimeout(look, Math.min(ms, DEADLINE_SWEEP_MS));
  };

  return {
    within(withinMs, late) {
      const deadline = { atMs: performance.now() + withinMs, late };
      open.add(deadline);
      lookIn(withinMs);
      return () => void open.delete(deadline);
    },
  };
};
