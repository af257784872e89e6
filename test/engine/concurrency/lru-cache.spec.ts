import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { lruCache } from '../../../src/engine/concurrency/lru-cache.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const step = fc.oneof(
  fc.record({ kind: fc.constant('get' as const), key }),
  fc.record({ kind: fc.constant('delete' as const), key }),
  fc.record({ kind: fc.constant('set' as const), key, value: fc.integer({ min: 1, max: 6 }) }),
);

/** Least recently used first. */
type Model = { readonly key: string; readonly value: number }[];

const weightIn = (model: Model) => model.reduce((sum, { value }) => sum + value, 0);

it('keeps the most recently used entries within both bounds, and at least the last one set', () =>
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 12 }),
      (steps, entriesMax, weightMax) => {
        const cache = lruCache<number>(entriesMax, { weightMax, weightOf: (value) => value });
        let model: Model = [];
        const found: (readonly [actual: unknown, expected: unknown])[] = [];
        for (const one of steps) {
          const known = model.find((entry) => entry.key === one.key);
          const others = model.filter((entry) => entry.key !== one.key);
          if (one.kind === 'get') {
            found.push([cache.get(one.key), known?.value]);
            if (known) model = [...others, known];
          } else if (one.kind === 'delete') {
            cache.delete(one.key);
            model = others;
          } else {
            cache.set(one.key, one.value);
            model = [...others, { key: one.key, value: one.value }];
            while (model.length > 1 && (model.length > entriesMax || weightIn(model) > weightMax))
              model.shift();
          }
        }
        for (const [actual, expected] of found) expect(actual).toBe(expected);
        for (const each of ['a', 'b', 'c', 'd', 'e'])
          expect(cache.get(each)).toBe(model.find((entry) => entry.key === each)?.value);
      },
    ),
    { numRuns: 500 },
  ));
