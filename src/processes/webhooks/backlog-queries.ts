/** Queries over the backlog. None of them uses the database's clock. */
import type { Pool } from 'pg';
import { isMissingTable } from '../../engine/postgres/errors.ts';
import { WEBHOOK_DUE_COUNTED_MAX } from './limits.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { statementsOf } from '../../engine/projections/apply/table-sql.ts';
import { webhookAttempts } from '../../projections/webhooks/attempts.ts';
import { webhookBacklog, type BacklogRow } from '../../projections/webhooks/backlog.ts';

const { members, tables } = statementsOf(webhookBacklog);
const [DELIVERY, WAITING] = tables;
const [ATTEMPT] = statementsOf(webhookAttempts).tables;

/**
 * Each subscription that has deliveries, and when the first of them is due. A loose index scan: the
 * number of deliveries does not matter.
 */
const QUEUES = `queue as (
    (select webhook_id, due_at from ${DELIVERY} order by webhook_id, due_at limit 1)
    union all
    select next.webhook_id, next.due_at
    from queue cross join lateral (
      select webhook_id, due_at from ${DELIVERY} where webhook_id > queue.webhook_id
      order by webhook_id, due_at limit 1
    ) as next
  )`;

export interface DueQueue {
  readonly webhookId: string;
  /** When its first delivery is due. */
  readonly dueAt: Instant;
}

export const backlogQueries = (pool: Pool) => ({
  /** Each subscription that has deliveries, and when the first of them is due. */
  async queues(): Promise<readonly DueQueue[]> {
    const { rows } = await pool.query<DueQueue>({
      name: 'webhook queues',
      text: `with recursive ${QUEUES}
             select webhook_id as "webhookId", due_at as "dueAt" from queue`,
    });
    return rows;
  },

  /** Due rows of each subscription, the oldest first, without those claimed. */
  async due(
    limits: readonly { readonly webhookId: string; readonly limit: number }[],
    claimed: readonly string[],
    now: Instant,
  ): Promise<readonly BacklogRow[]> {
    const { rows } = await pool.query<BacklogRow>({
      name: 'webhook deliveries due',
      text: `select ${members} from unnest($1::uuid[], $2::int[]) as queue (id, wanted)
             cross join lateral (
               select * from ${DELIVERY} as d
               where d.webhook_id = queue.id and d.due_at <= $3
                 and not (d.delivery_id = any($4::uuid[]))
               order by d.due_at, d.revision limit queue.wanted
             ) as delivery`,
      values: [
        limits.map(({ webhookId }) => webhookId),
        limits.map(({ limit }) => limit),
        now,
        claimed,
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
   * Since when a subscription has had a due delivery and no attempt at a queued one: the longest
   * ago of all subscriptions. One attempt at a time, at a receiver that fails or is slow, is no
   * delay of ours.
   *
   * Direct deliveries are first attempts too, of deliveries that are queued afterwards, and say
   * nothing about the deliverer. So a first attempt counts only if its delivery was queued before
   * the one that is due: had it been direct, it would have started before that one was due.
   */
  async stalledSince(now: Instant): Promise<Instant | null> {
    const { rows } = await pool.query<{ since: Instant | null }>({
      name: 'webhook queues stalled',
      text: `with recursive ${QUEUES}
             select min(greatest(queue.due_at, last.started_at)) as since
             from queue cross join lateral (
               select journal, revision from ${DELIVERY} where webhook_id = queue.webhook_id
               order by due_at, revision limit 1
             ) as head left join lateral (
               select started_at from ${ATTEMPT} as a
               where a.webhook_id = queue.webhook_id and a.started_at > queue.due_at
                 and (a.attempt > 1 or (a.journal = head.journal and a.revision < head.revision))
               order by a.started_at desc limit 1
             ) as last on true
             where queue.due_at <= $1`,
      values: [now],
    });
    return rows[0]?.since ?? null;
  },

  /** Queued deliveries, and the due ones among them up to {@link WEBHOOK_DUE_COUNTED_MAX}. */
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
