/** How much of the event loop's time one sandbox may have, so that others have theirs. */

export interface LoopShare {
  /**
   * Something of the sandbox's begins in this turn of the loop. What follows from it until the
   * loop goes on to something else is counted. Twice in a turn is once.
   */
  enter(): void;
  /** Milliseconds until it has some left; 0: it has. */
  overdrawnMs(): number;
}

export interface LoopShareOptions {
  /** Of the loop's time, in the long run: above 0, at most 1. */
  readonly share: number;
  /** What it may use at once after it was idle, in milliseconds of the loop. */
  readonly burstMs: number;
  /** Monotonic, in milliseconds. Default `performance.now`. */
  readonly now?: () => number;
}

/**
 * A debt that grows by the time that is used and shrinks by the share of the time that goes by.
 *
 * A turn is counted from {@link LoopShare.enter} to the end of its microtasks, in which
 * everything runs that was waiting for what has arrived.
 */
export const loopShare = (options: LoopShareOptions): LoopShare => {
  const { share, burstMs, now = () => performance.now() } = options;
  let debtMs = 0;
  let settledAt = now();
  let isInside = false;

  const settle = (at: number) => {
    debtMs = Math.max(0, debtMs - (at - settledAt) * share);
    settledAt = at;
  };

  return {
    enter() {
      if (isInside) return;
      isInside = true;
      const beganAt = now();
      settle(beganAt);
      const leave = () => {
        isInside = false;
        const at = now();
        debtMs += at - beganAt;
        settle(at);
      };
      // The queue of ticks is looked at when that of microtasks is empty.
      queueMicrotask(() => process.nextTick(leave));
    },

    overdrawnMs() {
      settle(now());
      return Math.max(0, (debtMs - burstMs) / share);
    },
  };
};
