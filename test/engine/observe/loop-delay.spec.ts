import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LOOP_LOOK_MS } from '../../../src/engine/limits.ts';
import { loopDelay, type LoopDelay } from '../../../src/engine/observe/loop-delay.ts';

let nowMs: number;
let delay: LoopDelay;
beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 0;
  delay = loopDelay(() => nowMs);
});
afterEach(() => {
  delay.stop();
  vi.useRealTimers();
});

/** The next sample is `lateMs` late. */
const lookLate = (lateMs: number) => {
  nowMs += LOOP_LOOK_MS + lateMs;
  vi.advanceTimersByTime(LOOP_LOOK_MS);
};

it('is 0 while the loop keeps up, and after a single long turn', () => {
  expect(delay.ms()).toBe(0);
  for (const lateMs of [0, 0, 20_000, 0, 3_000, 0]) {
    lookLate(lateMs);
    expect(delay.ms()).toBe(0);
  }
});

it('is the delay of consecutive long turns, and 0 soon after them', () => {
  lookLate(2_500);
  lookLate(3_000);
  expect(delay.ms()).toBe(2_500);
  lookLate(4_000);
  expect(delay.ms()).toBe(3_000);
  lookLate(0);
  expect(delay.ms()).toBe(0);
});

it('takes no sample once it is stopped', () => {
  delay.stop();
  expect(vi.getTimerCount()).toBe(0);
});
