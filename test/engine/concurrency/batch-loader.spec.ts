import { expect, it } from 'vitest';
import { batchLoader } from '../../../src/engine/concurrency/batch-loader.ts';

const parityOf = (key: number) => (key % 2 === 0 ? 'even' : 'odd');

it('asks for what is asked in one turn together, by name, and answers each', async () => {
  const asked: (readonly [string, readonly number[]])[] = [];
  const double = batchLoader(
    async (name, keys: readonly number[]) => {
      asked.push([name, keys]);
      return keys.map((key) => key * 2);
    },
    { keysMax: 3, groupOf: parityOf },
  );
  expect(await Promise.all([1, 3, 2, 5, 7].map(double))).toEqual([2, 6, 4, 10, 14]);
  expect(await double(5)).toBe(10);
  expect(asked).toEqual([
    ['odd', [1, 3, 5]],
    ['odd', [7]],
    ['even', [2]],
    ['odd', [5]],
  ]);
});

it('fails who asked together, and nobody else', async () => {
  let isAway = true;
  const ask = batchLoader(
    async (_, keys: readonly number[]) => {
      if (isAway) throw new Error('away');
      return keys;
    },
    { keysMax: 10, groupOf: parityOf },
  );
  const together = await Promise.allSettled([1, 3].map(ask));
  expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await ask(3)).toBe(3);
});

it('lets nobody wait for, or fail with, what is asked under another name', async () => {
  const slow = Promise.withResolvers<never>();
  const ask = batchLoader(
    (name, keys: readonly number[]) => (name === 'odd' ? slow.promise : Promise.resolve(keys)),
    { keysMax: 10, groupOf: parityOf },
  );
  const [odd, even] = [ask(1), ask(2)];
  odd.catch(() => {});
  expect(await even).toBe(2);
  slow.reject(new Error('away'));
  await expect(odd).rejects.toThrow('away');
});
