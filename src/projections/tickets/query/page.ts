import { conditionsOf, within, type TicketFilter } from './filter.ts';
import { BY_MONTH, monthsOf } from './months.ts';
import { orderBy, type Order, type Part } from './order.ts';
import type { Snapshot } from '../../snapshot.ts';
import { LIST } from './tables.ts';
import type { Totals } from './total.ts';

export interface Page {
  /** Tickets before the page. */
  readonly offset: number;
  readonly limit: number;
}

/** Tickets of a part, as they are read. */
interface Cut extends Page {
  readonly direction: 'asc' | 'desc';
  /** Only tickets created before; a month sorts before all of its instants. */
  readonly before?: string;
}

/**
 * The ids of a page in the order of the list. A deep page is read from the nearer end of its part
 * and, if the months are tallied, only the month of its beginning is scanned.
 *
 * @param totals Numbers of the filter's tickets, by the parts of the order.
 * @param deepRows Rows beyond which the months are used.
 */
export const idsOf = async (
  snapshot: Snapshot,
  filter: TicketFilter,
  order: Order,
  { offset, limit }: Page,
  totals: Totals,
  deepRows: number,
): Promise<readonly string[]> => {
  const ids: string[] = [];
  let passed = 0;
  for (const part of order.parts) {
    const total = totals.get(part.name) ?? 0;
    const skip = Math.max(0, offset - passed);
    const size = Math.min(limit - ids.length, total - skip);
    if (size > 0) {
      const page = { offset: skip, limit: size };
      ids.push(...(await idsIn(snapshot, filter, order, part, page, total, deepRows)));
    }
    passed += total;
  }
  return ids;
};

const idsIn = async (
  snapshot: Snapshot,
  filter: TicketFilter,
  { by, descending }: Order,
  part: Part,
  { offset, limit }: Page,
  total: number,
  deepRows: number,
): Promise<readonly string[]> => {
  const after = total - offset - limit;
  const nearer = Math.min(offset, after);
  const isDeep = by === 'createdAt' && nearer >= deepRows && within(filter, BY_MONTH);
  const isDescending = isDeep || descending === offset <= after;
  const { direction, before, ...page }: Cut = isDeep
    ? await withinMonth(snapshot, filter, { offset: descending ? offset : after, limit })
    : { direction: isDescending ? 'desc' : 'asc', offset: nearer, limit };
  const rows = await snapshot.rows<{ id: string }>(
    (bind) => `select t.id from ${LIST} t where ${conditionsOf(filter, bind)}
      and ${part.condition}
      ${before === undefined ? '' : `and t.created_at < ${bind(before, 'text')}`}
      order by ${orderBy(part, direction)}
      limit ${bind(page.limit, 'bigint')} offset ${bind(page.offset, 'bigint')}`,
  );
  const ids = rows.map(({ id }) => id);
  return isDescending === descending ? ids : ids.reverse();
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
