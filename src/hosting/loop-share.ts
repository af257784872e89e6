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
  /**
   * What the loop's thread has computed so far, in milliseconds. What a busy machine gives to
   * others meanwhile is no sandbox's doing. Default `process.threadCpuUsage`.
   */
  readonly computed?: () => number;
}

const computedByThread = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/**
 * A debt that grows by what is computed and shrinks by the share of the time that goes by.
 *
 * A turn is counted from {@link LoopShare.enter} to the end of its microtasks, in which
 * everything runs that was waiting for what has arrived.
 */
export const loopShare = (options: LoopShareOptions): LoopShare => {
  const { share, burstMs, now = () => performance.now() } = options;
  const { computed = computedByThread } = options;
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
      settle(now());
      const before = computed();
      const leave = () => {
        isInside = false;
        debtMs += computed() - before;
        settle(now());
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
