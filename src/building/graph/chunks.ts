import { IMPORT_ROWS_AT_ONCE } from './limits.ts';

/**
 * Writes a long list in batches, one after the other.
 *
 * @param itemsMax Batch size. Default {@link IMPORT_ROWS_AT_ONCE}.
 */
export const inChunks = async <Item>(
  items: readonly Item[],
  write: (chunk: readonly Item[]) => Promise<unknown>,
  itemsMax: number = IMPORT_ROWS_AT_ONCE,
): Promise<void> => {
  for (let from = 0; from < items.length; from += itemsMax) {
    await write(items.slice(from, from + itemsMax));
  }
};
