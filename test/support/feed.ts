/** Feeds of the API, read to their end. */
export interface FeedPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string;
  readonly caughtUp: boolean;
}

/**
 * The items of a feed after `start`, and the cursor at its end. Earlier pages may be empty.
 *
 * @param pageAfter Returns the page after a cursor; throws for an error answer.
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
