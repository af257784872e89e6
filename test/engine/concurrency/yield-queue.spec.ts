import { expect, it, onTestFinished } from 'vitest';
import { yieldQueue } from '../../../src/engine/concurrency/yield-queue.ts';

type Turn = (weight?: number) => Promise<void>;

/** Records the turn of the event loop in which each caller resumed, in that order. */
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

it('resumes waiting callers in FIFO order, one per turn of the event loop', async () => {
  const { seen, comes } = watching();
  const turn = yieldQueue();
  await Promise.all(['a', 'b', 'c'].map((name) => comes(turn, name)));
  await comes(turn, 'd');
  expect(seen.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  expect(new Set(seen.map((one) => one.loop)).size).toBe(4);
});

it('resumes several callers in one turn while their weights fit into it', async () => {
  const { seen, comes } = watching();
  const turn = yieldQueue(10);
  // Concurrent callers and sequential ones share a turn alike.
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => comes(turn, name, 4)));
  for (const name of ['e', 'f', 'g']) await comes(turn, name, 4);
  await comes(turn, 'large', 100);
  await comes(turn, 'h', 1);
  expect(seen.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'large', 'h']);
  const sizes = [...Map.groupBy(seen, (one) => one.loop).values()].map((callers) =>
    callers.map(({ name }) => name).join(''),
  );
  expect(sizes).toEqual(['ab', 'cd', 'ef', 'g', 'large', 'h']);
});
