import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SLICE_MAX_MS } from '../../../src/engine/limits.ts';
import { mapInSlices } from '../../../src/engine/concurrency/slices.ts';

const busyFor = (ms: number) => {
  for (const began = performance.now(); performance.now() - began < ms;);
};

it('maps in order, and yields to the event loop in between', async () => {
  let turns = 0;
  const over = new AbortController();
  const others = (async () => {
    for (; !over.signal.aborted; turns += 1) await turn();
  })();
  const long = Array.from({ length: 5 }, (_, index) => index);
  const mapped = await mapInSlices(long, (index) => {
    busyFor(SLICE_MAX_MS);
    return index * 2;
  });
  over.abort();
  await others;
  expect(mapped).toEqual([0, 2, 4, 6, 8]);
  expect(turns).toBeGreaterThanOrEqual(5);
});

it('rethrows the error of an item', async () => {
  const fail = () => {
    throw new Error('broken');
  };
  await expect(mapInSlices([1], fail)).rejects.toThrow('broken');
});
