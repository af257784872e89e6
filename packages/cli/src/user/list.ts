/** What a list command prints: a table of columns, as much of it as was asked for. */
import type { Invocation } from '../invocation.ts';

export interface LimitOptions {
  readonly limit?: number;
  readonly all?: true;
}

/** By the heading: a cell of an item; `null` leaves it empty. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => string | null>>;

const LIMIT = 50;

const limitOf = ({ limit = LIMIT, all }: LimitOptions): number =>
  all ? Number.POSITIVE_INFINITY : limit;

/** Rows of one request: one more than are printed, to know whether there are more. */
export const pageOf = (options: LimitOptions, max: number): { readonly limit: number } => ({
  limit: Math.min(limitOf(options) + 1, max),
});

/**
 * Prints `{ items }`, or a table for people; where there are more items, it says so beside.
 *
 * @param empty Printed for people instead of a table without rows.
 */
export const printList = async <Item>(
  { options, terminal }: Invocation<LimitOptions>,
  items: AsyncIterable<Item> | Iterable<Item>,
  columns: Columns<Item>,
  empty: string,
): Promise<void> => {
  const limit = limitOf(options);
  const printed: Item[] = [];
  let isCut = false;
  for await (const item of items) {
    isCut = printed.length === limit;
    if (isCut) break;
    printed.push(item);
  }
  const cells = Object.values(columns);
  await terminal.printTable(
    { items: printed },
    {
      head: Object.keys(columns),
      rows: printed.map((item) => cells.map((cell) => cell(item) ?? '')),
      empty,
    },
  );
  if (isCut) terminal.notice(`There are more than ${limit}: use --all or --limit to list them.`);
};

/** All that comes, for what needs to look at all of it. */
export const collected = async <Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};
