import { LOOP_LOOK_MS } from '../limits.ts';

/** How long the event loop is held up. */
export interface LoopDelay {
  /**
   * The shorter delay of the last two checks, in milliseconds: one long turn, or a machine that
   * slept, is no load.
   */
  ms(): number;
  stop(): void;
}

/**
 * Checks every {@link LOOP_LOOK_MS} how late the check is. Node's own measure ticks a hundred times
 * a second, which is a third of what an idle process costs.
 *
 * @param now Milliseconds since any moment. Default: since the process began.
 */
export const loopDelay = (now: () => number = () => performance.now()): LoopDelay => {
  let dueMs = now() + LOOP_LOOK_MS;
  let [before, last] = [0, 0];
  const timer = setInterval(() => {
    const atMs = now();
    [before, last] = [last, Math.max(0, atMs - dueMs)];
    dueMs = atMs + LOOP_LOOK_MS;
  }, LOOP_LOOK_MS).unref();
  return {
    ms: () => Math.min(before, last),
    stop: () => clearInterval(timer),
  };
};
