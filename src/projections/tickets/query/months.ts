import { conditionsOf, type Dimension, type TicketFilter } from './filter.ts';
import type { Snapshot } from '../../snapshot.ts';
import { COUNT_BY_MONTH } from './tables.ts';

/** The dimensions of the tallies by month. */
export const BY_MONTH: readonly Dimension[] = ['buildingId', 'state', 'priority'];

export interface Month {
  /** `2026-03`. */
  readonly month: string;
  /** Tickets created in it. */
  readonly n: number;
}

/** The months that may have tickets of the filter, by {@link BY_MONTH}; newest first. */
export const monthsOf = (snapshot: Snapshot, filter: TicketFilter): Promise<readonly Month[]> =>
  snapshot.rows<Month>(
    (bind) => `select t.month, sum(t.n)::float8 as n from ${COUNT_BY_MONTH} t
      where ${conditionsOf(filter, bind, BY_MONTH)} and t.n > 0
      group by t.month order by t.month desc`,
  );
