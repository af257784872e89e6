import { expect, it, onTestFinished } from 'vitest';
import { yieldQueue } from '../../../src/engine/concurrency/yield-queue.ts';

type Turn = (weight?: number) => Promise<void>;

/** In which turn of the event loop each went on, in their order. */
const watching = () => {
  let loop = 0;
  let counting = setImmediate(function count() {
    loop += 1;
    counting = setImmediate(count);
  });
  onTestFinished(() => clearImmediate(counting));
  const seen: { readonly name: string; readonly loop: number }[] = [];
  const comes = async (turn: Turn, name: string, weight?: number) => {
    await turn(weight);
    seen.push({ name, loop });
  };
  return { seen, comes };
};

it('lets those who wait go on in their order, each in a turn of the loop of its own', async () => {
  const { seen, comes } = watching();
  const turn = yieldQueue();
  await Promise.all(['a', 'b', 'c'].map((name) => comes(turn, name)));
  await comes(turn, 'd');
  expect(seen.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  expect(new Set(seen.map((one) => one.loop)).size).toBe(4);
});

it('lets several share a turn whose weights are less than its own', async () => {
  const { seen, comes } = watching();
  const turn = yieldQueue(10);
  // Concurrent callers and sequential ones share a turn alike.
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => comes(turn, name, 4)));
  for (const name of ['e', 'f', 'g']) await comes(turn, name, 4);
  await comes(turn, 'large', 100);
  await comes(turn, 'h', 1);
  expect(seen.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'large', 'h']);
  const sizes = [...Map.groupBy(seen, (one) => one.loop).values()].map((its) =>
    its.map(({ name }) => name).join(''),
  );
  expect(sizes).toEqual(['ab', 'cd', 'ef', 'g', 'large', 'h']);
});
