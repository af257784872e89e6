import type { PoolClient } from 'pg';
import { CheckpointMoved, checkpoints } from '../../consumers/checkpoints.ts';
import { projectionId } from '../../consumers/consumer.ts';
import { isBadData } from '../../postgres/errors.ts';
import { trustedNow } from '../../consumers/clock-check.ts';
import type { Clock } from '../../time/clock.ts';
import {
  READ_PAGE_EVENTS,
  type EventStore,
  type Position,
  type StoredEvent,
} from '../../log/event-store.ts';
import type { AnyProjection } from '../projection.ts';
import { isPartlyApplied, PartlyApplied } from '../apply/claim.ts';
import { RowCache } from '../apply/row-cache.ts';
import { statementsOf } from '../apply/table-sql.ts';
import { UnwritableRow, writer } from '../apply/writer.ts';

export interface ReapplyParts {
  readonly projection: AnyProjection;
  readonly log: EventStore;
  readonly clock: Clock;
  readonly epoch: number;
  /** A client in a transaction, which is rolled back if this throws. */
  readonly client: PoolClient;
}

/** What {@link reapply} has done. */
export interface Reapplied {
  /** Of the event that was parked. */
  readonly revision: number;
  /** Whether that event was left out. */
  readonly isSkipped: boolean;
  readonly parkedAgain: { readonly revision: number; readonly error: string } | null;
  /** Whether it is parked at an event of another part, as {@link PartlyApplied}. */
  readonly isLeft: boolean;
}

/**
 * Applies a part of a parked stream, up to {@link READ_PAGE_EVENTS}, from its first parked event
 * on, and not beyond the read model's position; with `skip`, that event is left out, now and by
 * every rebuild of this version, unless it only waits as {@link PartlyApplied}. A stream that still
 * cannot be applied is parked again, at the failing event.
 *
 * Events of other streams that touched the same rows meanwhile stay as they were applied.
 *
 * @returns `null` if the stream is not parked.
 * @throws {@link CheckpointMoved} if `epoch` is no longer the owner's.
 */
export const reapply = async (
  { projection, log, clock, epoch, client }: ReapplyParts,
  { kind, stream }: { readonly kind: 'retry' | 'skip'; readonly stream: string },
): Promise<Reapplied | null> => {
  const consumer = projectionId(projection);
  const { apply, park } = writer(projection, statementsOf(projection), client);
  const books = checkpoints(client);
  const live = await client.query<{ position: Position | null }>(
    'select position from consumers.checkpoint where consumer = $1 and epoch = $2 for update',
    [consumer, epoch],
  );
  if (live.rowCount !== 1) throw new CheckpointMoved(consumer);
  const position = live.rows[0]!.position;
  const found = await client.query<{
    eventId: string;
    revision: number;
    skipped: number;
    reason: string;
  }>(
    `delete from consumers.parked where consumer = $1 and lane = $2
     returning event_id as "eventId", revision, skipped, reason`,
    [consumer, stream],
  );
  const first = found.rows[0];
  if (!first) return null;
  const at = await trustedNow({ pool: client, clock });
  // A stream that an interrupted request has applied in part waits at a sound event.
  const isSkipped = kind === 'skip' && !isPartlyApplied(first.reason);
  if (isSkipped) await books.skip(consumer, { ...first, stream }, at);
  const passedOver = await books.skipped(consumer);
  const parked = new Set<string>();
  const move = { consumer, epoch, from: position, to: position, caughtUp: false, at };

  /** Applies in a savepoint, because a failed statement would abort the whole transaction. */
  const attempted = async (events: readonly StoredEvent[]): Promise<void> => {
    await client.query('savepoint part');
    try {
      const now = await apply(move, events, new RowCache(0, false), parked, passedOver);
      for (const parkedNow of now.keys()) parked.add(parkedNow);
    } catch (error) {
      if (!isBadData(error) && !(error instanceof UnwritableRow)) throw error;
      await client.query('rollback to savepoint part');
      if (events.length === 1) {
        await park(move, events[0]!, error);
        parked.add(stream);
        return;
      }
      const half = events.length >> 1;
      await attempted(events.slice(0, half));
      await attempted(events.slice(half));
      return;
    }
  };

  const page = await log.readStream(stream, { from: first.revision, limit: READ_PAGE_EVENTS });
  const visible = page.filter((event) => log.compare(event.position, position) <= 0);
  const next = visible.length === READ_PAGE_EVENTS ? visible.pop() : undefined;
  if (visible.length > 0) await attempted(visible);
  const isLeft = next !== undefined && !parked.has(stream);
  if (isLeft) await park(move, next, new PartlyApplied());
  // Those of the part were parked until now, except skipped ones behind the first.
  const wereParked = visible.filter(({ id }) => id === first.eventId || !passedOver.has(id)).length;
  const later = first.skipped + 1 - wereParked - (isLeft ? 1 : 0);
  const again = await client.query<{ revision: number; error: string }>(
    `update consumers.parked set skipped = skipped + $3 where consumer = $1 and lane = $2
     returning revision, reason as error`,
    [consumer, stream, Math.max(0, later)],
  );
  const parkedAgain = isLeft ? null : (again.rows[0] ?? null);
  return { revision: first.revision, isSkipped, parkedAgain, isLeft };
};
