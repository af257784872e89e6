/** Long work on the event loop's own thread, in slices between which others get their turn. */
import { setImmediate as givenWay } from 'node:timers/promises';
import { SLICE_MAX_MS } from '../limits.ts';

/** As a list's `map`, giving way every {@link SLICE_MAX_MS}. In order; throws what `map` throws. */
export const mappedInSlices = async <Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> => {
  const results: Result[] = [];
  await eachInSlices(items, (item) => results.push(map(item)));
  return results;
};

/** As a list's `forEach`, giving way every {@link SLICE_MAX_MS}. Throws what `work` throws. */
export const eachInSlices = async <Item>(
  items: Iterable<Item>,
  work: (item: Item) => unknown,
): Promise<void> => {
  let since = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - since < SLICE_MAX_MS) continue;
    await givenWay();
    since = performance.now();
  }
};
