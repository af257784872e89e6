/** Waiting in tests: for a condition, or, if there is none, for a time. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Interval of polls, which grows with the time waited. */
const LOOK_FIRST_MS = 10;
const LOOK_MAX_MS = 200;
/** The interval as a share of the time waited, which bounds the relative delay of detection. */
const LOOK_SHARE = 0.1;
/** Far more than needed on a busy machine: a condition not met by then is not met at all. */
export const WAITS_MAX_MS = 150_000;

/**
 * Polls until `holds` is true; rarely, as each poll slows down the awaited work on a busy machine.
 *
 * @param everyMs Default: from {@link LOOK_FIRST_MS} to {@link LOOK_MAX_MS}, as time goes by.
 * @throws After `maxMs`, with `what`.
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
 * Lets time pass, for events that must not happen meanwhile, for the length of a fault, and for
 * deliberately slow work. Where there is a condition, await it instead.
 *
 * @param _why What the time is for.
 */
export const letPass = (ms: number, _why: string): Promise<void> => sleep(ms);

/** `held` if `answer` has not come within `ms`. */
export const heldFor = <Answer>(answer: Promise<Answer>, ms: number): Promise<Answer | 'held'> =>
  Promise.race([answer, sleep(ms, 'held' as const)]);
