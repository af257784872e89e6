/** A fair share of the event loop's time for each sandbox. */
import { SLICE_MAX_MS } from '../engine/limits.ts';
import { SANDBOX_LOOP_TURN_WAIT_MAX_MS } from './limits.ts';
import { semaphore } from '../engine/concurrency/semaphore.ts';
import { pause } from '../engine/concurrency/backoff.ts';

export interface LoopShare {
  /**
   * Begins work of the sandbox in this turn of the loop. Its time is counted until the end of the
   * turn. Idempotent within a turn.
   */
  enter(): void;
  /** Milliseconds until the sandbox may use the loop again; 0: now. */
  overdrawnMs(): number;
  /**
   * `enter` for background work: waits while more than half of the burst is used, which reserves
   * the rest for requests. FIFO. After `turnWaitMaxMs` a slice proceeds anyway, so that requests do
   * not starve it.
   */
  turn(signal?: AbortSignal): Promise<void>;
}

export interface LoopShareOptions {
  /** Long-term share of the loop's time: above 0, at most 1. */
  readonly share: number;
  /** Burst after being idle, in milliseconds of the loop. */
  readonly burstMs: number;
  /** Default {@link SANDBOX_LOOP_TURN_WAIT_MAX_MS}. */
  readonly turnWaitMaxMs?: number;
  /** Monotonic, in milliseconds. Default `performance.now`. */
  readonly now?: () => number;
  /**
   * CPU time of the loop's thread in milliseconds. It excludes the time that a busy machine gives
   * to other processes. Default `process.threadCpuUsage`.
   */
  readonly computed?: () => number;
}

const computedByThread = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/**
 * A token bucket as a debt that grows with CPU time and shrinks with wall time multiplied by the
 * share.
 *
 * A turn is counted from {@link LoopShare.enter} to the end of its microtasks, which process the
 * received data.
 */
export const loopShare = (options: LoopShareOptions): LoopShare => {
  const { share, burstMs, now = () => performance.now() } = options;
  const { computed = computedByThread, turnWaitMaxMs = SANDBOX_LOOP_TURN_WAIT_MAX_MS } = options;
  let debtMs = 0;
  let settledAt = now();
  let isInside = false;
  /** Until this time background work proceeds although its part is used up. */
  let aheadUntil = -Infinity;
  let waiting = 0;
  const turns = semaphore(1);

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
      // `nextTick` callbacks run after the microtasks.
      queueMicrotask(() => process.nextTick(leave));
    },

    overdrawnMs: () => aboveMs(burstMs),

    async turn(signal = new AbortController().signal) {
      if (waiting > 0 || heldMs() > 0) {
        waiting += 1;
        await turns
          .run(() => waitForTurn(signal))
          .finally(() => {
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
