import { SEARCH_TOTAL_MAX } from '../limits.ts';
import { conditionsOf, type TicketFilter } from './filter.ts';
import { orderBy, type Order } from './order.ts';
import type { Page } from './page.ts';
import type { SearchTerm } from './places.ts';
import { hitsOf, occursIn, SearchTooWide, type Hits, type SearchBounds } from './search.ts';
import type { Snapshot } from '../../snapshot.ts';
import { LIST, SEARCH } from './tables.ts';

/**
 * A page of the tickets with all words, in another order than newest first.
 *
 * Up to the largest counted number of hits, all of them are found and sorted. Beyond it the words
 * are common, so the tickets are walked in their order until the page is full.
 *
 * @throws {@link SearchTooWide} if time runs out, or in a walk past {@link SEARCH_TOTAL_MAX}
 *   tickets.
 */
export const sortedHitsOf = async (
  snapshot: Snapshot,
  filter: TicketFilter,
  terms: readonly SearchTerm[],
  order: Order,
  { offset, limit }: Page,
  bounds: SearchBounds,
): Promise<Hits> => {
  const { searchTotalMax, searchMaxMs } = bounds;
  const until = performance.now() + searchMaxMs;
  const all = await hitsOf(snapshot, filter, terms, { offset: 0, limit: searchTotalMax }, bounds);
  if (!all.capped && offset >= all.found) return { ...all, ids: [] };
  const rowsMax = offset + limit;
  const direction = order.descending ? 'desc' : 'asc';
  if (all.capped && rowsMax > SEARCH_TOTAL_MAX) throw new SearchTooWide();
  const ids: string[] = [];
  for (const part of order.parts) {
    if (ids.length >= rowsMax) break;
    const leftMs = until - performance.now();
    const rows =
      leftMs <= 0
        ? null
        : await snapshot.rowsInTime<{ id: string }>((bind) => {
            const hits = all.capped
              ? `join ${SEARCH} s on s.id = t.id
                 where ${conditionsOf(filter, bind)} and ${occursIn(terms, bind)}`
              : `where t.id = any(${bind(all.ids, 'uuid[]')})`;
            return `select t.id from ${LIST} t ${hits} and ${part.condition}
              order by ${orderBy(part, direction)} limit ${bind(rowsMax - ids.length, 'bigint')}`;
          }, leftMs);
    if (rows === null) throw new SearchTooWide();
    for (const { id } of rows) ids.push(id);
  }
  return { ...all, ids: ids.slice(offset, rowsMax) };
};
