import type { Pool } from 'pg';
import { isMissingTable } from '../postgres/errors.ts';
import {
  ALONE_LOOK_MS,
  CONSUMERS_QUIET_AFTER_MS,
  CONSUMERS_QUIET_WATCH_MS,
  CONSUMERS_WATCH_MS,
  NEWER_RELEASE_REST_MS,
  REBUILDS_AT_ONCE_MAX,
} from '../limits.ts';
import { repeat } from '../concurrency/repeat.ts';
import { semaphore, type Semaphore } from '../concurrency/semaphore.ts';
import { Signal } from '../concurrency/signal.ts';
import { yieldQueue } from '../concurrency/yield-queue.ts';
import { systemClock, type Clock } from '../time/clock.ts';
import type { Logger } from '../observe/logging.ts';
import { untraced, type Tracing } from '../observe/tracing.ts';
import type { NewerReleaseNeeded } from '../log/codec.ts';
import type { EventStore } from '../log/event-store.ts';
import { checkpoints, type Checkpoint, type Checkpoints, type ParkedRow } from './checkpoints.ts';
import type { ConsumerId } from './consumer.ts';
import type { Lease, Leases, Owner } from './leases.ts';
import { logReader, type LogReader } from './log-reader.ts';
import { positions, type Lag, type Positions, type Reached } from './positions.ts';
import { onlyThisRelease, type Releases } from './releases.ts';
import { YieldLease } from './yield-lease.ts';
import { requests, type ConsumerRequest, type NewRequest, type Requests } from './requests.ts';

/** What a platform runs on behalf of one consumer, while it holds its lease. */
export interface ConsumerRunner {
  readonly consumer: ConsumerId;
  /** Runs it through failures of log and database, until the lease is over. */
  run(lease: Lease): Promise<void>;
  /** Starts `request`, unless it is busy with another one. Default: operators have no requests. */
  offer?(request: ConsumerRequest): void;
  /** Checks its checkpoint and tables again, and recreates what is missing. */
  lookAgain?(): void;
}

/** What all consumers of a platform share. */
export interface Consumers {
  readonly log: EventStore;
  readonly reader: LogReader;
  readonly pool: Pool;
  readonly leases: Leases;
  readonly checkpoints: Checkpoints;
  readonly positions: Positions;
  readonly requests: Requests;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracing: Tracing;
  readonly releases: Pick<Releases, 'reads' | 'isReadElsewhere'>;
  /** Held while a read model is rebuilt. */
  readonly rebuilds: Semaphore;
  /** Parts of parked streams: each holds a connection while it reads, which may need another. */
  readonly reapplying: Semaphore;
  /** Waits for the platform's turn in the event loop. Background work calls it between slices. */
  readonly turn: Turn;
  /** Waits for a turn of the event loop that no other projection of the platform has. */
  readonly giveWay: () => Promise<void>;
  /**
   * Yields an event that this release cannot read to a newer release, if a live process of one runs
   * the consumer.
   *
   * @throws {@link YieldLease} then, and errors of the database.
   */
  leaveToNewer(consumer: ConsumerId, error: NewerReleaseNeeded): Promise<void>;
  /** Competes for the runners' leases. Resolves once `signal` has aborted and all are released. */
  start(runners: readonly ConsumerRunner[], signal: AbortSignal): Promise<void>;
  /** The consumers of {@link start} that have not ended. */
  held(): readonly ConsumerId[];
  /** The owner, progress and parked streams of each consumer. */
  status(consumers: readonly ConsumerId[]): Promise<readonly ConsumerStatus[]>;
  /**
   * Asks the owner of a consumer, whichever process that is. Resolves when the request is stored.
   *
   * @throws `RequestConflict` for a second rebuild or verification of one read model.
   */
  ask(request: Omit<NewRequest, 'at'>): Promise<ConsumerRequest>;
  /** Cancels a rebuild or a verification; `null` if there is none. */
  cancel(consumer: ConsumerId): Promise<ConsumerRequest | null>;
  /** The parked lanes of a consumer, by name. @param limit Default: all. */
  parked(consumer: ConsumerId, limit?: number): Promise<readonly ParkedRow[]>;
  /** One of them; `null`: it is not parked. */
  parkedIn(consumer: ConsumerId, lane: string): Promise<ParkedRow | null>;
}

export interface ConsumerStatus extends Lag {
  readonly consumer: ConsumerId;
  readonly owner: Owner;
  readonly reached: Reached;
  readonly checkpoint: Checkpoint | null;
}

export type Turn = (signal?: AbortSignal) => Promise<void>;

export interface ConsumersParts {
  readonly log: EventStore;
  readonly db: { readonly pool: Pool };
  readonly leases: Leases;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Measures lag, independent of the clock that rules see. Default: the system's. */
  readonly real?: Clock;
  /** Releases that run beside this one. Default: none. */
  readonly releases?: Pick<Releases, 'reads' | 'isReadElsewhere'>;
  /** No other process uses log and database, so they are polled rarely. Default false. */
  readonly isAlone?: boolean;
  /** Default: nothing is traced. */
  readonly tracing?: Tracing;
  /** Default: no wait. */
  readonly turn?: Turn;
}

export const consumers = (parts: ConsumersParts): Consumers => {
  const { log, db, leases, clock, logger, real = systemClock, tracing = untraced } = parts;
  const { releases = onlyThisRelease } = parts;
  const watchMs = parts.isAlone ? ALONE_LOOK_MS : CONSUMERS_WATCH_MS;
  const { pool } = db;
  const rows = checkpoints(pool);
  const requestRows = requests(pool);
  const reader = parts.turn ? inTurns(logReader({ log }), parts.turn) : logReader({ log });
  const reached = positions({ log, reader, checkpoints: rows, logger, real });
  const running = new Map<ConsumerId, ConsumerRunner>();
  /** Running consumers whose leases are held here. */
  const holding = new Set<ConsumerId>();
  const progress = new Signal();
  let progressAt = performance.now();
  let isQuiet = false;

  const progressed = () => {
    progressAt = performance.now();
    // Otherwise the next poll is due soon.
    if (isQuiet) progress.wake();
    isQuiet = false;
  };

  /** Consumers that something here listens to, and that run only in other processes. */
  const onlyElsewhere = () => reached.listened().filter((consumer) => !running.has(consumer));

  /** Time until the next poll. Changes by other processes are noticed only by polling. */
  const restMs = (): number => {
    const isAllHere = holding.size === running.size && onlyElsewhere().length === 0;
    isQuiet = isAllHere && performance.now() - progressAt > CONSUMERS_QUIET_AFTER_MS;
    return isQuiet ? Math.max(watchMs, CONSUMERS_QUIET_WATCH_MS) : watchMs;
  };

  /**
   * Polls for changes without notification: dropped tables, requests, and progress of other
   * processes.
   */
  const lookAround = async () => {
    const { checkpoints: found, requested } = await rows.watched([
      ...running.keys(),
      ...onlyElsewhere(),
    ]);
    for (const [consumer, runner] of running) {
      const checkpoint = found.get(consumer);
      const isHere = reached.here(consumer) !== undefined;
      if (isHere && (!checkpoint || checkpoint.tablesMissing)) runner.lookAgain?.();
    }
    await reached.seen(found);
    const withRequest = requested.filter((consumer) => running.has(consumer));
    if (withRequest.length === 0) return restMs();
    for (const request of await requestRows.waiting(withRequest))
      running.get(request.consumer)?.offer?.(request);
    return watchMs;
  };

  const watch = (signal: AbortSignal) =>
    repeat(lookAround, {
      signal,
      wakeups: progress,
      pauseMaxMs: watchMs,
      failed(error) {
        if (isMissingTable(error)) for (const runner of running.values()) runner.lookAgain?.();
        logger.warn({ err: error }, 'the consumers cannot be looked at');
      },
    });

  return {
    log,
    reader,
    pool,
    leases,
    checkpoints: rows,
    positions: reached,
    requests: requestRows,
    clock,
    logger,
    tracing,
    releases,
    rebuilds: semaphore(REBUILDS_AT_ONCE_MAX),
    reapplying: semaphore(1),
    turn: parts.turn ?? (async () => {}),
    giveWay: yieldQueue(),

    async leaveToNewer(consumer, error) {
      if (await releases.isReadElsewhere(error, consumer))
        throw new YieldLease(`left to a newer release: ${error.message}`, NEWER_RELEASE_REST_MS);
    },

    async start(runners, signal) {
      if (runners.length === 0) return;
      for (const runner of runners) {
        if (running.has(runner.consumer)) throw new Error(`${runner.consumer} runs here already`);
        running.set(runner.consumer, runner);
      }
      const unsubscribe = runners.map(({ consumer }) => reached.onMoved(consumer, progressed));
      const held = runners.map(async (runner) => {
        const run = async (lease: Lease) => {
          holding.add(runner.consumer);
          await runner.run(lease).finally(() => holding.delete(runner.consumer));
        };
        await leases.hold(runner.consumer, run, signal);
        running.delete(runner.consumer);
      });
      await Promise.all([watch(signal), ...held]);
      for (const stop of unsubscribe) stop();
      reached.close();
    },

    held: () => [...running.keys()],

    async status(ids) {
      const [found, owners, head] = await Promise.all([
        rows.of(ids),
        leases.owners(ids),
        log.head(),
      ]);
      return Promise.all(
        ids.map(async (consumer) => {
          const checkpoint = found.get(consumer) ?? null;
          const position = reached.of(consumer, checkpoint ?? undefined);
          const caughtUp = reached.here(consumer)?.caughtUp ?? checkpoint?.caughtUp ?? false;
          const owner = owners.get(consumer) ?? 'none';
          const { events, seconds } = await reached.lag(position, head);
          // The checkpoint passes a parked lane, whose event is not handled all the same.
          const since = checkpoint?.waitingSince ?? null;
          const waitedMs = since === null ? 0 : Date.parse(clock.now()) - Date.parse(since);
          const lag = { events, seconds: Math.max(seconds, waitedMs / 1_000) };
          return { consumer, owner, reached: { position, caughtUp }, checkpoint, ...lag };
        }),
      );
    },

    async ask(request) {
      const made = await requestRows.ask({ ...request, at: real.now() });
      // Where this process is the owner, it need not first find the request.
      running.get(made.consumer)?.offer?.(made);
      return made;
    },

    cancel: (consumer) => requestRows.cancel(consumer, real.now()),

    parked: (consumer, limit) => rows.parked([consumer], limit),

    parkedIn: (consumer, lane) => rows.parkedIn(consumer, lane),
  };
};

/** Each batch waits for the platform's turn. */
const inTurns = (reader: LogReader, turn: Turn): LogReader => ({
  ...reader,
  async *subscribe(after, options) {
    for await (const batch of reader.subscribe(after, options)) {
      await turn(options.signal);
      yield batch;
    }
  },
});
