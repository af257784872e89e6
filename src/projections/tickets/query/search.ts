import { TICKET_READ_MAX_MS } from '../limits.ts';
import { INDEXED_LETTERS_MIN } from '../document.ts';
import { conditionsOf, within, type Bind, type Dimension, type TicketFilter } from './filter.ts';
import { monthsOf, type Month } from './months.ts';
import type { Page } from './page.ts';
import type { Snapshot } from './snapshot.ts';
import { LIST, SEARCH } from './tables.ts';

/** What bounds a search. */
export interface SearchBounds {
  /** Further it is not counted. */
  readonly searchTotalMax: number;
  /** It begins with the newest months that have so many tickets. */
  readonly searchFirstRows: number;
  /** It begins no further statement after so long. */
  readonly searchMaxMs: number;
}

export interface Hits {
  /** Of the page, in no order. */
  readonly ids: readonly string[];
  /** Tickets that have the words: all, unless it is `capped`. */
  readonly found: number;
  readonly capped: boolean;
}

/** The time of a search was up before its page was full. */
export class SearchTooWide extends Error {
  override name = 'SearchTooWide';

  constructor() {
    super('takes too long among so many tickets: add a filter, or search for longer words');
  }
}

/**
 * A page of the tickets that have all words, newest first.
 *
 * The newest months come first. How many of their tickets have the words says how far back enough
 * of them lie: a common word is looked up no further than that, a rare one in all the rest at once.
 * Where time is up, a full page is answered with what has been counted.
 *
 * @throws {@link SearchTooWide}
 */
export const hitsOf = async (
  snapshot: Snapshot,
  filter: TicketFilter,
  words: readonly string[],
  { offset, limit }: Page,
  { searchTotalMax, searchFirstRows, searchMaxMs }: SearchBounds,
): Promise<Hits> => {
  const until = performance.now() + searchMaxMs;
  const wanted = Math.max(searchTotalMax + 1, offset + limit);
  const months = await monthsOf(snapshot, filter);
  const ids: string[] = [];
  let found = 0;
  let rows = 0;
  for (let from = 0; from < months.length && found < wanted;) {
    const rowsPerHit = rows / (found + 0.5);
    const span = spanOf(months, from, Math.max(searchFirstRows, (wanted - found) * rowsPerHit));
    const isRare = rowsPerHit > RARE_ROWS_PER_HIT;
    // The first look is always taken; what follows has what is left of the time.
    const leftMs = from === 0 ? TICKET_READ_MAX_MS : until - performance.now();
    const place = { offset: Math.max(0, offset - found), limit: limit - ids.length };
    const hits =
      leftMs <= 0
        ? null
        : await snapshot.rowsInTime<{ n: number; ids: readonly string[] }>(
            (bind) => hitsIn(filter, words, span, isRare, bind, place),
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

/** Two letters that fewer tickets than one of so many have are looked up in the index. */
const RARE_ROWS_PER_HIT = 10;

interface Span {
  readonly months: readonly string[];
  /** Tickets created in them, as far as the months tell. */
  readonly rows: number;
  /** The month after it, if that has been searched. */
  readonly before: string | undefined;
  /** All that is left. */
  readonly isLast: boolean;
}

/** The months from the one at `from` on that have so many tickets; one at least. */
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

/** What a document is kept by, and the index cut into. */
const SCOPE: readonly Dimension[] = ['buildingId'];

/** How many tickets of the span have the words, and the ids of so many after `offset`. */
const hitsIn = (
  filter: TicketFilter,
  words: readonly string[],
  { months, before, isLast }: Span,
  isRare: boolean,
  bind: Bind,
  { offset, limit }: Page,
): string => {
  // Of a long rest, the index would look up month by month what it has as a whole.
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
        and ${words.map((word) => occurs(word, isRare, bind)).join(' and ')})
    select count(*)::float8 as n,
      array(select id::text from hits order by created_at desc, id desc
        limit ${bind(limit, 'bigint')} offset ${bind(offset, 'bigint')}) as ids
    from hits`;
};

const occurs = (word: string, isRare: boolean, bind: Bind): string => {
  if (word.length >= INDEXED_LETTERS_MIN) return `s.document like ${bind(`%${word}%`, 'text')}`;
  // As a pattern without a trigram, it would make the index be read as a whole.
  const found = `strpos(s.document, ${bind(word, 'text')}) > 0`;
  return isRare && word.length === INDEXED_LETTERS_MIN - 1
    ? `${found} and (${trigramsOf(word)
        .map((trigram) => `s.document like ${bind(trigram, 'text')}`)
        .join(' or ')})`
    : found;
};

/**
 * Two letters have a trigram with whatever follows them: a letter or a digit, the head of a spelt
 * character, or the end of a word, a part or the document.
 */
const trigramsOf = (pair: string): readonly string[] => [
  ...FOLLOWERS.map((next) => `%${pair}${next}%`),
  `%${pair}`,
];

const FOLLOWERS = Array.from('abcdefghijklmnopqrstuvwxyz0123456789AB \n');
