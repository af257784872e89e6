/** How much of the event loop's time one sandbox may have, so that others have theirs. */
import { SLICE_MAX_MS } from '../engine/limits.ts';
import { SANDBOX_LOOP_TURN_WAIT_MAX_MS } from './limits.ts';
import { pause } from '../engine/concurrency/backoff.ts';

export interface LoopShare {
  /**
   * Something of the sandbox's begins in this turn of the loop. What follows from it until the
   * loop goes on to something else is counted. Twice in a turn is once.
   */
  enter(): void;
  /** Milliseconds until it has some left; 0: it has. */
  overdrawnMs(): number;
  /**
   * As `enter`, for background work: waits while more than half of the burst is used, so that
   * requests always find the rest. First in, first out. After `turnWaitMaxMs` a slice goes ahead
   * all the same, so that requests do not starve it.
   */
  turn(signal?: AbortSignal): Promise<void>;
}

export interface LoopShareOptions {
  /** Of the loop's time, in the long run: above 0, at most 1. */
  readonly share: number;
  /** What it may use at once after it was idle, in milliseconds of the loop. */
  readonly burstMs: number;
  /** Default {@link SANDBOX_LOOP_TURN_WAIT_MAX_MS}. */
  readonly turnWaitMaxMs?: number;
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
  const { computed = computedByThread, turnWaitMaxMs = SANDBOX_LOOP_TURN_WAIT_MAX_MS } = options;
  let debtMs = 0;
  let settledAt = now();
  let isInside = false;
  /** Until then background work goes ahead though its part is used up. */
  let aheadUntil = -Infinity;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  const settle = (at: number) => {
    debtMs = Math.max(0, debtMs - (at - settledAt) * share);
    settledAt = at;
  };

  /** Milliseconds until the debt is below `limitMs`. */
  const aboveMs = (limitMs: number): number => {
    settle(now());
    return Math.max(0, (debtMs - limitMs) / share);
  };

  const heldMs = (): number =>
    performance.now() < aheadUntil ? 0 : aboveMs(burstMs * BACKGROUND_PART);

  const waitForTurn = async (signal: AbortSignal): Promise<void> => {
    const deadline = performance.now() + turnWaitMaxMs;
    for (let ms = heldMs(); ms > 0 && !signal.aborted; ms = heldMs()) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) {
        aheadUntil = performance.now() + SLICE_MAX_MS;
        return;
      }
      await pause(Math.ceil(Math.min(ms, leftMs)), signal);
    }
  };

  const own: LoopShare = {
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

    overdrawnMs: () => aboveMs(burstMs),

    async turn(signal = new AbortController().signal) {
      if (waiting > 0 || heldMs() > 0) {
        waiting += 1;
        const mine = last.then(() => waitForTurn(signal));
        last = mine.catch(() => {});
        await mine.finally(() => {
          waiting -= 1;
        });
      }
      own.enter();
    },
  };
  return own;
};

/** The part of the burst that background work may use. */
const BACKGROUND_PART = 0.5;
