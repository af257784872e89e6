import { processId } from '../consumers/consumer.ts';
import type { Lease } from '../consumers/leases.ts';
import { neededIn } from '../consumers/releases.ts';
import { abandonRequests, requestTurn } from '../consumers/request-turn.ts';
import type { ConsumerRequest, Outcome } from '../consumers/requests.ts';
import { runWithRetry } from '../consumers/run-with-retry.ts';
import type { ConsumerRunner, Consumers } from '../consumers/runtime.ts';
import type { Instant } from '../aggregates/decider.ts';
import {
  PROCESS_STOP_TIMEOUT_MS,
  PROCESS_CHECKPOINT_COPY_MS,
  PROGRESS_SAVED_MS,
  PROJECTION_BATCH_EVENTS_MAX,
  TIMER_SLEEP_MAX_MS,
} from '../limits.ts';
import { pause } from '../concurrency/backoff.ts';
import { withTimeout } from '../concurrency/timeout.ts';
import { Signal } from '../concurrency/signal.ts';
import { WrongRevision, type Position } from '../log/event-store.ts';
import { partitionEvents } from './partition-events.ts';
import { parkedPartitions, partitionRows } from './partition-rows.ts';
import { PartitionExecutor, UNDER_WAY, type ParkedPartition } from './partition-executor.ts';
import { processPosition, type ProcessPosition } from './process-position.ts';
import type { AnyProcess } from './process.ts';
import { reactionOf } from './reaction.ts';

export interface ProcessRunnerParts {
  readonly process: AnyProcess;
  readonly consumers: Consumers;
  /** Least pause between two copies of a checkpoint. Default {@link PROCESS_CHECKPOINT_COPY_MS}. */
  readonly copyMs?: number;
  /** Default `PARTITION_HOLDS_CHECKPOINT_MAX_MS`. */
  readonly holdsCheckpointMaxMs?: number;
}

export interface ProcessRunner extends ConsumerRunner {
  /** The clock was moved: retries may be due. */
  wake(): void;
  /** The earliest retry time; `null` if there is none, or another process runs it. */
  nextRetryAt(): Instant | null;
}

/** Runs one process: effects first, then its checkpoint. A crash in between repeats effects. */
export const processRunner = (parts: ProcessRunnerParts): ProcessRunner => {
  const { process, consumers, copyMs = PROCESS_CHECKPOINT_COPY_MS } = parts;
  const { log, reader, pool, clock, logger, tracing } = consumers;
  const { positions, checkpoints, requests } = consumers;
  const consumer = processId(process.name);
  const react = reactionOf({
    process,
    clock,
    logger,
    tracing,
    turn: consumers.turn,
    leaveToNewer: (error) => consumers.leaveToNewer(consumer, error),
  });
  /** Wakes when there is a new retry time, or the clock was moved. */
  const due = new Signal();
  let running: { readonly executor: PartitionExecutor; readonly leased: AbortSignal } | null = null;
  const requesting = { consumer, requests, clock, logger };
  const takeTurn = requestTurn(requesting);

  const move = (epoch: number, from: Position | null, to: Position) =>
    checkpoints.move(consumer, epoch, { from, to, at: clock.now() });

  /** Saves the progress periodically, and a copy in the log less often. */
  const saving = (
    epoch: number,
    start: Position,
    executor: PartitionExecutor,
    copies: ProcessPosition,
    signal: AbortSignal,
  ) => {
    const advanced = new Signal();
    let saved = start;
    let copied = { position: start, handled: 0 };
    return {
      onProgress() {
        positions.reached(consumer, { position: executor.position, caughtUp: true });
        advanced.wake();
      },
      /** Saved at the end, so that the next owner does not repeat finished work. */
      async end() {
        if (executor.position !== saved) await move(epoch, saved, executor.position);
      },
      async save(worked: () => void) {
        while (!signal.aborted) {
          const seen = advanced.count;
          const { position } = executor;
          if (position === saved) {
            await advanced.after(seen, signal, TIMER_SLEEP_MAX_MS);
            continue;
          }
          await move(epoch, saved, position);
          saved = position;
          await executor.count();
          worked();
          await pause(PROGRESS_SAVED_MS, signal);
        }
      },
      /**
       * Only after an event was handled: a copy is an event too. Not while one is waiting, which
       * without the database is found only behind the copy.
       */
      async copy() {
        while (!signal.aborted) {
          await pause(copyMs, signal);
          const next = { position: saved, handled: executor.handled };
          const isNews = next.handled !== copied.handled && saved !== copied.position;
          if (signal.aborted || !isNews || executor.isWaiting) continue;
          try {
            await copies.copy(saved);
            copied = next;
          } catch (error) {
            if (error instanceof WrongRevision) throw error;
            logger.warn({ err: error, consumer }, 'the checkpoint was not copied to the log');
          }
        }
      },
    };
  };

  const retryWhenDue = async (executor: PartitionExecutor, signal: AbortSignal) => {
    while (!signal.aborted) {
      const seen = due.count;
      executor.retryDue();
      const next = executor.nextRetryAt;
      const untilDue = next === null ? Infinity : Date.parse(next) - Date.parse(clock.now());
      await due.after(seen, signal, Math.max(0, Math.min(untilDue, TIMER_SLEEP_MAX_MS)));
    }
  };

  const takeAll = async (executor: PartitionExecutor, after: Position, signal: AbortSignal) => {
    const { categories } = process;
    const batchEventsMax = PROJECTION_BATCH_EVENTS_MAX;
    const batches = reader.subscribe(after, { categories, signal, batchEventsMax });
    for await (const batch of batches) await executor.take(batch);
  };

  /**
   * Retried now: a partition that an older release parked at a newer release's event, and one that
   * was under way when its owner ended, whose clock may have been ahead.
   */
  const dueAtStart = (parked: ParkedPartition): ParkedPartition => {
    const needed = neededIn(parked.reason);
    const isDue = parked.reason === UNDER_WAY || (needed && consumers.releases.reads(needed));
    return isDue ? { ...parked, retryAt: clock.now() } : parked;
  };

  /** One run from the checkpoint on; `false` if a later owner has claimed it. */
  const turn = async ({ epoch, signal }: Lease, worked: () => void): Promise<boolean> => {
    const copies = processPosition(process.name, log, clock);
    // Before the claim, so that a copy by a later owner makes the next one here fail.
    const copied = await copies.find();
    const claimed = await checkpoints.claim(consumer, epoch, clock.now());
    if (!claimed) return false;
    // Without a checkpoint it continues from the copy in the log.
    const start = claimed.position ?? copied;
    if (claimed.position === null) await move(epoch, null, start);
    const { position: mayRepeatTo } = await log.head();
    const over = new AbortController();
    const during = AbortSignal.any([signal, over.signal]);
    const failures: unknown[] = [];
    const fail = (error: unknown) => {
      failures.push(error);
      over.abort();
    };
    const executor: PartitionExecutor = new PartitionExecutor({
      react,
      partitionOf: process.partitionOf ?? ((stream) => stream),
      store: partitionRows(pool, consumer, { epoch, claim: claimed.claim }, clock),
      eventsOf: partitionEvents(log, process),
      compare: (a, b) => log.compare(a, b),
      now: () => clock.now(),
      start,
      mayRepeatTo,
      parked: (await parkedPartitions(pool, consumer)).map(dueAtStart),
      skipped: new Set(await checkpoints.skipped(consumer)),
      signal: during,
      onProgress: () => progress.onProgress(),
      waits: () => due.wake(),
      failed: fail,
      ...(parts.holdsCheckpointMaxMs === undefined
        ? {}
        : { holdsCheckpointMaxMs: parts.holdsCheckpointMaxMs }),
    });
    const progress = saving(epoch, start, executor, copies, during);
    progress.onProgress();
    running = { executor, leased: signal };
    const tasks = [
      takeAll(executor, start, during),
      retryWhenDue(executor, during),
      progress.save(worked),
      progress.copy(),
    ];
    await Promise.all(tasks.map((task) => task.catch(fail).finally(() => over.abort())));
    running = null;
    // An effect that ignores its abort signal is repeated by the next turn.
    await withTimeout(executor.idle(), PROCESS_STOP_TIMEOUT_MS, () =>
      logger.warn({ consumer }, 'effects under way have not ended'),
    );
    if (failures.length > 0 && !signal.aborted) throw failures[0];
    await progress.end().catch((error: unknown) => {
      logger.debug({ err: error, consumer }, 'the last checkpoint was not saved');
    });
    return true;
  };

  const carryOut = async (
    request: ConsumerRequest,
    executor: PartitionExecutor,
  ): Promise<Outcome> => {
    const { kind, lane } = request;
    if (lane === null || (kind !== 'retry' && kind !== 'skip'))
      return { state: 'refused', error: 'a process only retries or skips a parked partition' };
    const parked = await consumers.parkedIn(consumer, lane);
    if (!parked) return { state: 'refused', error: `${lane} is not parked` };
    const after = await executor.again(lane, kind === 'skip');
    if (after === undefined) return { state: 'refused', error: `${lane} is being retried already` };
    const parkedAgain = after && { revision: after.event.revision, error: after.reason };
    const { stream, revision, eventId } = parked;
    // Also by a skip before, which has failed after it was recorded.
    const skipped = executor.hasSkipped(eventId);
    return { state: 'done', result: { stream, revision, skipped, parkedAgain } };
  };

  return {
    consumer,

    async run(lease) {
      await abandonRequests(requesting, lease.signal);
      await runWithRetry(
        {
          consumer,
          checkpoints,
          logger,
          turn,
          ended: () => positions.reached(consumer, null),
        },
        lease,
      );
    },

    offer(request) {
      if (!running) return;
      const { executor, leased } = running;
      takeTurn(request, () => carryOut(request, executor), leased);
    },

    wake: () => due.wake(),
    nextRetryAt: () => running?.executor.nextRetryAt ?? null,
  };
};
