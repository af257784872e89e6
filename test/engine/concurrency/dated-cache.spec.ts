import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { datedCache } from '../../../src/engine/concurrency/dated-cache.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('expires a value by the time at which it was read, not the time at which it was set', () => {
  const cache = datedCache<string>(2, 1_000);
  const readAt = performance.now();
  vi.advanceTimersByTime(400);
  cache.set('a', 'one', readAt);
  vi.advanceTimersByTime(599);
  expect(cache.get('a')).toEqual({ value: 'one', readAt });
  // Derived from a cached value: as old as that one.
  cache.set('b', 'two', cache.get('a')!.readAt);
  vi.advanceTimersByTime(1);
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, undefined]);
});

it('forgets deleted and evicted values', () => {
  const cache = datedCache<string>(9, 1_000, { weightMax: 4, weightOf: ({ length }) => length });
  for (const text of ['ab', 'cd', 'ef']) cache.set(text, text, performance.now());
  cache.delete('ef');
  expect(['ab', 'cd', 'ef'].map((key) => cache.get(key)?.value)).toEqual([
    undefined,
    'cd',
    undefined,
  ]);
});
