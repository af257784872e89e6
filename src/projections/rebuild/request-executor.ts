import type { Lease } from '../../consumers/leases.ts';
import { transaction } from '../../db/transaction.ts';
import {
  DIFFERENCES_NAMED_MAX,
  REBUILD_PROGRESS_MS,
  SWAP_LOCK_FIRST_MS,
  SWAP_LOCK_MAX_MS,
} from '../../limits.ts';
import { pause } from '../../ops/backoff.ts';
import type { Position } from '../../store/event-store.ts';
import { buildBeside, type Beside, type BesideParts } from './shadow-build.ts';
import { compared } from './comparison.ts';
import { monthsOf } from '../apply/partitions.ts';
import { progressMeter, type ProgressMeter } from './progress.ts';
import { schemaOf } from '../projection.ts';
import { reapply, skippedOf } from './reapply.ts';
import { failed, requests, type Outcome, type ProjectionRequest } from './requests.ts';
import { newlyParked, swap } from './swap.ts';

export interface CarryingParts extends BesideParts {
  /** Runs `work` while the live read model is not fed, between two batches. */
  readonly interrupt: <T>(work: () => Promise<T>) => Promise<T>;
}

/** The owner's side of requests: what is asked for is done under its lease, or not at all. */
export const carryingOut = (parts: CarryingParts) => {
  const { projection, log, pool, clock, logger, interrupt } = parts;
  const { name, version } = projection;
  const books = requests(pool);

  const liveAt = async (): Promise<Position | null> => {
    const { rows } = await pool.query<{ position: Position | null }>(
      'select position from projections.checkpoint where name = $1 and version = $2',
      [name, version],
    );
    return rows[0]?.position ?? null;
  };

  const build = async <T>(
    { epoch, signal }: Lease,
    progress: ProgressMeter,
    target: () => Promise<Position | null>,
    use: (beside: Beside) => Promise<T>,
  ) => {
    const passedOver = await skippedOf(pool, projection);
    return buildBeside(parts, { epoch, signal, progress, passedOver, target }, use);
  };

  const head = async () => (await log.head()).position;

  /** Where nothing is live: what was built takes its place, whatever is parked in it. */
  const first = (lease: Lease, progress: ProgressMeter): Promise<Outcome> =>
    build(lease, progress, head, async (beside) => {
      const done = { epoch: lease.epoch, at: clock.now() };
      progress.phase('swapping', null);
      while (!(await swap(beside, projection, { ...done, waitMs: SWAP_LOCK_MAX_MS })))
        await pause(SWAP_LOCK_MAX_MS, lease.signal);
      return { state: 'done', result: { position: beside.position } };
    });

  const rebuild = (
    { acceptParked }: ProjectionRequest,
    lease: Lease,
    progress: ProgressMeter,
  ): Promise<Outcome> =>
    build(lease, progress, head, async (beside) => {
      for (let waitMs = SWAP_LOCK_FIRST_MS; ; waitMs = Math.min(waitMs * 2, SWAP_LOCK_MAX_MS)) {
        await beside.followTo(await head());
        const outcome = await interrupt(async (): Promise<Outcome | null> => {
          // What callers have read must still be there after the swap.
          await beside.followTo(await liveAt());
          progress.phase('swapping', null);
          const worse = acceptParked ? [] : await newlyParked(beside, projection);
          if (worse.length > 0) return tooManyParked(worse);
          const { epoch } = lease;
          lease.signal.throwIfAborted();
          if (!(await swap(beside, projection, { epoch, at: clock.now(), waitMs }))) return null;
          return { state: 'done', result: { position: beside.position } };
        });
        if (outcome) return outcome;
        await pause(waitMs * (1 + Math.random()), lease.signal);
      }
    });

  /** What the live one may still hold and a rebuild leaves out is no difference. */
  const dropOld = async ({ client, statements }: Beside, signal: AbortSignal): Promise<void> => {
    const at = clock.now();
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
    build(lease, progress, liveAt, async (beside) => {
      const { client } = beside;
      const { signal } = lease;
      const position = await interrupt(async () => {
        const live = await liveAt();
        await beside.followTo(live);
        if (log.compare(beside.position, live) !== 0)
          throw new Error('the read model was made anew while it was verified');
        await dropOld(beside, signal);
        // Both stand at one position now, and in this snapshot they stay so.
        await client.query('begin isolation level repeatable read read only');
        await client.query('select from projections.checkpoint');
        return live;
      });
      progress.phase('comparing', null);
      const tables = await compared(client, projection, beside.statements);
      const parked = await client.query<{ name: string; n: number }>(
        'select name, count(*) as n from projections.parked where version = $1 group by name',
        [version],
      );
      await client.query('commit');
      const parkedIn = (of: string) => parked.rows.find(({ name: its }) => its === of)?.n ?? 0;
      const streams = { live: parkedIn(name), rebuilt: parkedIn(beside.checkpoint) };
      const equal =
        tables.every(({ different }) => different === 0) && streams.live === streams.rebuilt;
      return { state: 'done', result: { equal, position, tables, parked: streams } };
    });

  const againOrSkip = (request: ProjectionRequest, { epoch }: Lease): Promise<Outcome> =>
    interrupt(() =>
      transaction(pool, async (client) => {
        const kind = request.kind === 'skip' ? 'skip' : 'retry';
        const stream = request.stream ?? '';
        const its = { projection, log, clock, epoch, client };
        const outcome = await reapply(its, { kind, stream });
        await requests(client).end(request, outcome, clock.now());
        return outcome;
      }),
    );

  /** Writes down how far `work` is, ends it when it is cancelled, and writes down its outcome. */
  const monitored = async (
    request: ProjectionRequest,
    lease: Lease,
    work: (lease: Lease, progress: ProgressMeter) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const progress = progressMeter();
    const stopped = new AbortController();
    const over = new AbortController();
    const watch = async () => {
      while (!over.signal.aborted) {
        try {
          if (await books.tell(request.id, progress.now)) stopped.abort(new Cancelled());
        } catch (error) {
          logger.debug({ err: error, projection: name }, 'progress could not be written down');
        }
        await pause(REBUILD_PROGRESS_MS, over.signal);
      }
    };
    const watching = watch();
    const signal = AbortSignal.any([lease.signal, stopped.signal]);
    const settled = async (): Promise<Outcome> => {
      try {
        return await work({ ...lease, signal }, progress);
      } catch (error) {
        if (stopped.signal.aborted) return { state: 'cancelled' };
        if (lease.signal.aborted) return failed(new Error('its owner has given it up'));
        logger.warn({ err: error, projection: name, kind: request.kind }, 'a request has failed');
        return failed(error);
      }
    };
    const outcome = await settled();
    over.abort();
    await watching;
    await books.end(request, outcome, clock.now());
    return outcome;
  };

  return {
    /** Makes the read model where there is none. @throws If that fails. */
    async make(lease: Lease): Promise<void> {
      const by = 'atrium';
      const asked = { name, version, kind: 'build', by, at: clock.now() } as const;
      const { state, error } = await monitored(await books.ask(asked), lease, first);
      if (state !== 'done') throw new Error(error ?? state);
    },

    /** Does what `request` asks for, once. */
    async carryOut(request: ProjectionRequest, lease: Lease): Promise<void> {
      if (!(await books.begin(request.id))) return;
      logger.info({ projection: name, version, kind: request.kind }, 'a request is carried out');
      if (request.kind === 'rebuild')
        await monitored(request, lease, (within, told) => rebuild(request, within, told));
      else if (request.kind === 'verify') await monitored(request, lease, verify);
      else
        try {
          await againOrSkip(request, lease);
        } catch (error) {
          await books.end(request, failed(error), clock.now());
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
