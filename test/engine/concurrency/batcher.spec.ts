import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { batcher, upTo } from '../../../src/engine/concurrency/batcher.ts';

interface Item {
  readonly key: string;
  readonly id: number;
  readonly bytes: number;
  readonly fails: 'alone' | 'with its batch' | 'never';
}

const item = fc.record({
  key: fc.constantFrom('a', 'b', 'c'),
  bytes: fc.integer({ min: 1, max: 9 }),
  fails: fc.constantFrom(
    'never' as const,
    'never' as const,
    'alone' as const,
    'with its batch' as const,
  ),
});

const [ITEMS_MAX, BYTES_MAX] = [3, 12];

it('writes each item once, in the order of its key, in batches within every bound', () =>
  fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.array(item, { maxLength: 8 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
      async (scheduler, arrivals, perKeyMax, inAllMax) => {
        const written: (readonly Item[])[] = [];
        const writing: string[] = [];
        const add = batcher<Item, number>({
          perKeyMax,
          inAllMax,
          next: upTo<Item>(ITEMS_MAX, BYTES_MAX, ({ bytes }) => bytes),
          defer: (start) => void scheduler.schedule(Promise.resolve()).then(start),
          async write(key, items) {
            written.push(items);
            writing.push(key);
            expect(writing.length).toBeLessThanOrEqual(inAllMax);
            expect(writing.filter((one) => one === key).length).toBeLessThanOrEqual(perKeyMax);
            await scheduler.schedule(Promise.resolve());
            writing.splice(writing.indexOf(key), 1);
            if (items.some(({ fails }) => fails === 'with its batch')) throw new Error('batch');
            return items.map(({ id, fails }) => (fails === 'alone' ? new Error('alone') : id));
          },
        });
        let ids = 0;
        const items: Item[] = [];
        const answers: Promise<number>[] = [];
        const arriving = arrivals.map(async (together) => {
          await scheduler.schedule(Promise.resolve());
          for (const arrived of together) {
            const one = { ...arrived, id: (ids += 1) };
            items.push(one);
            answers.push(add(one.key, one));
          }
        });
        await scheduler.waitFor(Promise.all(arriving));
        const outcomes = await scheduler.waitFor(Promise.allSettled(answers));

        const inOrder = (all: readonly Item[], key: string) => all.filter((one) => one.key === key);
        for (const key of ['a', 'b', 'c'])
          expect(inOrder(written.flat(), key)).toEqual(inOrder(items, key));
        for (const batch of written) {
          const bytes = batch.reduce((sum, one) => sum + one.bytes, 0);
          expect(batch.length).toBeLessThanOrEqual(ITEMS_MAX);
          expect(batch.length === 1 || bytes <= BYTES_MAX).toBe(true);
        }
        const batchOf = new Map(written.flatMap((batch) => batch.map(({ id }) => [id, batch])));
        const failureOf = ({ id, fails }: Item) =>
          batchOf.get(id)!.some((one) => one.fails === 'with its batch')
            ? 'batch'
            : fails === 'alone'
              ? 'alone'
              : null;
        expect(
          outcomes.map((one) =>
            one.status === 'fulfilled' ? one.value : (one.reason as Error).message,
          ),
        ).toEqual(items.map((one) => failureOf(one) ?? one.id));
      },
    ),
    { numRuns: 200 },
  ));

/** Batches as they are written; each is answered by `release`. */
const heldBatcher = (options: { readonly perKeyMax?: number; readonly inAllMax?: number } = {}) => {
  const batches: string[] = [];
  const held: (() => void)[] = [];
  const add = batcher<number, void>({
    ...options,
    next: upTo(2),
    async write(key, items) {
      batches.push(`${key}${items.join('')}`);
      await new Promise<void>((resolve) => held.push(resolve));
      return items.map(() => undefined);
    },
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const addAll = (all: readonly string[]) => {
    for (const [key, ...digits] of all) void add(key!, Number(digits.join('')));
    return turn();
  };
  const release = () => {
    held.shift()!();
    return turn();
  };
  return { batches, addAll, release };
};

it('writes what arrives in one turn together, and later arrivals in the next batch', async () => {
  const { batches, addAll, release } = heldBatcher();
  await addAll(['a1']);
  expect(batches).toEqual(['a1']);
  await addAll(['a2']);
  await addAll(['a3', 'a4']);
  expect(batches).toEqual(['a1']);
  await release();
  expect(batches).toEqual(['a1', 'a23']);
});

it('schedules keys round-robin where the batches in total are bounded', async () => {
  const { batches, addAll, release } = heldBatcher({ perKeyMax: 2, inAllMax: 1 });
  await addAll(['a1', 'a2', 'a3', 'a4', 'b5', 'c6']);
  for (let written = 0; written < 4; written += 1) await release();
  expect(batches).toEqual(['a12', 'b5', 'c6', 'a34']);
});

it('never waits for an earlier batch of the key without a bound per key', async () => {
  const { batches, addAll } = heldBatcher({ perKeyMax: Infinity });
  await addAll(['a1', 'a2', 'a3', 'b4']);
  await addAll(['a5']);
  expect(batches.toSorted()).toEqual(['a12', 'a3', 'a5', 'b4']);
});
