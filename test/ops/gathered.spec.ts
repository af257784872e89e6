import { expect, it } from 'vitest';
import { gathered } from '../../src/ops/gathered.ts';

it('asks for what is asked in one turn together, and answers each', async () => {
  const asked: (readonly number[])[] = [];
  const double = gathered(async (keys: readonly number[]) => {
    asked.push(keys);
    return keys.map((key) => key * 2);
  }, 3);
  expect(await Promise.all([1, 2, 3, 4].map(double))).toEqual([2, 4, 6, 8]);
  expect(await double(5)).toBe(10);
  expect(asked).toEqual([[1, 2, 3], [4], [5]]);
});

it('fails who asked together, and nobody else', async () => {
  let isAway = true;
  const ask = gathered(async (keys: readonly number[]) => {
    if (isAway) throw new Error('away');
    return keys;
  }, 10);
  const together = await Promise.allSettled([1, 2].map(ask));
  expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await ask(3)).toBe(3);
});
