import type { Pool } from 'pg';
import { CheckpointMoved, checkpoints } from '../consumers/checkpoints.ts';
import type { ConsumerId } from '../consumers/consumer.ts';
import type { Clock } from '../time/clock.ts';
import type { PartitionStore, SetAside } from './partition-executor.ts';

/** What a process has set aside, in `consumers.parked`; written under its epoch alone. */
export const partitionRows = (
  pool: Pool,
  consumer: ConsumerId,
  { epoch, clock }: { readonly epoch: number; readonly clock: Clock },
): PartitionStore => {
  const fenced = async (text: string, values: readonly unknown[]) => {
    const { rows } = await pool.query<{ mine: boolean }>(
      `with mine as (
         select from consumers.checkpoint where consumer = $1 and epoch = $2 for share
       ), written as (${text})
       select exists (select from mine) as mine`,
      [consumer, epoch, ...values],
    );
    if (!rows[0]!.mine) throw new CheckpointMoved(consumer);
  };

  return {
    setAside: ({ lane, event, reason, retryAt, skipped }) =>
      fenced(
        `insert into consumers.parked as p (consumer, lane, stream, event_id, revision, position,
           reason, parked_at, skipped, retry_at)
         select $1, $3, $4, $5, $6, $7, $8, $9, $10, $11 where exists (select from mine)
         on conflict (consumer, lane) do update
           set stream = excluded.stream, event_id = excluded.event_id,
               revision = excluded.revision, position = excluded.position,
               reason = excluded.reason, skipped = excluded.skipped,
               retry_at = excluded.retry_at`,
        [
          lane,
          event.stream,
          event.eventId,
          event.revision,
          event.position,
          reason,
          clock.now(),
          skipped,
          retryAt,
        ],
      ),

    count: (skipped) =>
      fenced(
        `update consumers.parked as p set skipped = counted.skipped
         from unnest($3::text[], $4::bigint[]) as counted (lane, skipped)
         where p.consumer = $1 and p.lane = counted.lane and exists (select from mine)`,
        [[...skipped.keys()], [...skipped.values()]],
      ),

    forget: (lane) =>
      fenced(
        `delete from consumers.parked
         where consumer = $1 and lane = $3 and exists (select from mine)`,
        [lane],
      ),
  };
};

/** The lanes that are aside, as they were left. */
export const parkedPartitions = async (pool: Pool, consumer: ConsumerId): Promise<SetAside[]> =>
  (await checkpoints(pool).parked([consumer])).map(
    ({ lane, stream, eventId, revision, position, reason, retryAt, skipped }) => ({
      lane,
      event: { stream, eventId, revision, position },
      reason,
      retryAt,
      skipped,
    }),
  );
