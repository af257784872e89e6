/** Long work in slices, between which the event loop runs other tasks. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SLICE_MAX_MS } from '../limits.ts';

/** `Array.map`, yielding every {@link SLICE_MAX_MS}. Throws what `map` throws. */
export const mapInSlices = async <Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> => {
  const results: Result[] = [];
  await forEachInSlices(items, (item) => results.push(map(item)));
  return results;
};

/**
 * `Array.forEach`, yielding every {@link SLICE_MAX_MS}. Throws what `work` throws.
 *
 * @param giveWay Yields. Default: to the next turn of the event loop, where the slices of several
 *   callers may add up.
 */
export const forEachInSlices = async <Item>(
  items: Iterable<Item>,
  work: (item: Item) => unknown,
  giveWay: () => Promise<unknown> = nextTurn,
): Promise<void> => {
  let since = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - since < SLICE_MAX_MS) continue;
    await giveWay();
    since = performance.now();
  }
};
