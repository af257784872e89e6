import type { Pool } from 'pg';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { statementsOf } from '../../engine/projections/apply/table-sql.ts';
import { erasureList, type ErasureListRow } from './list.ts';

export interface ErasureQueries {
  /** Newest first: by `requestedAt`, then by id. */
  page(query: ErasurePageQuery): Promise<ErasurePage>;
}

export interface ErasurePageQuery {
  /** Alias. */
  readonly organisation: string;
  /** Only erasures after this in list order; `null`: from the newest. */
  readonly after: ErasureCursor | null;
  readonly limit: number;
}

export interface ErasureCursor {
  readonly requestedAt: Instant;
  readonly erasureId: string;
}

export interface ErasurePage {
  readonly items: readonly ErasureListRow[];
  /** The end of the page; `null` if there are no more. */
  readonly last: ErasureCursor | null;
}

export const erasureQueries = (pool: Pick<Pool, 'query'>): ErasureQueries => ({
  async page({ organisation, after, limit }) {
    const place = after ? [after.requestedAt, after.erasureId] : [];
    const { rows } = await pool.query<ErasureListRow>(
      `select ${members} from ${TABLE} where organisation = $1
         ${after ? 'and (requested_at, erasure_id) < ($3, $4::uuid)' : ''}
       order by requested_at desc, erasure_id desc limit $2`,
      [organisation, limit + 1, ...place],
    );
    const items = rows.slice(0, limit);
    const { requestedAt, erasureId } = items.at(-1) ?? {};
    const isMore = rows.length > limit && requestedAt !== undefined && erasureId !== undefined;
    return { items, last: isMore ? { requestedAt, erasureId } : null };
  },
});

const {
  members,
  tables: [TABLE],
} = statementsOf(erasureList);
