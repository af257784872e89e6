/** Writes a long list in parts, one after the other. */
export const inChunks = async <Item>(
  items: readonly Item[],
  itemsMax: number,
  write: (chunk: readonly Item[]) => Promise<unknown>,
): Promise<void> => {
  for (let from = 0; from < items.length; from += itemsMax) {
    await write(items.slice(from, from + itemsMax));
  }
};
