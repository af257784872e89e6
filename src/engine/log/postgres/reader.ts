import { setTimeout as sleep } from 'node:timers/promises';
import { escapeLiteral, type QueryArrayConfig } from 'pg';
import { LOG_CALL_TIMEOUT_MS, LOG_RETRY_MS, LOG_SEARCH_POSITIONS } from '../../limits.ts';
import { semaphore } from '../../concurrency/semaphore.ts';
import { mapInSlices } from '../../concurrency/slices.ts';
import {
  LogBroken,
  LogUnavailable,
  READ_PAGE_EVENTS,
  type AllPage,
  type AllRange,
  type Head,
  type Position,
  type StoredEvent,
  type StreamRange,
} from '../event-store.ts';
import { PageBytes, PageSize } from '../page-bytes.ts';
import { numberOf, positionOf } from '../positions.ts';
import { BINARY_COLUMNS, binaryEvents } from './binary-events.ts';
import { isLost, isUnable, type Connection } from './connection.ts';

type Row = [
  position: number,
  revision: number,
  created: string,
  id: string,
  stream: string,
  type: string,
  data: string,
  meta: string,
];
const COLUMNS = 'position, revision, created, id, stream, type, data, meta';
const DATA = 6;
const META = 7;
/** And not the row that says how far a search went. */
const isEvent = (row: Row): boolean => (row[0] as number | null) !== null;

export interface ReaderConnections {
  readonly tails: Connection;
  readonly pages: Connection;
  readonly fullPages: Connection;
}

/** Reads of the log in Postgres. Every statement is named, and a transaction of its own. */
export class PostgresReader {
  /** Short reads do not wait behind pages of a thousand events. */
  readonly #tails: Connection;
  readonly #pages: Connection;
  /** Not pipelined: one page at a time. */
  readonly #fullPages: Connection;
  readonly #schema: string;
  readonly #fullPageTurns = semaphore(1);
  /** Of all pages, because those who read at once mostly read the same events. */
  readonly #pageSize = new PageSize();

  constructor(connections: ReaderConnections, schema: string) {
    this.#tails = connections.tails;
    this.#pages = connections.pages;
    this.#fullPages = connections.fullPages;
    this.#schema = schema;
  }

  /** The connection of an idle platform's subscription, which needs no other. */
  #shortReads(): Connection {
    return this.#pages.isFree ? this.#pages : this.#tails;
  }

  async stream(
    stream: string,
    { from, limit = READ_PAGE_EVENTS, backwards = false }: StreamRange = {},
  ): Promise<StoredEvent[]> {
    const rows = await queried<Row>(this.#shortReads(), {
      name: backwards ? 'back' : 'tail',
      text: `select ${COLUMNS} from ${this.#schema}.event
             where stream = $1 and revision ${backwards ? '<=' : '>='} $2
             order by revision ${backwards ? 'desc' : 'asc'} limit $3`,
      values: [stream, from ?? (backwards ? Number.MAX_SAFE_INTEGER : 0), limit],
    });
    return mapInSlices(rows, eventOf);
  }

  async all(after: Position | null, { limit, categories }: AllRange): Promise<AllPage> {
    const start = numberOf(after);
    if (categories) return this.#search(start, limit, categories);
    const requested = this.#pageSize.of(limit);
    const { rows, isCut } = await this.#rowsOfPage(requested, {
      name: 'page',
      text: `select ${COLUMNS} from ${this.#schema}.event where position > $1
             order by position limit $2`,
      values: [start, requested],
    });
    const next = rows.at(-1)?.[0] ?? start;
    await this.#checkDense(start, next, rows.length);
    const events = await mapInSlices(rows, eventOf);
    const end = !isCut && rows.length < requested;
    return { events, next: positionOf(next), end, isCut: !end && rows.length < limit };
  }

  /**
   * As {@link all} if a full page is expected, by COPY, which costs a third less. It does not look
   * behind a shorter page: {@link all} continues from there, and reports whether that is the end.
   */
  async fullPage(after: Position | null, range: AllRange): Promise<AllPage> {
    const start = numberOf(after);
    const requested = this.#pageSize.of(range.limit);
    const { events, isCut } = await this.#copied(start, { ...range, limit: requested });
    this.#pageSize.learn({ requested, received: events.length, isCut });
    const last = events.at(-1);
    if (!last) return { events, next: after, end: false };
    const next = numberOf(last.position);
    // A page that holds every position needs no count.
    const isWhole = events.length === next - start;
    if (!isWhole) await this.#checkDense(start, next, range.categories ? null : events.length);
    const isShortened = events.length === requested && requested < range.limit;
    return { events, next: last.position, end: false, isCut: isCut || isShortened };
  }

  #copied(
    start: number,
    { limit, categories }: AllRange,
  ): Promise<{ events: StoredEvent[]; isCut: boolean }> {
    const named = categories?.map((category) => escapeLiteral(category)).join(', ');
    const filter =
      named === undefined ? '' : `and split_part(stream, '-', 1) = any (array[${named}]::text[])`;
    const statement = `
      copy (select ${BINARY_COLUMNS} from ${this.#schema}.event
            where position > ${start} and position <= ${start + LOG_SEARCH_POSITIONS}
              ${filter}
            order by position limit ${limit})
      to stdout (format binary)`;
    const copy = async () => {
      const events: StoredEvent[] = [];
      const bytes = new PageBytes();
      const eventOf = binaryEvents();
      await this.#fullPages.copyOut(statement, (message) => {
        if (!bytes.fits(message.length)) return;
        const event = eventOf(message);
        if (event) events.push(event);
      });
      return { events, isCut: bytes.isCut };
    };
    return this.#fullPageTurns.run(() => retried(copy));
  }

  /** The rows of a page that fit it. */
  #rowsOfPage(
    requested: number,
    query: Omit<QueryArrayConfig, 'rowMode'>,
  ): Promise<{ rows: Row[]; isCut: boolean }> {
    return retried(async () => {
      const rows: Row[] = [];
      const bytes = new PageBytes();
      await this.#pages.eachRow(query, (columns) => {
        const row = columns as Row;
        if (isEvent(row) && !bytes.fits(row[DATA].length + row[META].length)) return;
        rows.push(row);
      });
      const { isCut } = bytes;
      this.#pageSize.learn({ requested, received: rows.filter(isEvent).length, isCut });
      return { rows, isCut };
    });
  }

  async head(): Promise<Head> {
    const [row] = await queried<[position: number, created: string]>(this.#shortReads(), {
      name: 'head',
      text: `select position, created from ${this.#schema}.event order by position desc limit 1`,
    });
    if (!row) return { position: null, recordedAt: null };
    return { position: positionOf(row[0]), recordedAt: instantOf(row[1]) };
  }

  /**
   * A page of some categories, and how far it has searched, all of one snapshot. The first row has
   * that position, in the column of an event's data; each other row is an event.
   */
  async #search(start: number, limit: number, categories: readonly string[]): Promise<AllPage> {
    const event = `${this.#schema}.event`;
    const requested = this.#pageSize.of(limit);
    const page = await this.#rowsOfPage(requested, {
      name: 'search',
      text: `
        with page as materialized (
          select ${COLUMNS} from ${event}
          where position > $1 and position <= $1::bigint + ${LOG_SEARCH_POSITIONS}
            and split_part(stream, '-', 1) = any ($3)
          order by position limit $2),
        -- Materialized, as the rest is, or it would be computed again for each use of it.
        found as materialized (select count(*) as events, max(position) as last from page),
        head as (select greatest($1, coalesce(max(position), 0)) as position from ${event}),
        reach as materialized (
          select head.position as head, case when found.events = $2 then found.last
              else least($1::bigint + ${LOG_SEARCH_POSITIONS}, head.position) end as next
          from head, found),
        seen as materialized (
          select count(*) as events from ${event}
          where position > $1 and position <= (select next from reach))
        select null::bigint as position, null::bigint, null::timestamptz, null::uuid, null, null,
          json_build_array(reach.next, reach.next = reach.head, seen.events), null::json
        from reach, seen
        union all select ${COLUMNS} from page
        order by position nulls first`,
      values: [start, requested, categories],
    });
    const [reach, ...rows] = page.rows;
    const searched = JSON.parse(reach![DATA]) as [next: number, end: boolean, seen: number];
    const [next, end, seen] = page.isCut ? [rows.at(-1)![0], false, null] : searched;
    await this.#checkDense(start, next, seen);
    const events = await mapInSlices(rows, eventOf);
    const isCut = !end && (page.isCut || (rows.length === requested && requested < limit));
    return { events, next: positionOf(next), end, isCut };
  }

  /**
   * Positions are dense above what was removed, so a reader can count whether it received every
   * event. If not, it must stop: a gap in a read model would go unnoticed.
   *
   * @param seen How many it received; `null`: some were filtered out, so the server counts them.
   */
  async #checkDense(start: number, next: number, seen: number | null): Promise<void> {
    if (seen === next - start) return;
    const event = `${this.#schema}.event`;
    const [row] = await queried<[removed: number, above: number]>(this.#pages, {
      name: 'watermark',
      text: `select up_to, (select count(*) from ${event}
               where position > greatest(up_to, $1) and position <= $2)
             from ${this.#schema}.watermark`,
      values: [start, next],
    });
    const [removed, above] = row!;
    if (above !== Math.max(0, next - Math.max(removed, start)))
      throw new LogBroken(`the log has a hole between ${start} and ${next}, above ${removed}`);
  }
}

const queried = <R extends unknown[]>(
  connection: Connection,
  query: Omit<QueryArrayConfig, 'rowMode'>,
): Promise<R[]> => retried(() => connection.rows<R>(query));

/** Repeats a read after a lost connection, so that a server's restart only delays it. */
const retried = async <Result>(read: () => Promise<Result>): Promise<Result> => {
  const givenUpAt = performance.now() + LOG_CALL_TIMEOUT_MS;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (error instanceof LogUnavailable) throw error;
      if (isUnable(error)) throw new LogUnavailable('it cannot answer', error);
      if (!isLost(error)) throw error;
      if (performance.now() + LOG_RETRY_MS > givenUpAt)
        throw new LogUnavailable(`no answer within ${LOG_CALL_TIMEOUT_MS} ms`, error);
      await sleep(LOG_RETRY_MS);
    }
  }
};

const eventOf = ([
  position,
  revision,
  created,
  id,
  stream,
  type,
  data,
  meta,
]: Row): StoredEvent => ({
  id,
  type,
  data: JSON.parse(data) as unknown,
  meta: JSON.parse(meta) as StoredEvent['meta'],
  stream,
  revision,
  position: String(position),
  recordedAt: instantOf(created),
});

/** Slices `2026-03-01 09:00:00.12+00`, as a session in UTC prints it: faster than parsing. */
const instantOf = (created: string): string => {
  const day = created.slice(0, 10);
  const end = created.length - 3;
  if (end >= 23) return `${day}T${created.slice(11, 23)}Z`;
  return `${day}T${created.slice(11, 19)}.${created.slice(20, end).padEnd(3, '0')}Z`;
};
