import { expect, it } from 'vitest';
import { tallyCounter } from '../../../../src/engine/projections/rebuild/bulk-load.ts';
import type { Tally } from '../../../../src/engine/projections/projection.ts';

type Key = readonly [string | null, string | null];

const tally: Tally<object> = {
  name: 'by_key',
  columns: { one: 'text', other: 'text' },
  keysOf: (row) => Object.values(row) as Key[],
};

it('a tally distinguishes keys of any values', () => {
  const keys: Key[] = [
    ['ab', 'c'],
    ['a', 'bc'],
    ['', 'abc'],
    [null, ''],
    ['', null],
    ['', ''],
    [null, null],
    ['-', ''],
    ['', '-'],
    ['1:a', ''],
    ['a', '1:a'],
    ['1', ':a'],
    ['a1:b', 'c'],
    ['a', 'b1:c'],
    ['","', ''],
  ];
  // Each key occurs once more than the previous one.
  const rows = keys.flatMap((key, index) => Array.from({ length: index + 1 }, () => [key]));
  const counter = tallyCounter([tally]);
  for (const row of rows) counter.count(row, 1);
  expect(counter.flush()).toEqual([
    keys.map(([one, other], index) => ({ one, other, n: index + 1 })),
  ]);
  expect(counter.flush()).toEqual([[]]);
});
