import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { validate, version } from 'uuid';
import { timeOrderedId } from '../../../src/engine/time/time-ordered-id.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is a UUID of version 7, of its millisecond, and never the same', () => {
  vi.setSystemTime('2026-03-01T09:00:00.123Z');
  const ids = Array.from({ length: 1_000 }, timeOrderedId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) {
    expect(validate(id)).toBe(true);
    expect(version(id)).toBe(7);
    const ms = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    expect(new Date(ms).toISOString()).toBe('2026-03-01T09:00:00.123Z');
  }
});

it('sorts by time as text', () => {
  const ids = [0, 1, 15, 16, 255, 2 ** 40].map((ms) => {
    vi.setSystemTime(ms);
    return timeOrderedId();
  });
  expect(ids.toSorted()).toEqual(ids);
});
