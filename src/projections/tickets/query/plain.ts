/** The first pages of a list without filters: what callers poll, in one prepared statement. */
import type { Pool } from 'pg';
import type { TicketSort } from '../../../domain/tickets/sorts.ts';
import { within, type TicketFilter } from './filter.ts';
import { orderBy, orderOf } from './order.ts';
import type { Page } from './page.ts';
import { COUNT, LIST } from './tables.ts';

/** Part of the statement: Postgres would take an unknown limit for a large one, and sort. */
const FIRST_ROWS = 200;

export interface PlainPage {
  /** As the API prints them, in one text, separated by commas. */
  readonly items: readonly string[];
  readonly total: number;
}

/** A longer text would be decoded in one turn of the event loop. */
const TEXT_BYTES_MAX = 256 * 1024;

/**
 * The page and the total, from one snapshot; `null` for a page that another plan suits better: one
 * with a filter, in several parts, further from the beginning, or of long tickets.
 *
 * The statement needs none of a snapshot's settings. Whatever its values are, it reads the
 * beginning of one index, so that Postgres keeps its plan.
 */
export const plainPageOf = async (
  pool: Pool,
  filter: TicketFilter,
  sort: TicketSort,
  { offset, limit }: Page,
): Promise<PlainPage | null> => {
  const { descending, parts } = orderOf(sort);
  const [part, ...others] = parts;
  if (!part || others.length > 0) return null;
  if (!within(filter, []) || offset + limit > FIRST_ROWS) return null;
  const order = orderBy(part, descending ? 'desc' : 'asc');
  const { rows } = await pool.query<{ total: number; text: string | null }>({
    name: `tickets by ${sort}`,
    text: `
      select
        (select coalesce(sum(n), 0)::float8 from ${COUNT} where organisation_id = $1) as total,
        case when octet_length(text) <= ${TEXT_BYTES_MAX} then text end as text
      from array_to_string(array(
        select t.ticket
        from (select * from ${LIST} t where t.organisation_id = $1
              order by ${order} limit ${FIRST_ROWS}) t
        order by ${order} limit $2 offset $3), ',') as text`,
    values: [filter.organisation, limit, offset],
  });
  const { total, text } = rows[0]!;
  if (text === null) return null;
  return { total, items: text === '' ? [] : [text] };
};
