import type { Pool } from 'pg';
import { CheckpointMoved, checkpoints } from '../consumers/checkpoints.ts';
import type { ConsumerId } from '../consumers/consumer.ts';
import type { Clock } from '../time/clock.ts';
import type { PartitionStore, ParkedPartition } from './partition-executor.ts';

/** The parked partitions of a process, in `consumers.parked`; writes are fenced by its epoch. */
export const partitionRows = (
  pool: Pool,
  consumer: ConsumerId,
  { epoch, clock }: { readonly epoch: number; readonly clock: Clock },
): PartitionStore => {
  const fenced = async (text: string, values: readonly unknown[]) => {
    const { rows } = await pool.query<{ isOwner: boolean }>(
      `with owned as (
         select from consumers.checkpoint where consumer = $1 and epoch = $2 for share
       ), written as (${text})
       select exists (select from owned) as "isOwner"`,
      [consumer, epoch, ...values],
    );
    if (!rows[0]!.isOwner) throw new CheckpointMoved(consumer);
  };

  return {
    park: ({ partition, event, reason, retryAt, skipped }) =>
      fenced(
        `insert into consumers.parked as p (consumer, lane, stream, event_id, revision, position,
           reason, parked_at, skipped, retry_at)
         select $1, $3, $4, $5, $6, $7, $8, $9, $10, $11 where exists (select from owned)
         on conflict (consumer, lane) do update
           set stream = excluded.stream, event_id = excluded.event_id,
               revision = excluded.revision, position = excluded.position,
               reason = excluded.reason, skipped = excluded.skipped,
               retry_at = excluded.retry_at`,
        [
          partition,
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
         where p.consumer = $1 and p.lane = counted.lane and exists (select from owned)`,
        [[...skipped.keys()], [...skipped.values()]],
      ),

    forget: (partition) =>
      fenced(
        `delete from consumers.parked
         where consumer = $1 and lane = $3 and exists (select from owned)`,
        [partition],
      ),
  };
};

export const parkedPartitions = async (
  pool: Pool,
  consumer: ConsumerId,
): Promise<ParkedPartition[]> =>
  (await checkpoints(pool).parked([consumer])).map(
    ({ lane, stream, eventId, revision, position, reason, retryAt, skipped }) => ({
      partition: lane,
      event: { stream, eventId, revision, position },
      reason,
      retryAt,
      skipped,
    }),
  );
