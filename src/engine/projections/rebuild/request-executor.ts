import type { PoolClient } from 'pg';
import { projectionId } from '../../consumers/consumer.ts';
import type { Lease } from '../../consumers/leases.ts';
import type { Safepoints } from '../../consumers/safepoints.ts';
import { progressMeter, type ProgressMeter } from '../../consumers/progress.ts';
import { beginRequest, endRequest } from '../../consumers/request-turn.ts';
import { failed, requests, type ConsumerRequest, type Outcome } from '../../consumers/requests.ts';
import type { Consumers } from '../../consumers/runtime.ts';
import { transaction } from '../../postgres/transaction.ts';
import {
  DIFFERENCES_NAMED_MAX,
  REBUILD_PROGRESS_MS,
  SWAP_LOCK_FIRST_MS,
  SWAP_LOCK_MAX_MS,
} from '../../limits.ts';
import { trustedNow } from '../../consumers/clock-check.ts';
import { pause } from '../../concurrency/backoff.ts';
import { repeat } from '../../concurrency/repeat.ts';
import type { Position } from '../../log/event-store.ts';
import { monthsOf } from '../apply/partitions.ts';
import { schemaOf } from '../projection.ts';
import { compared } from './comparison.ts';
import { reapply, type Reapplied } from './reapply.ts';
import { buildShadow, type Shadow, type ShadowParts } from './shadow-build.ts';
import { newlyParked, swap } from './swap.ts';

export interface RequestExecutorParts extends ShadowParts {
  readonly consumers: Consumers;
  /** Between two batches, while the live read model is not fed. */
  readonly pauses: Safepoints;
}

/** The owner's side of requests, which run only under its lease. */
export const requestExecutor = (parts: RequestExecutorParts) => {
  const { projection, pauses } = parts;
  const { log, pool, clock, logger, checkpoints, requests: requestRows } = parts.consumers;
  const consumer = projectionId(projection);
  const ending = { consumer, requests: requestRows, clock, logger };

  const liveAt = async (): Promise<Position | null> =>
    (await checkpoints.of([consumer])).get(consumer)?.position ?? null;

  const build = async <T>(
    { epoch, signal }: Lease,
    progress: ProgressMeter,
    target: () => Promise<Position | null>,
    use: (shadow: Shadow) => Promise<T>,
  ) => {
    const passedOver = await checkpoints.skipped(consumer);
    const options = { epoch, signal, progress, passedOver, target };
    return parts.consumers.rebuilds.run(() => buildShadow(parts, options, use), signal);
  };

  const head = async () => (await log.head()).position;

  /** The first build: it becomes live, whatever it has parked. */
  const first = (lease: Lease, progress: ProgressMeter): Promise<Outcome> =>
    build(lease, progress, head, async (shadow) => {
      const done = { epoch: lease.epoch, at: clock.now() };
      progress.phase('swapping', null);
      while (!(await swap(shadow, projection, { ...done, waitMs: SWAP_LOCK_MAX_MS })))
        await pause(SWAP_LOCK_MAX_MS, lease.signal);
      return { state: 'done', result: { position: shadow.position } };
    });

  const rebuild = (
    { acceptParked }: ConsumerRequest,
    lease: Lease,
    progress: ProgressMeter,
  ): Promise<Outcome> =>
    build(lease, progress, head, async (shadow) => {
      for (let waitMs = SWAP_LOCK_FIRST_MS; ; waitMs = Math.min(waitMs * 2, SWAP_LOCK_MAX_MS)) {
        await shadow.followTo(await head());
        const outcome = await pauses.atNext(async (): Promise<Outcome | null> => {
          // Rows that callers have read must still exist after the swap.
          await shadow.followTo(await liveAt());
          progress.phase('swapping', null);
          const worse = acceptParked ? [] : await newlyParked(shadow, projection);
          if (worse.length > 0) return tooManyParked(worse);
          const { epoch } = lease;
          lease.signal.throwIfAborted();
          if (!(await swap(shadow, projection, { epoch, at: clock.now(), waitMs }))) return null;
          return { state: 'done', result: { position: shadow.position } };
        });
        if (outcome) return outcome;
        await pause(waitMs * (1 + Math.random()), lease.signal);
      }
    });

  /** Rows that the live model may still have and a rebuild omits are no difference. */
  const dropOld = async ({ client, statements }: Shadow, signal: AbortSignal): Promise<void> => {
    const at = await trustedNow({ pool, clock });
    for (const schema of [schemaOf(projection), statements.schema]) {
      const months = monthsOf(projection, schema);
      for (;;) {
        if (months === null || (await months.dropOld(client, at))) break;
        await pause(SWAP_LOCK_MAX_MS, signal);
        signal.throwIfAborted();
      }
    }
  };

  const verify = (lease: Lease, progress: ProgressMeter): Promise<Outcome> =>
    build(lease, progress, liveAt, async (shadow) => {
      const { client } = shadow;
      const { signal } = lease;
      const position = await pauses.atNext(async () => {
        const live = await liveAt();
        await shadow.followTo(live);
        if (log.compare(shadow.position, live) !== 0)
          throw new Error('the read model was made anew while it was verified');
        await dropOld(shadow, signal);
        // Both are at one position now, and stay there in this snapshot.
        await client.query('begin isolation level repeatable read read only');
        await client.query('select from consumers.checkpoint');
        return live;
      });
      progress.phase('comparing', null);
      const tables = await compared(client, projection, shadow.statements);
      const { rows: parked } = await client.query<{ consumer: string; n: number }>(
        `select consumer, count(*) as n from consumers.parked
         where consumer = any($1) group by consumer`,
        [[consumer, shadow.consumer]],
      );
      await client.query('commit');
      const parkedIn = (id: string) => parked.find((found) => found.consumer === id)?.n ?? 0;
      const streams = { live: parkedIn(consumer), rebuilt: parkedIn(shadow.consumer) };
      const equal =
        tables.every(({ different }) => different === 0) && streams.live === streams.rebuilt;
      return { state: 'done', result: { equal, position, tables, parked: streams } };
    });

  const againOrSkip = async (request: ConsumerRequest, { epoch, signal }: Lease): Promise<void> => {
    const stream = request.lane ?? '';
    let first: Reapplied | null = null;
    let begunAt = 0;

    const part = async (client: PoolClient): Promise<boolean> => {
      const kind = request.kind === 'skip' && first === null ? 'skip' : 'retry';
      const done = await reapply({ projection, log, clock, epoch, client }, { kind, stream });
      if (done?.isLeft) {
        first ??= done;
        return true;
      }
      const parkedAgain = done?.parkedAgain ?? null;
      const { revision, isSkipped: skipped } = first ?? done ?? {};
      const outcome: Outcome =
        revision === undefined
          ? { state: 'refused', error: `${stream} is not parked` }
          : { state: 'done', result: { stream, revision, skipped, parkedAgain } };
      await requests(client).end(request, outcome, clock.now());
      return false;
    };

    for (;;) {
      const isLeft = await pauses.atNext(() => {
        begunAt = performance.now();
        return parts.consumers.reapplying.run(() => transaction(pool, part));
      });
      if (!isLeft) return;
      // In between the read model is fed for as long as a part takes.
      await pause(performance.now() - begunAt, signal);
    }
  };

  /** Records the progress of `work`, aborts it when it is cancelled, and records its outcome. */
  const monitored = async (
    request: ConsumerRequest,
    lease: Lease,
    work: (lease: Lease, progress: ProgressMeter) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const progress = progressMeter();
    const stopped = new AbortController();
    const over = new AbortController();
    const note = async () => {
      if (await requestRows.saveProgress(request.id, progress.now)) stopped.abort(new Cancelled());
      return REBUILD_PROGRESS_MS;
    };
    const unnoted = (error: unknown) =>
      logger.debug({ err: error, consumer }, 'progress could not be written down');
    const watching = repeat(note, {
      signal: over.signal,
      failed: unnoted,
      pauseMaxMs: REBUILD_PROGRESS_MS,
    });
    const signal = AbortSignal.any([lease.signal, stopped.signal]);
    const settled = async (): Promise<Outcome> => {
      try {
        return await work({ ...lease, signal }, progress);
      } catch (error) {
        if (stopped.signal.aborted) return { state: 'cancelled' };
        if (lease.signal.aborted) return failed(new Error('its owner has given it up'));
        logger.warn({ err: error, consumer, kind: request.kind }, 'a request has failed');
        return failed(error);
      }
    };
    const outcome = await settled();
    over.abort();
    await watching;
    await endRequest(ending, request, outcome, lease.signal);
    return outcome;
  };

  return {
    /** Builds the read model if there is none. @throws If that fails. */
    async make(lease: Lease): Promise<void> {
      const at = clock.now();
      const request = await requestRows.ask({ consumer, kind: 'build', by: 'atrium', at });
      const { state, error } = await monitored(request, lease, first);
      if (state !== 'done') throw new Error(error ?? state);
    },

    /** Executes `request`, once. */
    async carryOut(request: ConsumerRequest, lease: Lease): Promise<void> {
      if (!(await beginRequest(ending, request, lease.signal))) return;
      logger.info({ consumer, kind: request.kind }, 'a request is carried out');
      if (request.kind === 'rebuild')
        await monitored(request, lease, (within, onProgress) =>
          rebuild(request, within, onProgress),
        );
      else if (request.kind === 'verify') await monitored(request, lease, verify);
      else
        try {
          await againOrSkip(request, lease);
        } catch (error) {
          await endRequest(ending, request, failed(error), lease.signal);
        }
    },
  };
};

class Cancelled extends Error {}

const tooManyParked = (streams: readonly string[]): Outcome => ({
  state: 'refused',
  error:
    `${streams.length} streams would be parked that are not now: ` +
    `${streams.slice(0, DIFFERENCES_NAMED_MAX).join(', ')}; the read model was left as it is`,
  result: { newlyParked: streams.length, first: streams.slice(0, DIFFERENCES_NAMED_MAX) },
});
