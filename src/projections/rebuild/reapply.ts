import type { PoolClient } from 'pg';
import { isBadData } from '../../db/errors.ts';
import type { Clock } from '../../ops/clock.ts';
import type { EventStore, Position, StoredEvent } from '../../store/event-store.ts';
import { pagesOf } from '../../store/history.ts';
import type { AnyProjection } from '../projection.ts';
import type { Outcome } from './requests.ts';
import { RowCache } from '../apply/row-cache.ts';
import { statementsOf } from '../apply/table-sql.ts';
import { CheckpointMoved, UnwritableRow, writer } from '../apply/writer.ts';

export interface ReapplyParts {
  readonly projection: AnyProjection;
  readonly log: EventStore;
  readonly clock: Clock;
  readonly epoch: number;
  /** In a transaction, which is rolled back if this throws. */
  readonly client: PoolClient;
}

/**
 * Applies a parked stream from its first parked event on, up to where the read model stands; with
 * `skip`, that event is left out, now and by every rebuild of this version. A stream that still
 * cannot be applied is parked again, at the event that is at fault now.
 *
 * Events of other streams that touched the same rows meanwhile stay as they were applied.
 *
 * @throws {@link CheckpointMoved} if `epoch` is not the owner's any more.
 */
export const reapply = async (
  { projection, log, clock, epoch, client }: ReapplyParts,
  { kind, stream }: { readonly kind: 'retry' | 'skip'; readonly stream: string },
): Promise<Outcome> => {
  const { name, version } = projection;
  const statements = statementsOf(projection);
  const { apply, park } = writer(projection, statements, client);
  const live = await client.query<{ position: Position | null }>(
    `select position from projections.checkpoint
     where name = $1 and version = $2 and epoch = $3 for update`,
    [name, version, epoch],
  );
  if (live.rowCount !== 1) throw new CheckpointMoved(statements.schema);
  const position = live.rows[0]!.position;
  const found = await client.query<{ eventId: string; revision: number }>(
    `delete from projections.parked where name = $1 and version = $2 and stream = $3
     returning event_id as "eventId", revision`,
    [name, version, stream],
  );
  const first = found.rows[0];
  if (!first) return { state: 'refused', error: `${stream} is not parked` };
  if (kind === 'skip') {
    await client.query(
      `insert into projections.skipped (name, version, event_id, stream, revision, skipped_at)
       values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
      [name, version, first.eventId, stream, first.revision, clock.now()],
    );
  }
  const passedOver = await skippedOf(client, projection);
  const parked = new Set<string>();
  const at = clock.now();
  const move = { name, version, epoch, from: position, to: position, caughtUp: false, at };

  /** A statement that fails ends its transaction, but for what came before the savepoint. */
  const attempted = async (events: readonly StoredEvent[]): Promise<void> => {
    await client.query('savepoint part');
    try {
      const now = await apply(move, events, new RowCache(0, false), parked, passedOver);
      for (const its of now.keys()) parked.add(its);
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
    const shown = page.filter((event) => log.compare(event.position, position) <= 0);
    if (shown.length > 0) await attempted(shown);
  }
  const again = await client.query<{ revision: number; error: string }>(
    `select revision, error from projections.parked
     where name = $1 and version = $2 and stream = $3`,
    [name, version, stream],
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

/** Ids of the events that operators have skipped. */
export const skippedOf = async (
  db: Pick<PoolClient, 'query'>,
  { name, version }: AnyProjection,
): Promise<ReadonlySet<string>> => {
  const { rows } = await db.query<{ eventId: string }>(
    `select event_id as "eventId" from projections.skipped where name = $1 and version = $2`,
    [name, version],
  );
  return new Set(rows.map(({ eventId }) => eventId));
};
