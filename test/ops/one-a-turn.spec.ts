import { expect, it, onTestFinished } from 'vitest';
import { oneATurn } from '../../src/ops/one-a-turn.ts';

it('lets those who wait go on in their order, each in a turn of the loop of its own', async () => {
  let loop = 0;
  let counting = setImmediate(function count() {
    loop += 1;
    counting = setImmediate(count);
  });
  onTestFinished(() => clearImmediate(counting));
  const turn = oneATurn();
  const seen: { readonly name: string; readonly loop: number }[] = [];
  const comes = async (name: string) => {
    await turn();
    seen.push({ name, loop });
  };
  await Promise.all(['a', 'b', 'c'].map(comes));
  await comes('d');
  expect(seen.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  expect(new Set(seen.map((one) => one.loop)).size).toBe(4);
});
