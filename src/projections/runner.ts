import type { Pool } from 'pg';
import { openBooks } from '../db/books.ts';
import { isBadData, isMissingTable, lineOf } from '../db/failures.ts';
import type { Lease } from '../db/ownership.ts';
import { transaction } from '../db/transaction.ts';
import { PROJECTION_BATCH_EVENTS_MAX, PROJECTION_ROWS_CACHED_MAX } from '../limits.ts';
import { backoff } from '../ops/backoff.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logging.ts';
import type { EventStore, Position, StoredEvent } from '../store/event-store.ts';
import { follow } from './follow.ts';
import { schemaOf, type AnyProjection } from './projection.ts';
import { RowCache } from './row-cache.ts';
import { statementsOf } from './rows.ts';
import { CheckpointMoved, UnwritableRow, writer } from './writer.ts';

export interface RunnerParts {
  readonly projection: AnyProjection;
  readonly log: EventStore;
  readonly pool: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Rows kept in memory. Default {@link PROJECTION_ROWS_CACHED_MAX}. */
  readonly rowsCachedMax?: number;
  /** Hears how far the rows show the log; `null` when that is no longer known here. */
  readonly onReached: (reached: Reached | null) => void;
}

export interface Reached {
  readonly position: Position | null;
  /** Has been at the log's head once since its tables were made. */
  readonly caughtUp: boolean;
}

export interface ProjectionRunner {
  readonly projection: AnyProjection;
  /** Feeds the projection under `lease`, through failures of log and database, until it is over. */
  run(lease: Lease): Promise<void>;
  /** Looks at its checkpoint and its tables again, and makes anew what is missing. */
  lookAgain(): void;
}

interface Found extends Reached {
  readonly epoch: number;
  readonly failed: boolean;
  readonly missing: boolean;
}

/** Where a runner stands between two batches. */
interface Standing extends Reached {
  /** What the checkpoint says; the rows may be known to show more of the log. */
  readonly saved: Position | null;
}

/**
 * Feeds one projection: one batch, one statement, and the checkpoint in it.
 *
 * After any failure the checkpoint is read again and everything in memory forgotten, so that a
 * lost reply, dropped tables and a lost lease need no case of their own: the checkpoint's epoch
 * says whether this is still the owner, and its position what has been done.
 */
export const projectionRunner = (parts: RunnerParts): ProjectionRunner => {
  const { projection, log, pool, clock, logger, onReached } = parts;
  const { rowsCachedMax = PROJECTION_ROWS_CACHED_MAX } = parts;
  const { name, version, categories } = projection;
  const statements = statementsOf(projection);
  const { prepare, apply, park, move } = writer(projection, statements, pool);
  let round = new AbortController();

  /** One run from the checkpoint on, until abort; `false` if a later owner has been here. */
  const feed = async (epoch: number, signal: AbortSignal, worked: () => void) => {
    const claimed = await claim(epoch);
    if (!claimed) return false;
    const { parked } = claimed;
    const cache = new RowCache(rowsCachedMax, claimed.fresh);
    let standing: Standing = { ...claimed, saved: claimed.position };
    let { failedBefore } = claimed;
    const reached = (next: Standing) => {
      standing = next;
      onReached(next);
    };
    const moveTo = (to: Position | null, caughtUp: boolean) => {
      const { saved: from } = standing;
      return { name, version, epoch, from, to, caughtUp, at: clock.now() };
    };
    const arrived = (to: Position, caughtUp: boolean) => {
      reached({ position: to, saved: to, caughtUp: standing.caughtUp || caughtUp });
      worked();
    };

    const applied = async (events: readonly StoredEvent[], upTo: Position, caughtUp: boolean) => {
      try {
        const now = await apply(moveTo(upTo, caughtUp), events, cache, parked);
        for (const [stream, { error }] of now) {
          parked.add(stream);
          logger.error({ err: error, projection: name, version, stream }, 'a stream was parked');
        }
      } catch (error) {
        if (!isBadData(error) && !(error instanceof UnwritableRow)) throw error;
        await halved(events, upTo, caughtUp, error);
        return;
      }
      arrived(upTo, caughtUp);
    };

    /**
     * Which of the events it is, the database does not say. It refuses rows, not events: a row that
     * a later event of the same batch mends is never seen.
     */
    const halved = async (
      events: readonly StoredEvent[],
      upTo: Position,
      caughtUp: boolean,
      error: unknown,
    ) => {
      const [first] = events;
      if (events.length <= 1 && first) {
        await park(moveTo(upTo, caughtUp), first, error);
        parked.add(first.stream);
        const { stream } = first;
        logger.error({ err: error, projection: name, version, stream }, 'a stream was parked');
        arrived(upTo, caughtUp);
        return;
      }
      const half = events.length >> 1;
      await applied(events.slice(0, half), events[half - 1]!.position, false);
      await applied(events.slice(half), upTo, caughtUp);
    };

    const save = async () => {
      const { position, caughtUp } = standing;
      await move(moveTo(position, caughtUp));
      reached({ position, caughtUp, saved: position });
    };

    // A log that holds nothing beyond the checkpoint may have nothing to say for a long time.
    const head = await log.head();
    const atHead = log.compare(claimed.position, head.position) >= 0;
    if (atHead && !standing.caughtUp) {
      standing = { ...standing, caughtUp: true };
      await save();
    } else reached(standing);

    await follow(
      log,
      claimed.position,
      { categories, signal, batchEventsMax: PROJECTION_BATCH_EVENTS_MAX },
      {
        ahead: ({ events }) => prepare(events),
        apply: ({ events, upTo, caughtUp }) => applied(events, upTo, caughtUp),
        passed({ upTo, caughtUp }) {
          // Worth a line at once: that it has caught up, and that it works again.
          const news = failedBefore || (caughtUp && !standing.caughtUp);
          failedBefore = false;
          reached({ ...standing, position: upTo, caughtUp: standing.caughtUp || caughtUp });
          return news;
        },
        save,
      },
    );
    return true;
  };

  /**
   * Puts `epoch` on the checkpoint and makes the tables if there are none, or if the checkpoint
   * does not know of them: neither is worth anything without the other.
   *
   * @returns `null` if a later owner has been here.
   */
  const claim = async (epoch: number) => {
    await openBooks(pool);
    return transaction(pool, async (client) => {
      const at = clock.now();
      await client.query(
        `insert into projections.checkpoint (name, version, epoch, updated_at)
         values ($1, $2, $3, $4) on conflict do nothing`,
        [name, version, epoch, at],
      );
      const { rows } = await client.query<Found>(
        `select position, epoch, caught_up as "caughtUp", last_error is not null as failed,
                exists (select from unnest($3::text[]) as t where to_regclass(t) is null) as missing
         from projections.checkpoint where name = $1 and version = $2 for update`,
        [name, version, statements.tables],
      );
      const found = rows[0];
      if (!found || found.epoch > epoch) return null;
      const fresh = found.position === null || found.missing;
      if (fresh) {
        for (const statement of statements.create) await client.query(statement);
        await client.query('delete from projections.parked where name = $1 and version = $2', [
          name,
          version,
        ]);
        logger.info({ projection: name, version }, 'read model is built from the start');
      }
      await client.query(
        `update projections.checkpoint
         set epoch = $3, updated_at = $4, position = case when $5 then null else position end,
             caught_up = caught_up and not $5, applied = case when $5 then 0 else applied end
         where name = $1 and version = $2`,
        [name, version, epoch, at, fresh],
      );
      const parked = await client.query<{ stream: string }>(
        'select stream from projections.parked where name = $1 and version = $2',
        [name, version],
      );
      return {
        fresh,
        failedBefore: found.failed,
        position: fresh ? null : found.position,
        caughtUp: !fresh && found.caughtUp,
        parked: new Set(parked.rows.map(({ stream }) => stream)),
      };
    });
  };

  const note = async (error: unknown) => {
    try {
      await pool.query(
        'update projections.checkpoint set last_error = $3 where name = $1 and version = $2',
        [name, version, lineOf(error)],
      );
    } catch (cause) {
      // The failure itself is in the server's log; this is only for the operator's list.
      logger.debug({ err: cause, projection: name, version }, 'the failure was not noted');
    }
  };

  return {
    projection,

    async run({ epoch, signal }) {
      const delays = backoff();
      while (!signal.aborted) {
        round = new AbortController();
        const during = AbortSignal.any([signal, round.signal]);
        try {
          if (!(await feed(epoch, during, () => delays.reset()))) {
            logger.warn({ projection: name, version, epoch }, 'a later owner feeds this');
            break;
          }
        } catch (error) {
          if (signal.aborted) break;
          if (!(error instanceof CheckpointMoved) && !isMissingTable(error)) await note(error);
          logger.warn({ err: error, projection: name, version }, 'feeding failed; trying again');
        } finally {
          onReached(null);
        }
        if (!during.aborted) await delays.pause(signal);
      }
    },

    lookAgain() {
      logger.warn({ projection: schemaOf(projection) }, 'a read model has gone missing');
      round.abort();
    },
  };
};
