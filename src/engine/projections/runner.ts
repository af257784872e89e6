import { projectionId } from '../consumers/consumer.ts';
import { follow } from '../consumers/follow.ts';
import type { Lease } from '../consumers/leases.ts';
import { abandonRequests } from '../consumers/request-turn.ts';
import { safepoints } from '../consumers/safepoints.ts';
import { runWithRetry } from '../consumers/run-with-retry.ts';
import type { ConsumerRunner, Consumers } from '../consumers/runtime.ts';
import type { Reached } from '../consumers/positions.ts';
import { isMissingTable } from '../postgres/errors.ts';
import { transaction } from '../postgres/transaction.ts';
import {
  PROJECTION_BATCH_EVENTS_MAX,
  PROJECTION_ROWS_CACHED_MAX,
  REBUILD_EVENTS_MIN,
} from '../limits.ts';
import { trustedNow } from '../consumers/clock-check.ts';
import type { Instant } from '../time/instant.ts';
import type { Head, Position } from '../log/event-store.ts';
import { batchApplier } from './apply/batch-applier.ts';
import { claim, type Claimed } from './apply/claim.ts';
import { monthsOf, tendMonths } from './apply/partitions.ts';
import { RowCache } from './apply/row-cache.ts';
import { statementsOf } from './apply/table-sql.ts';
import { tracedBatch } from './apply/traced-batch.ts';
import { writer } from './apply/writer.ts';
import type { AnyProjection } from './projection.ts';
import { reapply } from './rebuild/reapply.ts';
import { requestExecutor } from './rebuild/request-executor.ts';
import { sweepShadows } from './rebuild/shadow-names.ts';

export interface RunnerParts {
  readonly projection: AnyProjection;
  readonly consumers: Consumers;
  /** Rows kept in memory. Default {@link PROJECTION_ROWS_CACHED_MAX}. */
  readonly rowsCachedMax?: number;
  /** Default {@link REBUILD_EVENTS_MIN}. */
  readonly rebuildEventsMin?: number;
  /** Default `REBUILD_ROWS_IN_MEMORY_MAX`. */
  readonly rowsInMemoryMax?: number;
}

/** The runner's state between two batches. */
interface FeedState extends Reached {
  /** The position of the checkpoint; the rows may show more of the log. */
  readonly saved: Position | null;
}

/** Feeds one projection: one batch, one statement, and the checkpoint in it. */
export const projectionRunner = (parts: RunnerParts): ConsumerRunner => {
  const { projection, consumers } = parts;
  const { log, reader, pool, clock, logger, tracing } = consumers;
  const { positions, checkpoints, requests } = consumers;
  const { rowsCachedMax = PROJECTION_ROWS_CACHED_MAX } = parts;
  const { rebuildEventsMin = REBUILD_EVENTS_MIN } = parts;
  const consumer = projectionId(projection);
  const statements = statementsOf(projection);
  const writing = writer(projection, statements, pool, {
    relaxed: true,
    beforeParking: (error) => consumers.leaveToNewer(consumer, error),
    giveWay: consumers.giveWay,
  });
  let round = new AbortController();
  const pauses = safepoints(() => round.abort());
  const months = monthsOf(projection, statements.schema);
  const { make, carryOut } = requestExecutor({ ...parts, pauses });
  let current: Lease | null = null;
  let job: Promise<void> | null = null;
  /** The stream that the job retries or skips. */
  let requested: string | null = null;
  /** Whether it has tables: a rebuild beside the first build would drop the schema of that. */
  let isBuilt = false;

  /** One run from the checkpoint on. Ends by abort or by an error. */
  const feed = async (
    claimed: Claimed,
    head: Head,
    /** When the turn began: it ends when a month becomes too old. */
    since: Instant,
    { epoch, signal }: Lease,
    worked: () => void,
  ): Promise<void> => {
    const cache = new RowCache(rowsCachedMax, claimed.fresh);
    let state: FeedState = { ...claimed, saved: claimed.position };
    let { failedBefore } = claimed;
    const reached = (next: FeedState, changed?: boolean) => {
      state = next;
      positions.reached(consumer, next, changed);
    };
    const moveTo = (to: Position | null, caughtUp: boolean) => {
      const { saved: from } = state;
      return { consumer, epoch, from, to, caughtUp, at: clock.now() };
    };
    const { apply, ahead } = batchApplier({
      writer: writing,
      cache,
      parked: claimed.parked,
      passedOver: claimed.passedOver,
      monthsAt: since,
      moveTo,
      arrived(to, caughtUp) {
        reached({ position: to, saved: to, caughtUp: state.caughtUp || caughtUp });
        worked();
      },
      onParked: (stream, error) =>
        logger.error({ err: error, consumer, stream }, 'a stream was parked'),
    });

    const save = async () => {
      const { position: to, caughtUp, saved: from } = state;
      await checkpoints.move(consumer, epoch, {
        from,
        to,
        caughtUp,
        relaxed: true,
        at: clock.now(),
      });
      reached({ position: to, caughtUp, saved: to }, false);
    };

    // At the head of the log the first batch may be long in coming.
    const atHead = log.compare(claimed.position, head.position) >= 0;
    if (atHead && !state.caughtUp) {
      state = { ...state, caughtUp: true };
      await save();
    } else reached(state);

    const { categories } = projection;
    await follow(
      reader,
      claimed.position,
      { categories, signal, batchEventsMax: PROJECTION_BATCH_EVENTS_MAX },
      {
        ahead: ({ events }) => ahead(events),
        apply({ events, upTo, caughtUp }) {
          const applied = () => apply(events, upTo, caughtUp);
          // Events of a catch-up are too old to trace.
          const isTraced = tracing.isOn && state.caughtUp;
          return isTraced ? tracedBatch(events, applied, { tracing, projection }) : applied();
        },
        passed({ upTo, caughtUp }) {
          // Saved at once: that it has caught up, and that it works again.
          const news = failedBefore || (caughtUp && !state.caughtUp);
          failedBefore = false;
          const has = state.caughtUp || caughtUp;
          reached({ ...state, position: upTo, caughtUp: has }, false);
          return news;
        },
        save,
      },
    );
  };

  /** Applies a part of each stream that is applied without a request. Whether more are left. */
  const retryReadable = async (
    { readable }: Claimed,
    { epoch, signal }: Lease,
  ): Promise<boolean> => {
    let isLeft = false;
    for (const stream of readable) {
      if (signal.aborted) break;
      // A request in progress continues itself.
      if (stream === requested) continue;
      const part = await consumers.reapplying.run(() =>
        transaction(pool, (client) =>
          reapply({ projection, log, clock, epoch, client }, { kind: 'retry', stream }),
        ),
      );
      if (part?.isLeft) isLeft = true;
    }
    return isLeft;
  };

  /** Builds missing tables, or feeds them. `false` if a later owner has claimed the checkpoint. */
  const turn = async (lease: Lease, worked: () => void): Promise<boolean> => {
    isBuilt = false;
    const head = await log.head();
    const events = log.distance(null, head.position);
    const far = head.position !== null && (events === null || events >= rebuildEventsMin);
    const claiming = { projection, statements, consumers };
    let claimed = await claim(claiming, lease.epoch, far);
    isBuilt = claimed !== null && !claimed.build;
    const begunAt = performance.now();
    let isLeft = false;
    if (claimed && !claimed.build && claimed.readable.length > 0) {
      isLeft = await retryReadable(claimed, lease);
      claimed = await claim(claiming, lease.epoch, far);
    }
    if (!claimed) return false;
    if (claimed.build) {
      await make(lease);
      return true;
    }
    // Restarts when a month becomes too old, so that no partition is dropped during a batch.
    const { signal } = lease;
    const since = months === null ? clock.now() : await trustedNow({ pool, clock });
    const due = () => round.abort();
    const tending = await tendMonths({ months, pool, clock, since, signal, due });
    // Before the next parts it is fed for as long as these took.
    const tookMs = performance.now() - begunAt;
    const next = isLeft ? setTimeout(() => round.abort(), tookMs) : undefined;
    try {
      await feed(claimed, head, since, lease, worked);
    } finally {
      clearTimeout(next);
      tending.end();
    }
    return true;
  };

  /** Removes what the previous owner has left; failures are not fatal. */
  const tidy = async (epoch: number) => {
    try {
      const left = await sweepShadows(pool, projection, epoch);
      if (left > 0) logger.info({ consumer, left }, 'a rebuild was left behind');
    } catch (error) {
      if (!isMissingTable(error)) logger.warn({ err: error }, 'what was left cannot be swept');
    }
  };

  return {
    consumer,

    async run({ epoch, signal: leased }) {
      const over = new AbortController();
      const signal = AbortSignal.any([leased, over.signal]);
      const lease = { epoch, signal };
      await abandonRequests({ consumer, requests, clock, logger }, leased);
      await tidy(epoch);
      current = lease;
      pauses.open();
      try {
        await runWithRetry(
          {
            consumer,
            checkpoints,
            logger,
            async turn(_, worked) {
              round = new AbortController();
              await pauses.run();
              const during = AbortSignal.any([signal, round.signal]);
              return turn({ epoch, signal: during }, worked);
            },
            pauseSignal: () => AbortSignal.any([signal, round.signal]),
            ended: () => positions.reached(consumer, null),
          },
          lease,
        );
      } finally {
        current = null;
        isBuilt = false;
        over.abort();
        pauses.close();
        await job;
      }
    },

    offer(request) {
      if (!current || !isBuilt || job) return;
      requested = request.lane;
      job = carryOut(request, current)
        .catch((error: unknown) => {
          logger.warn({ err: error, consumer }, 'a request was not carried out');
        })
        .finally(() => {
          job = null;
          // What a failed request has left of its stream is applied by the next turn.
          if (requested !== null) round.abort();
          requested = null;
        });
    },

    lookAgain() {
      isBuilt = false;
      logger.warn({ consumer }, 'a read model has gone missing');
      round.abort();
    },
  };
};
