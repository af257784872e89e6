import { TICKET_READ_MAX_MS } from '../limits.ts';
import { conditionsOf, within, type Dimension, type TicketFilter } from './filter.ts';
import { monthsOf, type Month } from './months.ts';
import type { Page } from './page.ts';
import { isPlaced, type SearchTerm } from './places.ts';
import type { Bind, Snapshot } from '../../snapshot.ts';
import { LIST, SEARCH } from './tables.ts';
import { hasText } from './text.ts';

/** The bounds of a search. */
export interface SearchBounds {
  /** Largest number of counted hits. */
  readonly searchTotalMax: number;
  /** Tickets in the first span of newest months. */
  readonly searchFirstRows: number;
  /** Time after which no further statement is started. */
  readonly searchMaxMs: number;
}

export interface Hits {
  /** The ids of the page, newest first. */
  readonly ids: readonly string[];
  /** Number of tickets with the words; a lower bound if `capped`. */
  readonly found: number;
  readonly capped: boolean;
}

/** A search ran out of time before its page was full. */
export class SearchTooWide extends Error {
  override name = 'SearchTooWide';
  /** The filter that takes too long. */
  readonly path: 'search' | 'field';

  constructor(path: SearchTooWide['path'] = 'search') {
    super('takes too long over this many tickets: add a filter, or search for longer words');
    this.path = path;
  }
}

/**
 * A page of the tickets with all words, newest first.
 *
 * The newest months are searched first. Their hit rate predicts how many months contain enough
 * hits: a common word is searched only in those, a rare one in all the rest at once. If time runs
 * out, a full page is returned with the count so far.
 *
 * @throws {@link SearchTooWide}
 */
export const hitsOf = async (
  snapshot: Snapshot,
  filter: TicketFilter,
  terms: readonly SearchTerm[],
  { offset, limit }: Page,
  { searchTotalMax, searchFirstRows, searchMaxMs }: SearchBounds,
): Promise<Hits> => {
  const until = performance.now() + searchMaxMs;
  const rowsMax = Math.max(searchTotalMax + 1, offset + limit);
  const months = await monthsOf(snapshot, filter);
  const ids: string[] = [];
  let found = 0;
  let rows = 0;
  for (let from = 0; from < months.length && found < rowsMax;) {
    const rowsPerHit = rows / (found + 0.5);
    const span = spanOf(months, from, Math.max(searchFirstRows, (rowsMax - found) * rowsPerHit));
    const isRare = rowsPerHit > RARE_ROWS_PER_HIT;
    // The first statement has its full time; later ones have the rest.
    const fullMs = Math.max(searchMaxMs, TICKET_READ_MAX_MS);
    const leftMs = from === 0 ? fullMs : until - performance.now();
    const place = { offset: Math.max(0, offset - found), limit: limit - ids.length };
    const hits =
      leftMs <= 0
        ? null
        : await snapshot.rowsInTime<{ n: number; ids: readonly string[] }>(
            (bind) => hitsIn(filter, terms, span, isRare, bind, place),
            leftMs,
          );
    if (hits === null) {
      if (ids.length < limit) throw new SearchTooWide();
      return { ids, found, capped: true };
    }
    ids.push(...hits[0]!.ids);
    found += hits[0]!.n;
    rows += span.rows;
    from += span.months.length;
  }
  const capped = found > searchTotalMax;
  return { ids, found: capped ? searchTotalMax : found, capped };
};

/** Hit rate below which two letters are looked up in the index. */
const RARE_ROWS_PER_HIT = 10;

interface Span {
  readonly months: readonly string[];
  /** Tickets created in these months. */
  readonly rows: number;
  /** The next month, if it has been searched. */
  readonly before: string | undefined;
  /** The span includes all remaining months. */
  readonly isLast: boolean;
}

/** The months from index `from` on that have this many tickets; at least one. */
const spanOf = (all: readonly Month[], from: number, rowsWanted: number): Span => {
  let rows = 0;
  let to = from;
  for (; to < all.length && (to === from || rows < rowsWanted); to += 1) rows += all[to]!.n;
  return {
    months: all.slice(from, to).map(({ month }) => month),
    rows,
    before: all[from - 1]?.month,
    isLast: to === all.length,
  };
};

/** The columns that partition the search index. */
const SCOPE: readonly Dimension[] = ['buildingId'];

/** The number of hits in the span, and the ids of a page after `offset`. */
const hitsIn = (
  filter: TicketFilter,
  terms: readonly SearchTerm[],
  { months, before, isLast }: Span,
  isRare: boolean,
  bind: Bind,
  { offset, limit }: Page,
): string => {
  // For a long rest, the index would search month by month what it has as a whole.
  const created = isLast
    ? before === undefined
      ? 'true'
      : `s.created_at < ${bind(before, 'text')}`
    : `left(s.created_at, 7) = any(${bind(months, 'text[]')})`;
  const joined = within(filter, SCOPE)
    ? ''
    : `join ${LIST} t on t.id = s.id and t.created_at >= ${bind(months.at(-1), 'text')}
         and ${conditionsOf(filter, bind)}`;
  return `with hits as materialized (
      select s.id, s.created_at from ${SEARCH} s ${joined}
      where ${conditionsOf(filter, bind, SCOPE, 's')} and ${created}
        and ${occursIn(terms, bind, isRare)})
    select count(*)::float8 as n,
      array(select id::text from hits order by created_at desc, id desc
        limit ${bind(limit, 'bigint')} offset ${bind(offset, 'bigint')}) as ids
    from hits`;
};

/**
 * Each word occurs in the document or the place of the ticket in `s`, as SQL.
 *
 * @param isRare Two letters are looked up in the index. Default false.
 */
export const occursIn = (terms: readonly SearchTerm[], bind: Bind, isRare = false): string =>
  terms
    .map((term) => [
      ...term.word.map((text) => hasText('s.document', text, bind, isRare)),
      ...isPlaced(term, bind),
    ])
    .map((either) => `(${either.join(' or ')})`)
    .join(' and ');
