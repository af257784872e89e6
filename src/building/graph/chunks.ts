import { chunksOf } from '../../engine/concurrency/chunks.ts';
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
  for (const chunk of chunksOf(items, itemsMax)) await write(chunk);
};
