import { describe, expect, it } from 'vitest';
import { estimatedSize, estimatedRowSize } from '../../../src/engine/concurrency/estimated-size.ts';
import { lruCache } from '../../../src/engine/concurrency/lru-cache.ts';

describe('the estimated size of a value', () => {
  it('is 2 bytes per character, 1 per character of a name, and a slot for each value', () => {
    expect(estimatedSize('abc')).toBe(16 + 6);
    expect(estimatedSize(null)).toBe(16);
    expect(estimatedSize({ ab: 'abc', c: [1, true] })).toBe(16 + 2 + 22 + 1 + 16 + 2 * 16);
    expect(estimatedRowSize({ ab: 'abc' })).toBe(16 + 2 + 22);
  });

  it('counts shared values once', () => {
    const description = 'x'.repeat(10_000);
    const metadata = { source: 'cafm', list: Array.from({ length: 1_000 }, (_, n) => n) };
    const one = { description, metadata };
    const alone = estimatedSize(one);
    expect(alone).toBeGreaterThan(36_000);
    expect(estimatedSize(one, { ...one, state: 'triaged' }) - alone).toBeLessThan(500);
    expect(estimatedSize(one, one) - alone).toBe(16);
  });
});

describe('an LRU cache', () => {
  it('bounds its entries, and evicts the least recently used one first', () => {
    const memory = lruCache<string>(2);
    memory.set('a', 'A');
    memory.set('b', 'B');
    memory.get('a');
    memory.set('c', 'C');
    expect(['a', 'b', 'c'].map((key) => memory.get(key))).toEqual(['A', undefined, 'C']);
  });

  it('bounds its weight, but always keeps the last entry set', () => {
    const memory = lruCache<string>(100, { weightMax: 10, weightOf: ({ length }) => length });
    memory.set('a', 'x'.repeat(4));
    memory.set('b', 'x'.repeat(4));
    memory.set('c', 'x'.repeat(4));
    expect(memory.get('a')).toBeUndefined();
    memory.set('d', 'x'.repeat(50));
    expect(['b', 'c', 'd'].map((key) => memory.get(key)?.length)).toEqual([
      undefined,
      undefined,
      50,
    ]);
    memory.set('e', 'x');
    expect(memory.get('d')).toBeUndefined();
    expect(memory.get('e')).toBe('x');
  });

  it('weighs a value only when it is set', () => {
    const memory = lruCache<{ length: number }>(100, {
      weightMax: 10,
      weightOf: ({ length }) => length,
    });
    const growing = { length: 4 };
    memory.set('a', growing);
    growing.length = 400;
    memory.set('b', { length: 4 });
    memory.set('a', { length: 4 });
    memory.set('c', { length: 2 });
    for (const key of ['a', 'b', 'c']) expect(memory.get(key)).toBeDefined();
  });

  it('with a bound of 0 keeps no entry', () => {
    const memory = lruCache<string>(0);
    memory.set('a', 'A');
    expect(memory.get('a')).toBeUndefined();
  });
});
