import type { Pool } from 'pg';
import { isMissingTable } from '../db/errors.ts';
import type { Lease } from '../consumers/leases.ts';
import {
  PROJECTION_BATCH_EVENTS_MAX,
  PROJECTION_ROWS_CACHED_MAX,
  REBUILD_EVENTS_MIN,
} from '../limits.ts';
import { backoff } from '../ops/backoff.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logging.ts';
import type { EventStore, Head, Position } from '../store/event-store.ts';
import { applying } from './apply/batch-applier.ts';
import { sweepBeside } from './rebuild/shadow-names.ts';
import { carryingOut } from './rebuild/request-executor.ts';
import { claiming, type Claimed } from './apply/claim.ts';
import { follow } from '../consumers/follow.ts';
import { interruptions } from './rebuild/pause-points.ts';
import { monthsOf, tendMonths } from './apply/partitions.ts';
import { schemaOf, type AnyProjection } from './projection.ts';
import { requests, type ProjectionRequest } from './rebuild/requests.ts';
import { RowCache } from './apply/row-cache.ts';
import { statementsOf } from './apply/table-sql.ts';
import { CheckpointMoved, writer } from './apply/writer.ts';

export interface RunnerParts {
  readonly projection: AnyProjection;
  readonly log: EventStore;
  readonly pool: Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Rows kept in memory. Default {@link PROJECTION_ROWS_CACHED_MAX}. */
  readonly rowsCachedMax?: number;
  /** Default {@link REBUILD_EVENTS_MIN}. */
  readonly rebuildEventsMin?: number;
  /** Default `REBUILD_ROWS_IN_MEMORY_MAX`. */
  readonly rowsInMemoryMax?: number;
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
  /** Takes `request` up, if it owns the projection and is about nothing else; resolves at once. */
  offer(request: ProjectionRequest): void;
  /** Looks at its checkpoint and its tables again, and makes anew what is missing. */
  lookAgain(): void;
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
  const { rebuildEventsMin = REBUILD_EVENTS_MIN } = parts;
  const { name, version, categories } = projection;
  const statements = statementsOf(projection);
  const writing = writer(projection, statements, pool, { relaxed: true });
  const { claim, note } = claiming({ ...parts, statements });
  let round = new AbortController();
  const between = interruptions(() => round.abort());
  const months = monthsOf(projection, statements.schema);
  const { make, carryOut } = carryingOut({ ...parts, interrupt: between.interrupt });
  let current: Lease | null = null;
  let job: Promise<void> | null = null;

  /** One run from the checkpoint on. Ends by abort or by an error. */
  const feed = async (
    claimed: Claimed,
    head: Head,
    { epoch, signal }: Lease,
    worked: () => void,
  ): Promise<void> => {
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
    const { apply, ahead } = applying({
      writer: writing,
      cache,
      parked: claimed.parked,
      passedOver: claimed.passedOver,
      now: () => clock.now(),
      moveTo,
      arrived(to, caughtUp) {
        reached({ position: to, saved: to, caughtUp: standing.caughtUp || caughtUp });
        worked();
      },
      onParked: (stream, error) =>
        logger.error({ err: error, projection: name, version, stream }, 'a stream was parked'),
    });

    const save = async () => {
      const { position, caughtUp } = standing;
      await writing.move(moveTo(position, caughtUp));
      reached({ position, caughtUp, saved: position });
    };

    // A log that holds nothing beyond the checkpoint may have nothing to say for a long time.
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
        ahead: ({ events }) => ahead(events),
        apply: ({ events, upTo, caughtUp }) => apply(events, upTo, caughtUp),
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
  };

  /** One turn: makes what is not there, or feeds. `false` if a later owner has been here. */
  const turn = async (lease: Lease, worked: () => void): Promise<boolean> => {
    const head = await log.head();
    const events = log.distance(null, head.position);
    const far = head.position !== null && (events === null || events >= rebuildEventsMin);
    const claimed = await claim(lease.epoch, far);
    if (!claimed) return false;
    if (claimed.build) {
      await make(lease);
      return true;
    }
    // Where a month becomes too old the round begins anew, and so nothing is dropped under a batch.
    const { signal } = lease;
    const tending = await tendMonths({ months, db: pool, clock, signal, due: () => round.abort() });
    try {
      await feed(claimed, head, lease, worked);
    } finally {
      tending.end();
    }
    return true;
  };

  /** What the owner before has left: nothing of it is waited for. */
  const tidy = async (epoch: number) => {
    try {
      await requests(pool).abandon(name, version, clock.now());
      const left = await sweepBeside(pool, projection, epoch);
      if (left > 0) logger.info({ projection: name, version, left }, 'a rebuild was left behind');
    } catch (error) {
      if (!isMissingTable(error)) logger.warn({ err: error }, 'what was left cannot be swept');
    }
  };

  return {
    projection,

    async run({ epoch, signal: leased }) {
      const over = new AbortController();
      const signal = AbortSignal.any([leased, over.signal]);
      const delays = backoff();
      await tidy(epoch);
      current = { epoch, signal };
      between.open();
      while (!signal.aborted) {
        round = new AbortController();
        const during = AbortSignal.any([signal, round.signal]);
        let failed = false;
        try {
          await between.run();
          if (!(await turn({ epoch, signal: during }, () => delays.reset()))) {
            logger.warn({ projection: name, version, epoch }, 'a later owner feeds this');
            break;
          }
        } catch (error) {
          if (signal.aborted) break;
          failed = true;
          if (!(error instanceof CheckpointMoved) && !isMissingTable(error)) await note(error);
          logger.warn({ err: error, projection: name, version }, 'feeding failed; trying again');
        } finally {
          onReached(null);
        }
        if (failed) await delays.pause(during);
      }
      current = null;
      over.abort();
      between.refuse();
      await job;
    },

    offer(request) {
      if (!current || job) return;
      job = carryOut(request, current)
        .catch((error: unknown) => {
          logger.warn({ err: error, projection: name, version }, 'a request was not carried out');
        })
        .finally(() => {
          job = null;
        });
    },

    lookAgain() {
      logger.warn({ projection: schemaOf(projection) }, 'a read model has gone missing');
      round.abort();
    },
  };
};
