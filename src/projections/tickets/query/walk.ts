import type { Pool } from 'pg';
import type { TicketView } from '../../../domain/tickets/view.ts';
import { TICKET_EXPORT_TIMEOUTS_MAX, TICKET_READ_MAX_MS } from '../limits.ts';
import { backoff } from '../../../engine/concurrency/backoff.ts';
import type { Semaphore } from '../../../engine/concurrency/semaphore.ts';
import type { SearchedWord } from '../document.ts';
import { conditionsOf, type TicketFilter } from './filter.ts';
import { itemsOf } from './items.ts';
import type { TicketCursor } from './lookup.ts';
import { isPlaced, unlisted } from './places.ts';
import { SearchTooWide } from './search.ts';
import { reading, type Snapshot } from '../../snapshot.ts';
import { LIST, SEARCH } from './tables.ts';
import { contains } from './text.ts';

export interface WalkParts {
  readonly pool: Pool;
  /** Bounds concurrent reads; no permit is held between them. */
  readonly reads: Semaphore;
  /** Rows scanned per statement. */
  readonly searchedRows: number;
  /** Tickets per page. */
  readonly readRows: number;
}

/**
 * All tickets of the filter that exist at its beginning, oldest first, in pages. Each page is read
 * on demand with the current state of its tickets; it is empty if the scanned part of the list has
 * none.
 *
 * @param words Each must occur in the ticket. None: all tickets of the filter.
 * @throws {@link SearchTooWide} if even a single ticket takes too long,
 *   {@link TICKET_EXPORT_TIMEOUTS_MAX} times.
 */
export async function* walk(
  { pool, reads, searchedRows, readRows }: WalkParts,
  filter: TicketFilter,
  words: readonly SearchedWord[],
): AsyncGenerator<readonly TicketView[], void, undefined> {
  const read = <T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> =>
    reads.run(() => reading(pool, work));
  const newest = await read((snapshot) => newestOf(snapshot, filter));
  let rows = searchedRows;
  let timeouts = 0;
  const delays = backoff();
  const never = new AbortController().signal;
  let after: TicketCursor | null = null;
  for (let isOver = newest === null; !isOver;) {
    const span: Span = { after, upTo: newest!, rows };
    const seen = await read((snapshot) => seenIn(snapshot, filter, words, span));
    if (seen === null) {
      if (rows === 1) {
        timeouts += 1;
        if (timeouts === TICKET_EXPORT_TIMEOUTS_MAX) throw new SearchTooWide();
        // A timeout includes waits for locks and for a busy database, which end.
        await delays.pause(never);
      }
      rows = Math.ceil(rows / FEWER);
      continue;
    }
    timeouts = 0;
    delays.reset();
    const hits = seen.filter(({ hit }) => hit === true).map(({ id }) => id);
    for (let at = 0; at < hits.length; at += readRows) {
      const ids = hits.slice(at, at + readRows);
      yield await read((snapshot) => itemsOf(snapshot, ids));
    }
    if (hits.length === 0) yield [];
    isOver = seen.length < rows;
    after = seen.at(-1) ?? after;
    // More slowly than it shrinks: where all statements of a size time out, few are wasted.
    rows = Math.min(searchedRows, rows * 2);
  }
}

/** After a timeout the next statement scans this many times fewer tickets. */
const FEWER = 10;

interface Span {
  readonly after: TicketCursor | null;
  /** Inclusive: later tickets are excluded, so that the walk ends. */
  readonly upTo: TicketCursor;
  readonly rows: number;
}

interface Seen extends TicketCursor {
  /** Whether it has the words; `null` if its text is not indexed yet. */
  readonly hit: boolean | null;
}

const newestOf = async (
  snapshot: Snapshot,
  { organisation, now }: TicketFilter,
): Promise<TicketCursor | null> => {
  const [newest] = await snapshot.rows<TicketCursor>(
    (bind) => `select t.created_at as "createdAt", t.id from ${LIST} t
      where ${conditionsOf({ organisation, now }, bind)}
      order by t.created_at desc, t.id desc limit 1`,
  );
  return newest ?? null;
};

/** The next tickets of the filter with their matches; `null` after a timeout. */
const seenIn = async (
  snapshot: Snapshot,
  filter: TicketFilter,
  words: readonly SearchedWord[],
  { after, upTo, rows }: Span,
): Promise<readonly Seen[] | null> => {
  // Of several answers to a field, the index has no single order.
  const isInOrder = Object.values(filter.fields ?? {}).every((values) => values.length === 1);
  if (filter.fields !== undefined && isInOrder) await snapshot.inOrder();
  return snapshot.rowsInTime<Seen>((bind) => {
    const place = ({ createdAt, id }: TicketCursor) =>
      `(${bind(createdAt, 'text')}, ${bind(id, 'uuid')})`;
    const conditions = [
      conditionsOf(filter, bind),
      ...(after === null ? [] : [`(t.created_at, t.id) > ${place(after)}`]),
      `(t.created_at, t.id) <= ${place(upTo)}`,
    ].join(' and ');
    const seen = `select t.created_at, t.id from ${LIST} t where ${conditions}
      order by t.created_at, t.id limit ${bind(rows, 'bigint')}`;
    if (words.length === 0)
      return `select created_at as "createdAt", id, true as hit from (${seen}) as seen`;
    const occur = unlisted(words).map(
      (term) =>
        `(${[
          ...term.word.map((text) => contains('s.document', text, bind)),
          ...isPlaced(term, bind),
        ].join(' or ')})`,
    );
    return `with seen as materialized (${seen})
      select seen.created_at as "createdAt", seen.id, ${occur.join(' and ')} as hit
      from seen left join ${SEARCH} s on s.id = seen.id order by seen.created_at, seen.id`;
  }, TICKET_READ_MAX_MS);
};
