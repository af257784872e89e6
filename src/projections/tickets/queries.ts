import type { Pool } from 'pg';
import { isTerminal, ticketStates } from '../../domain/ticket/graph.ts';
import type { TicketView } from '../../domain/ticket/view.ts';
import { snake } from '../projection.ts';
import { keysOf, LIST } from './access-paths.ts';
import { wordsOf } from './document.ts';
import { bindings, type TicketFilter } from './filter.ts';
import { hitsOf } from './search-query.ts';
import { ticketList, viewOfRow, type TicketListRow } from './list.ts';
import { has, placesOf, type LookedUp, type TicketLookup } from './lookup.ts';
import { cutOf } from './deep-pages.ts';
import { planOf, type Plan } from './plan.ts';
import { reading, tuned, type Reading, type Tuning } from './read-snapshot.ts';

export interface TicketListQuery extends TicketFilter {
  /** Words that must all occur; white space alone asks for nothing. */
  readonly search?: string | undefined;
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

export interface TicketPage {
  /** Newest first: by `createdAt`, then by id. `[]` beyond the end. */
  readonly items: readonly TicketView[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  /** There are more than `total`; a search is counted no further. */
  readonly totalCapped?: true;
}

export interface PlacedTicket {
  readonly id: string;
  readonly storeyId: string | null;
  readonly spaceId: string | null;
  readonly elementId: string | null;
}

export interface TicketQueries {
  /**
   * One page and the total, of one state of the tables. contract.md sections 1 and 5.
   *
   * Ids must be UUIDs, and texts free of U+0000; the caller has checked them.
   */
  list(query: TicketListQuery): Promise<TicketPage>;
  /** The tickets whose metadata has a text under a key, a page of them. */
  lookup(lookup: TicketLookup): Promise<LookedUp>;
  /** The tickets of a building that have a place in it and are not at the end of their life. */
  openTicketsAt(organisation: string, buildingId: string): Promise<readonly PlacedTicket[]>;
}

/** Reads what `ticketList`, `ticketSearch` and `ticketMetadata` have written through `pool`. */
export const ticketQueries = ({
  pool,
  tuning,
}: {
  readonly pool: Pool;
  /** Default: as measured. */
  readonly tuning?: Partial<Tuning>;
}): TicketQueries => ({
  list: (query) =>
    reading(pool, tuned(tuning), async (reading) => {
      const { page, limit } = query;
      const { searchTotalMax } = reading.tuning;
      const offset = (page - 1) * limit;
      const plan = await planOf(reading, query);
      const words = wordsOf(query.search ?? '');
      if (words.length === 0 || plan.total === 0) {
        const ids = await idsOf(reading, query, plan, { offset, limit });
        return { items: await itemsOf(reading, ids), page, limit, total: plan.total };
      }
      const { found, ids } = await hitsOf(reading, query, plan, words, { offset, limit });
      return {
        items: await itemsOf(reading, ids),
        page,
        limit,
        total: Math.min(found, searchTotalMax),
        ...(found > searchTotalMax ? { totalCapped: true } : {}),
      };
    }),

  lookup: (lookup) =>
    reading(pool, tuned(tuning), async (reading) => {
      const { places, more } = await placesOf(reading, lookup);
      const found = await itemsOf(
        reading,
        places.map(({ id }) => id),
      );
      return {
        items: found.filter((ticket) => has(ticket, lookup.key, lookup.value)),
        last: more ? places.at(-1)! : null,
      };
    }),

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
});

const idsOf = async (
  reading: Reading,
  filter: TicketFilter,
  plan: Plan,
  page: { readonly offset: number; readonly limit: number },
): Promise<readonly string[]> => {
  if (page.offset >= plan.total) return [];
  const { base, cut } = await cutOf(reading, filter, plan, page);
  const { values, bind } = bindings();
  const rows = await reading.rows<{ id: string }>(keysOf(filter, base, cut, bind), values);
  return rows.map(({ id }) => id);
};

/** The tickets of a page, in its order. */
const itemsOf = async (
  reading: Reading,
  ids: readonly string[],
): Promise<readonly TicketView[]> => {
  if (ids.length === 0) return [];
  const rows = await reading.rows<TicketListRow>(
    `select ${COLUMNS} from ${LIST} where id = any($1::uuid[]) order by created_at desc, id desc`,
    [ids],
  );
  return rows.map(viewOfRow);
};

const COLUMNS = Object.keys(ticketList.table.columns)
  .map((member) => `${snake(member)} as "${member}"`)
  .join(', ');
