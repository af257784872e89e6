import { conditionsOf, within, type TicketFilter } from './filter.ts';
import { BY_MONTH, monthsOf } from './months.ts';
import type { Snapshot } from '../../snapshot.ts';
import { LIST } from './tables.ts';

export interface Page {
  /** Tickets before the page. */
  readonly offset: number;
  readonly limit: number;
}

/** A part of a filter's tickets, from the newest (`desc`) or from the oldest (`asc`). */
interface Cut extends Page {
  readonly direction: 'asc' | 'desc';
  /** Only tickets created before; a month sorts before all of its instants. */
  readonly before?: string;
}

/**
 * The ids of a page, unordered. A deep page is read from the nearer end of the list and, if the
 * months are tallied, only the month of its beginning is scanned.
 *
 * @param total Of the filter's tickets.
 * @param deepRows Rows beyond which the months are used.
 */
export const idsOf = async (
  snapshot: Snapshot,
  filter: TicketFilter,
  { offset, limit }: Page,
  total: number,
  deepRows: number,
): Promise<readonly string[]> => {
  const size = Math.min(limit, total - offset);
  if (size <= 0) return [];
  const after = total - offset - size;
  const isDeep = Math.min(offset, after) >= deepRows && within(filter, BY_MONTH);
  const { direction, before, ...page }: Cut = isDeep
    ? await withinMonth(snapshot, filter, { offset, limit: size })
    : after < offset
      ? { direction: 'asc', offset: after, limit: size }
      : { direction: 'desc', offset, limit: size };
  const rows = await snapshot.rows<{ id: string }>(
    (bind) => `select t.id from ${LIST} t where ${conditionsOf(filter, bind)}
      ${before === undefined ? '' : `and t.created_at < ${bind(before, 'text')}`}
      order by t.created_at ${direction}, t.id ${direction}
      limit ${bind(page.limit, 'bigint')} offset ${bind(page.offset, 'bigint')}`,
  );
  return rows.map(({ id }) => id);
};

const withinMonth = async (
  snapshot: Snapshot,
  filter: TicketFilter,
  { offset, limit }: Page,
): Promise<Cut> => {
  let before: string | undefined;
  let passed = 0;
  for (const { month, n } of await monthsOf(snapshot, filter)) {
    if (passed + n > offset) break;
    passed += n;
    before = month;
  }
  const cut: Cut = { direction: 'desc', offset: offset - passed, limit };
  return before === undefined ? cut : { ...cut, before };
};
