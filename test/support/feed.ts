/** Feeds of the API, read to their end. */
export interface FeedPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string;
  readonly caughtUp: boolean;
}

/**
 * What a feed has after `start`, and the cursor at its end. A page may be empty before that.
 *
 * @param pageAfter A page after a cursor; throws for what is none.
 */
export const readFeed = async <Item>(
  pageAfter: (cursor: string) => Promise<FeedPage<Item>>,
  start: string,
): Promise<{ readonly items: readonly Item[]; readonly end: string }> => {
  const items: Item[] = [];
  for (let after = start; ;) {
    const page = await pageAfter(after);
    items.push(...page.items);
    if (page.caughtUp) return { items, end: page.nextCursor };
    after = page.nextCursor;
  }
};
