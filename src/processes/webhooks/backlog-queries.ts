/** The questions a deliverer asks of the backlog. None of them uses the database's clock. */
import type { Pool } from 'pg';
import { isMissingTable } from '../../engine/postgres/errors.ts';
import { WEBHOOK_DUE_COUNTED_MAX } from './limits.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { statementsOf } from '../../engine/projections/apply/table-sql.ts';
import { webhookBacklog, type BacklogRow } from '../../projections/webhooks/backlog.ts';

const { members, tables } = statementsOf(webhookBacklog);
const [DELIVERY, WAITING] = tables;

export interface DueLane {
  readonly webhookId: string;
  /** Of the delivery that is due first. */
  readonly dueAt: Instant;
}

export interface Wanted {
  readonly webhookId: string;
  readonly limit: number;
}

export const backlogQueries = (pool: Pool) => ({
  /** Each subscription that has deliveries, and when the first of them is due. */
  async lanes(): Promise<readonly DueLane[]> {
    // From one subscription to the next by the index, however many deliveries lie between.
    const { rows } = await pool.query<DueLane>({
      name: 'webhook lanes',
      text: `with recursive lane as (
               (select webhook_id, due_at from ${DELIVERY} order by webhook_id, due_at limit 1)
               union all
               select next.webhook_id, next.due_at
               from lane cross join lateral (
                 select webhook_id, due_at from ${DELIVERY} where webhook_id > lane.webhook_id
                 order by webhook_id, due_at limit 1
               ) as next
             )
             select webhook_id as "webhookId", due_at as "dueAt" from lane`,
    });
    return rows;
  },

  /** What is due of each, the longest first, without those that are taken. */
  async due(
    wanted: readonly Wanted[],
    taken: readonly string[],
    now: Instant,
  ): Promise<readonly BacklogRow[]> {
    const { rows } = await pool.query<BacklogRow>({
      name: 'webhook deliveries due',
      text: `select ${members} from unnest($1::uuid[], $2::int[]) as lane (id, wanted)
             cross join lateral (
               select * from ${DELIVERY} as d
               where d.webhook_id = lane.id and d.due_at <= $3
                 and not (d.delivery_id = any($4::uuid[]))
               order by d.due_at, d.revision limit lane.wanted
             ) as delivery`,
      values: [
        wanted.map(({ webhookId }) => webhookId),
        wanted.map(({ limit }) => limit),
        now,
        taken,
      ],
    });
    return rows;
  },

  /** When the next delivery is due; `null` if there is none, or no table yet. */
  async next(): Promise<Instant | null> {
    try {
      const { rows } = await pool.query<{ due: Instant | null }>(
        `select min(due_at) as due from ${DELIVERY}`,
      );
      return rows[0]?.due ?? null;
    } catch (error) {
      if (isMissingTable(error)) return null;
      throw error;
    }
  },

  /**
   * How many deliveries are not over, and how many of them are due: no more of these are counted
   * than {@link WEBHOOK_DUE_COUNTED_MAX}.
   */
  async count(now: Instant): Promise<{ readonly waiting: number; readonly due: number }> {
    const { rows } = await pool.query<{ waiting: number; due: number }>({
      name: 'webhook backlog count',
      text: `select (select coalesce(sum(n), 0) from ${WAITING})::int as waiting,
                    (select count(*) from (
                       select from ${DELIVERY} where due_at <= $1 limit $2
                     ) as due)::int as due`,
      values: [now, WEBHOOK_DUE_COUNTED_MAX],
    });
    return rows[0]!;
  },
});

export type BacklogQueries = ReturnType<typeof backlogQueries>;
