import type { PoolClient } from 'pg';
import { CheckpointMoved, checkpoints } from '../../consumers/checkpoints.ts';
import { projectionId } from '../../consumers/consumer.ts';
import type { Outcome } from '../../consumers/requests.ts';
import { isBadData } from '../../postgres/errors.ts';
import type { Clock } from '../../time/clock.ts';
import type { EventStore, Position, StoredEvent } from '../../log/event-store.ts';
import { pagesOf } from '../../log/history.ts';
import type { AnyProjection } from '../projection.ts';
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

/**
 * Applies a parked stream from its first parked event on, up to the read model's position; with
 * `skip`, that event is left out, now and by every rebuild of this version. A stream that still
 * cannot be applied is parked again, at the failing event.
 *
 * Events of other streams that touched the same rows meanwhile stay as they were applied.
 *
 * @throws {@link CheckpointMoved} if `epoch` is no longer the owner's.
 */
export const reapply = async (
  { projection, log, clock, epoch, client }: ReapplyParts,
  { kind, stream }: { readonly kind: 'retry' | 'skip'; readonly stream: string },
): Promise<Outcome> => {
  const consumer = projectionId(projection);
  const { apply, park } = writer(projection, statementsOf(projection), client);
  const books = checkpoints(client);
  const live = await client.query<{ position: Position | null }>(
    'select position from consumers.checkpoint where consumer = $1 and epoch = $2 for update',
    [consumer, epoch],
  );
  if (live.rowCount !== 1) throw new CheckpointMoved(consumer);
  const position = live.rows[0]!.position;
  const found = await client.query<{ eventId: string; revision: number }>(
    `delete from consumers.parked where consumer = $1 and lane = $2
     returning event_id as "eventId", revision`,
    [consumer, stream],
  );
  const first = found.rows[0];
  if (!first) return { state: 'refused', error: `${stream} is not parked` };
  const at = clock.now();
  if (kind === 'skip') await books.skip(consumer, { ...first, stream }, at);
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

  for await (const page of pagesOf(log, stream, first.revision)) {
    const visible = page.filter((event) => log.compare(event.position, position) <= 0);
    if (visible.length > 0) await attempted(visible);
  }
  const again = await client.query<{ revision: number; error: string }>(
    `select revision, reason as error from consumers.parked where consumer = $1 and lane = $2`,
    [consumer, stream],
  );
  const parkedAgain = again.rows[0] ?? null;
  return {
    state: 'done',
    result: {
      stream,
      revision: first.revision,
      skipped: kind === 'skip',
      parkedAgain,
    },
  };
};
