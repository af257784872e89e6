import type { Pool } from 'pg';
import { isTerminal, ticketStates, type TicketState } from '../../../domain/tickets/graph.ts';
import { defaultSort, type TicketSort } from '../../../domain/tickets/sorts.ts';
import type { TicketView } from '../../../domain/tickets/view.ts';
import type { Instant } from '../../../engine/aggregates/decider.ts';
import {
  ANSWERED_TOTAL_MAX,
  PLACES_LISTED_MAX,
  SEARCH_TOTAL_MAX,
  TICKET_EXPORT_READ_ROWS,
  TICKET_EXPORT_READS_AT_ONCE_MAX,
  TICKET_EXPORT_SEARCHED_ROWS,
  TICKET_READ_MAX_MS,
} from '../limits.ts';
import { semaphore } from '../../../engine/concurrency/semaphore.ts';
import { wordsOf } from '../document.ts';
import { answeredHitsOf } from './answered.ts';
import { assigneesIn, type TicketAssignees } from './assignees.ts';
import type { TicketFilter } from './filter.ts';
import { firstPageOf } from './first-page.ts';
import { itemsOf, printedItemsOf } from './items.ts';
import { has, placesOf, type LookupPage, type TicketLookup } from './lookup.ts';
import { orderOf } from './order.ts';
import { idsOf, type Page } from './page.ts';
import { termsOf } from './places.ts';
import { hitsOf, type Hits, type SearchBounds } from './search.ts';
import { sortedHitsOf } from './sorted-search.ts';
import { reading, type Snapshot } from '../../snapshot.ts';
import { LIST } from './tables.ts';
import { sumOf, totalsOf } from './total.ts';
import { walk } from './walk.ts';

export { SearchTooWide } from './search.ts';

export interface TicketSelection extends TicketFilter {
  /** Words that must all occur; white space alone means no search. */
  readonly search?: string | undefined;
}

export interface TicketListQuery extends TicketSelection {
  /** Ties go by id, in the same direction. Default: {@link defaultSort}. */
  readonly sort?: TicketSort | undefined;
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

export interface TicketPage {
  /** In the order of `sort`. `[]` beyond the end. */
  readonly items: readonly TicketView[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  /** There may be more than `total`: searches and filters by answers are counted only up to it. */
  readonly totalCapped?: true;
}

export interface PrintedPage extends Omit<TicketPage, 'items'> {
  /** The public tickets as JSON; a text may hold several, separated by commas. */
  readonly items: readonly string[];
}

export interface PlacedTicket {
  readonly id: string;
  readonly storeyId: string | null;
  readonly spaceId: string | null;
  readonly elementId: string | null;
}

export interface TicketStanding {
  readonly id: string;
  readonly number: string;
  readonly state: TicketState;
}

export interface RoomTickets {
  readonly spaceId: string;
  /** Their priority. */
  readonly level: string;
  readonly count: number;
  readonly overdue: boolean;
}

export interface TicketQueries {
  /**
   * One page and the total, from one snapshot. contract.md sections 1 and 5.
   *
   * Ids must be UUIDs, and texts free of U+0000; the caller has checked them.
   *
   * @throws {@link SearchTooWide}
   */
  list(query: TicketListQuery): Promise<TicketPage>;
  /** The same, as the API prints it: a page is copied, not parsed. */
  printed(query: TicketListQuery): Promise<PrintedPage>;
  /**
   * The ids of the newest tickets of the selection, and the number of all, from one snapshot. With
   * `capped` there are more than that: a search is counted only up to it.
   *
   * @param max Of the ids.
   * @throws {@link SearchTooWide}
   */
  select(
    selection: TicketSelection,
    max: number,
  ): Promise<Pick<Hits, 'ids' | 'capped'> & { readonly total: number }>;
  /**
   * All tickets of the selection that exist at its beginning, oldest first, in pages. A page is
   * read on demand with the current state of its tickets; no resource is held in between.
   *
   * @throws {@link SearchTooWide}
   */
  all(selection: TicketSelection): AsyncGenerator<readonly TicketView[], void, undefined>;
  /** A page of the tickets whose metadata has a text under a key. */
  lookup(lookup: TicketLookup): Promise<LookupPage>;
  /** The users and teams to whom tickets are assigned: see {@link assigneesIn}. */
  assignees(organisation: string, words: readonly string[]): Promise<TicketAssignees>;
  /**
   * The unfinished tickets of these rooms by room and priority, and whether one of them is overdue.
   *
   * @param spaceIds UUIDs.
   */
  openTicketsOf(
    organisation: string,
    spaceIds: readonly string[],
    now: Instant,
  ): Promise<readonly RoomTickets[]>;
  /** The tickets among `ids` that the organisation has. */
  states(organisation: string, ids: readonly string[]): Promise<readonly TicketStanding[]>;
  /** The unfinished tickets of a building with a location in it. */
  openTicketsAt(organisation: string, buildingId: string): Promise<readonly PlacedTicket[]>;
}

/** Performance settings, which never change the result. */
export interface Tuning extends SearchBounds {
  /** Places listed per search; for a word that names more, the place of each ticket is tested. */
  readonly placesListedMax: number;
  /** Distance from either end of the list beyond which a page is found by month. */
  readonly deepRows: number;
  /** Largest number of counted tickets of a list by answers. */
  readonly answeredTotalMax: number;
  /** Rows scanned per statement of {@link TicketQueries.all}. */
  readonly searchedRows: number;
  /** Tickets per page of {@link TicketQueries.all}. */
  readonly readRows: number;
}

/** Measured with bench/ticket-list.ts on a million tickets. */
const measured: Tuning = {
  placesListedMax: PLACES_LISTED_MAX,
  deepRows: 50_000,
  answeredTotalMax: ANSWERED_TOTAL_MAX,
  searchFirstRows: 5_000,
  searchTotalMax: SEARCH_TOTAL_MAX,
  searchMaxMs: TICKET_READ_MAX_MS,
  searchedRows: TICKET_EXPORT_SEARCHED_ROWS,
  readRows: TICKET_EXPORT_READ_ROWS,
};

/**
 * Queries of the tables of `ticketList`, `ticketSearch`, `ticketMetadata` and `ticketAnswers`; a
 * search also reads the names of places in the building graph.
 */
export const ticketQueries = ({
  pool,
  tuning: tuned,
}: {
  readonly pool: Pool;
  /** Default: as measured. */
  readonly tuning?: Partial<Tuning>;
}): TicketQueries => {
  const tuning = { ...measured, ...tuned };
  const reads = semaphore(TICKET_EXPORT_READS_AT_ONCE_MAX);
  const found = async (
    snapshot: Snapshot,
    { search = '', ...filter }: TicketSelection,
    place: Page,
    sort: TicketSort,
  ): Promise<Hits> => {
    const words = wordsOf(search);
    const order = orderOf(sort);
    if (words.length > 0) {
      const terms = await termsOf(snapshot, filter, words, tuning.placesListedMax);
      return sort === defaultSort
        ? hitsOf(snapshot, filter, terms, place, tuning)
        : sortedHitsOf(snapshot, filter, terms, order, place, tuning);
    }
    if (filter.fields !== undefined) return answeredHitsOf(snapshot, filter, order, place, tuning);
    const totals = await totalsOf(snapshot, filter, order.division);
    const ids = await idsOf(snapshot, filter, order, place, totals, tuning.deepRows);
    return { ids, found: sumOf(totals), capped: false };
  };
  const pageOf = <Items>(
    { page, limit, sort = defaultSort, ...selection }: TicketListQuery,
    read: (snapshot: Snapshot, ids: readonly string[]) => Promise<Items>,
  ) =>
    reading(pool, async (snapshot) => {
      const place = { offset: (page - 1) * limit, limit };
      const { ids, found: total, capped } = await found(snapshot, selection, place, sort);
      const items = await read(snapshot, ids);
      return { items, page, limit, total, ...(capped ? { totalCapped: true as const } : {}) };
    });
  return {
    list: (query) => pageOf(query, itemsOf),

    async printed(query) {
      const { page, limit, sort = defaultSort, search = '', ...filter } = query;
      const place = { offset: (page - 1) * limit, limit };
      const isSearch = wordsOf(search).length > 0;
      const first = isSearch ? null : await firstPageOf(pool, filter, sort, place);
      return first ? { ...first, page, limit } : pageOf(query, printedItemsOf);
    },

    select: (selection, max) =>
      reading(pool, async (snapshot) => {
        const place = { offset: 0, limit: max };
        const { ids, found: total, capped } = await found(snapshot, selection, place, defaultSort);
        return { ids, total, capped };
      }),

    all: ({ search = '', ...filter }) => walk({ pool, reads, ...tuning }, filter, wordsOf(search)),

    lookup: (lookup) =>
      reading(pool, async (snapshot) => {
        const { places, more } = await placesOf(snapshot, lookup);
        const found = await itemsOf(
          snapshot,
          places.map(({ id }) => id),
        );
        return {
          items: found.filter((ticket) => has(ticket, lookup.key, lookup.value)),
          last: more ? places.at(-1)! : null,
        };
      }),

    assignees: (organisation, words) =>
      reading(pool, (snapshot) => assigneesIn(snapshot, organisation, words)),

    openTicketsOf: (organisation, spaceIds, now) =>
      reading(pool, (snapshot) =>
        snapshot.rows<RoomTickets>((bind) => {
          const states = ticketStates.filter((state) => !isTerminal(state));
          return `
            select space_id as "spaceId", priority as level, count(*)::int,
                   coalesce(bool_or(next_due_at < ${bind(now, 'text')}), false) as overdue
            from ${LIST}
            where organisation_id = ${bind(organisation, 'text')}
              and space_id = any(${bind(spaceIds, 'uuid[]')})
              and state = any(${bind(states, 'text[]')})
            group by space_id, priority`;
        }),
      ),

    states: (organisation, ids) =>
      reading(pool, (snapshot) =>
        snapshot.rows<TicketStanding>(
          (bind) => `select id, number, state from ${LIST}
            where id = any(${bind(ids, 'uuid[]')})
              and organisation_id = ${bind(organisation, 'text')}`,
        ),
      ),

    openTicketsAt: async (organisation, buildingId) => {
      const { rows } = await pool.query<PlacedTicket>(
        `select id, storey_id as "storeyId", space_id as "spaceId", element_id as "elementId"
         from ${LIST}
         where organisation_id = $1 and building_id = $2::uuid and state = any($3)
           and (storey_id is not null or space_id is not null or element_id is not null)
         order by created_at, id`,
        [organisation, buildingId, ticketStates.filter((state) => !isTerminal(state))],
      );
      return rows;
    },
  };
};
