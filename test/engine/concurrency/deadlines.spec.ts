import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DEADLINE_SWEEP_MS } from '../../../src/engine/limits.ts';
import { deadlines } from '../../../src/engine/concurrency/deadlines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('calls each late operation once, in the order of the deadlines', () => {
  const late: string[] = [];
  const watched = deadlines();
  watched.within(10_000, () => late.push('long'));
  watched.within(500, () => late.push('short'));
  vi.advanceTimersByTime(500 + DEADLINE_SWEEP_MS);
  expect(late).toEqual(['short']);
  vi.advanceTimersByTime(20_000);
  expect(late).toEqual(['short', 'long']);
});

it('never calls a cancelled operation, and keeps no timer for it', () => {
  const late: string[] = [];
  const watched = deadlines();
  const callOff = watched.within(1_000, () => late.push('late'));
  callOff();
  callOff();
  vi.advanceTimersByTime(10_000);
  expect(late).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it('also calls operations that began after a sweep', () => {
  const late: string[] = [];
  const watched = deadlines();
  watched.within(200, () => late.push('first'));
  vi.advanceTimersByTime(1_000);
  watched.within(200, () => late.push('second'));
  vi.advanceTimersByTime(1_000);
  expect(late).toEqual(['first', 'second']);
});

it('keeps no process alive', () => {
  vi.useRealTimers();
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const callOff = deadlines().within(1_000, () => {});
  expect(timers()).toBe(before);
  callOff();
});
