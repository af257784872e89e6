import type { Pool } from 'pg';
import { CheckpointMoved, checkpoints } from '../consumers/checkpoints.ts';
import type { ConsumerId } from '../consumers/consumer.ts';
import type { Clock } from '../time/clock.ts';
import type { PartitionStore, ParkedPartition } from './partition-executor.ts';

/** What a turn's writes are conditional on. */
export interface Fence {
  /** Of its lease. */
  readonly epoch: number;
  /** Of its checkpoint. */
  readonly claim: string;
}

/**
 * The parked partitions of a process, in `consumers.parked`. Writes are fenced by the claim of the
 * checkpoint, because an effect may outlive its turn, and the owner's next turn has the same epoch.
 * A write in flight locks the checkpoint, so the next claim waits for it.
 */
export const partitionRows = (
  pool: Pool,
  consumer: ConsumerId,
  { epoch, claim }: Fence,
  clock: Clock,
): PartitionStore => {
  const fenced = async (text: string, values: readonly unknown[]) => {
    const { rows } = await pool.query<{ isOwner: boolean }>(
      `with owned as (
         select from consumers.checkpoint
         where consumer = $1 and epoch = $2 and claim = $3 for share
       ), written as (${text})
       select exists (select from owned) as "isOwner"`,
      [consumer, epoch, claim, ...values],
    );
    if (!rows[0]!.isOwner) throw new CheckpointMoved(consumer);
  };

  return {
    park: ({ partition, event, reason, retryAt, skipped }) =>
      fenced(
        `insert into consumers.parked as p (consumer, lane, stream, event_id, revision, position,
           reason, parked_at, skipped, retry_at)
         select $1, $4, $5, $6, $7, $8, $9, $10, $11, $12 where exists (select from owned)
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
         from unnest($4::text[], $5::bigint[]) as counted (lane, skipped)
         where p.consumer = $1 and p.lane = counted.lane and exists (select from owned)`,
        [[...skipped.keys()], [...skipped.values()]],
      ),

    forget: (partition) =>
      fenced(
        `delete from consumers.parked
         where consumer = $1 and lane = $4 and exists (select from owned)`,
        [partition],
      ),

    skip: ({ eventId, stream, revision }) =>
      fenced(
        `insert into consumers.skipped (consumer, event_id, stream, revision, skipped_at)
         select $1, $4, $5, $6, $7 where exists (select from owned)
         on conflict do nothing`,
        [eventId, stream, revision, clock.now()],
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
