/** Waiting in tests: for a condition, and, where there is nothing to wait for, for time itself. */
import { setTimeout as sleep } from 'node:timers/promises';

/** How often what cannot be awaited is looked at. */
const LOOK_MS = 10;
/** Much more than it takes on a machine at work: what has not come by then does not come. */
export const WAITS_MAX_MS = 150_000;

/** Polls until `holds` is true. @throws After `maxMs`, naming what did not happen. */
export const until = async (
  holds: () => boolean | Promise<boolean>,
  what = 'the condition',
  { maxMs = WAITS_MAX_MS, everyMs = LOOK_MS }: { maxMs?: number; everyMs?: number } = {},
): Promise<void> => {
  const givenUpAt = performance.now() + maxMs;
  while (!(await holds())) {
    if (performance.now() > givenUpAt) throw new Error(`${what} did not come about`);
    await sleep(everyMs);
  }
};

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
