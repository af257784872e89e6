import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { orderedPipeline } from '../../../src/engine/concurrency/ordered-pipeline.ts';

const none = { itemsMax: 100, weightMax: 100, weightOf: () => 1 };

it('delivers results in the order of the items, whichever is finished first', () =>
  fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 4 }),
      async (scheduler, itemsMax) => {
        const delivered: number[] = [];
        let most = 0;
        let begun = 0;
        const queue = orderedPipeline<number, number>({
          ...none,
          itemsMax,
          async work(item) {
            begun += 1;
            most = Math.max(most, begun - delivered.length);
            await scheduler.schedule(Promise.resolve());
            return item;
          },
          deliver: (item) => void delivered.push(item),
        });
        const all = Array.from({ length: 12 }, (_, item) => item);
        const adding = (async () => {
          for (const item of all) await queue.add(item);
          await queue.end();
        })();
        await scheduler.waitFor(adding);
        expect(delivered).toEqual(all);
        expect(most).toBeLessThanOrEqual(itemsMax);
      },
    ),
    { numRuns: 50 },
  ));

it('accepts an item above the total weight when it is the only one', async () => {
  const work = Promise.withResolvers<void>();
  const queue = orderedPipeline<number, number>({
    itemsMax: 10,
    weightMax: 5,
    weightOf: (item) => item,
    work: async (item) => {
      await work.promise;
      return item;
    },
    deliver: () => {},
  });
  await queue.add(9);
  let added = false;
  const next = queue.add(1).then(() => (added = true));
  await new Promise(setImmediate);
  expect(added).toBe(false);
  work.resolve();
  await next;
  await queue.end();
});

it('applies backpressure while a delivery is pending', async () => {
  const accepted = Promise.withResolvers<void>();
  const delivered: number[] = [];
  const queue = orderedPipeline<number, number>({
    ...none,
    itemsMax: 2,
    work: async (item) => item,
    async deliver(item) {
      delivered.push(item);
      await accepted.promise;
    },
  });
  await queue.add(1);
  await queue.add(2);
  const third = queue.add(3);
  await new Promise(setImmediate);
  expect(delivered).toEqual([1]);
  accepted.resolve();
  await third;
  await queue.end();
  expect(delivered).toEqual([1, 2, 3]);
});

it('delivers the results before the first failure, and begins no further item', async () => {
  const failing = Promise.withResolvers<number>();
  const delivered: number[] = [];
  const finished: number[] = [];
  const queue = orderedPipeline<number, number>({
    ...none,
    itemsMax: 3,
    async work(item) {
      const result = item === 2 ? await failing.promise : item;
      finished.push(item);
      return result;
    },
    deliver: (item) => void delivered.push(item),
  });
  for (const item of [1, 2, 3]) await queue.add(item);
  const fourth = queue.add(4);
  const fifth = fourth.then(() => queue.add(5));
  failing.reject(new Error('the log is away'));
  await expect(fifth).rejects.toThrow('the log is away');
  await expect(queue.end()).rejects.toThrow('the log is away');
  expect(delivered).toEqual([1]);
  expect(finished).toContain(3);
  expect(finished).not.toContain(5);
});
