/** Waiting in tests: for a condition, and, where there is nothing to wait for, for time itself. */
import { setTimeout as sleep } from 'node:timers/promises';

/** How soon what cannot be awaited is looked at again; after a long wait, less often. */
const LOOK_FIRST_MS = 10;
const LOOK_MAX_MS = 50;
/** Of the time that has been waited: so much later than need be it is seen, at most. */
const LOOK_SHARE = 0.1;
/** Much more than it takes on a machine at work: what has not come by then does not come. */
export const WAITS_MAX_MS = 150_000;

/**
 * Polls until `holds` is true: each look takes from what it waits for, on a machine at work.
 *
 * @param everyMs Default: from {@link LOOK_FIRST_MS} to {@link LOOK_MAX_MS}, as time goes by.
 * @throws After `maxMs`, naming what did not happen.
 */
export const until = async (
  holds: () => boolean | Promise<boolean>,
  what = 'the condition',
  { maxMs = WAITS_MAX_MS, everyMs }: { maxMs?: number; everyMs?: number } = {},
): Promise<void> => {
  const began = performance.now();
  while (!(await holds())) {
    const waitedMs = performance.now() - began;
    if (waitedMs > maxMs) throw new Error(`${what} did not come about`);
    await sleep(everyMs ?? laterMs(waitedMs));
  }
};

/**
 * Polls until `count` has reached `enough`.
 *
 * @throws If it has not risen for {@link WAITS_MAX_MS}: slow progress is no failure.
 */
export const untilCount = async (
  count: () => number | Promise<number>,
  enough: number,
  what: string,
): Promise<void> => {
  for (;;) {
    const before = await count();
    if (before >= enough) return;
    await until(async () => (await count()) > before, `${what}, beyond ${before}`);
  }
};

const laterMs = (waitedMs: number): number =>
  Math.min(Math.max(waitedMs * LOOK_SHARE, LOOK_FIRST_MS), LOOK_MAX_MS);

/**
 * Lets time pass. For what must not happen meanwhile, for the length of a fault, and for what is
 * slow on purpose: whatever can be awaited is awaited instead.
 *
 * @param _why What the time is for.
 */
export const letPass = (ms: number, _why: string): Promise<void> => sleep(ms);

/** `held` if `answer` has not come within `ms`. */
export const heldFor = <Answer>(answer: Promise<Answer>, ms: number): Promise<Answer | 'held'> =>
  Promise.race([answer, sleep(ms, 'held' as const)]);
