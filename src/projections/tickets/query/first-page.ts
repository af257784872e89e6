/** The first pages of a list: page and total in one statement. docs/decisions/0019. */
import type { Pool } from 'pg';
import type { TicketSort } from '../../../domain/tickets/sorts.ts';
import { reading } from '../../snapshot.ts';
import { conditionsOf, within, type TicketFilter } from './filter.ts';
import { orderBy, orderOf } from './order.ts';
import type { Page } from './page.ts';
import { COUNT, LIST } from './tables.ts';
import { totalIn } from './total.ts';

/** A literal in the statement: for an unknown limit Postgres assumes a large one, and sorts. */
const PLAIN_ROWS = 200;

/** Rows up to which a list is read from its beginning, even if its end is nearer. */
const FILTERED_ROWS = 1_000;

export interface FirstPage {
  /** As the API prints them, in one text, separated by commas. */
  readonly items: readonly string[];
  readonly total: number;
}

/** A longer text would be decoded in one turn of the event loop. */
const TEXT_BYTES_MAX = 256 * 1024;

/**
 * The page and the total, from one snapshot; `null` for a page that other statements suit better:
 * one by answers of forms, in several parts, further from the beginning, or of long tickets.
 */
export const firstPageOf = async (
  pool: Pool,
  filter: TicketFilter,
  sort: TicketSort,
  { offset, limit }: Page,
): Promise<FirstPage | null> => {
  const { descending, parts } = orderOf(sort);
  const [part, ...others] = parts;
  if (!part || others.length > 0 || filter.fields !== undefined) return null;
  const rowsMax = offset + limit;
  if (rowsMax > FILTERED_ROWS) return null;
  const order = orderBy(part, descending ? 'desc' : 'asc');
  if (within(filter, []) && rowsMax <= PLAIN_ROWS) {
    // Needs none of a snapshot's settings: for any values it reads the beginning of one index, so
    // that Postgres keeps its generic plan.
    const { rows } = await pool.query<Found>({
      name: `tickets by ${sort}`,
      text: joined(
        `(select coalesce(sum(n), 0)::float8 from ${COUNT} where organisation_id = $1)`,
        `select t.ticket
         from (select * from ${LIST} t where t.organisation_id = $1
               order by ${order} limit ${PLAIN_ROWS}) t
         order by ${order} limit $2 offset $3`,
      ),
      values: [filter.organisation, limit, offset],
    });
    return pageOf(rows);
  }
  // Rows are found in an index alone, and the texts of the page are then looked up.
  return reading(pool, async (snapshot) =>
    pageOf(
      await snapshot.rows<Found>((bind) =>
        joined(
          totalIn(filter, bind),
          `select (select listed.ticket from ${LIST} as listed where listed.id = t.id)
           from (select t.id, ${part.columns.map((column) => `t.${column}`).join(', ')}
                 from ${LIST} t where ${conditionsOf(filter, bind)}
                 order by ${order}
                 limit ${bind(limit, 'bigint')} offset ${bind(offset, 'bigint')}) t
           order by ${order}`,
        ),
      ),
    ),
  );
};

interface Found {
  readonly total: number;
  /** `null`: too long. */
  readonly text: string | null;
}

/** @param texts Selects one text per ticket. */
const joined = (total: string, texts: string): string => `
  select ${total} as total, case when octet_length(text) <= ${TEXT_BYTES_MAX} then text end as text
  from array_to_string(array(${texts}), ',') as text`;

const pageOf = ([found]: readonly Found[]): FirstPage | null => {
  const { total, text } = found!;
  if (text === null) return null;
  return { total, items: text === '' ? [] : [text] };
};
