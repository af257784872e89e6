import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { datedCache } from '../../../src/engine/concurrency/dated-cache.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('returns a value as long as it is trusted, by when it was read and not when it was set', () => {
  const cache = datedCache<string>(2, 1_000);
  const readAt = performance.now();
  vi.advanceTimersByTime(400);
  cache.set('a', 'one', readAt);
  vi.advanceTimersByTime(599);
  expect(cache.get('a')).toEqual({ value: 'one', readAt });
  // Made from what was cached: no younger than that.
  cache.set('b', 'two', cache.get('a')!.readAt);
  vi.advanceTimersByTime(1);
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, undefined]);
});

it('forgets what is deleted, and what does not fit', () => {
  const cache = datedCache<string>(9, 1_000, { weightMax: 4, weightOf: ({ length }) => length });
  for (const text of ['ab', 'cd', 'ef']) cache.set(text, text, performance.now());
  cache.delete('ef');
  expect(['ab', 'cd', 'ef'].map((key) => cache.get(key)?.value)).toEqual([
    undefined,
    'cd',
    undefined,
  ]);
});
