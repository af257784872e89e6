import { COMMAND_VISIBLE_LAG_MAX_MS, CONSUMERS_WATCH_MS, WAIT_POLL_MS } from '../limits.ts';
import { systemClock, type Clock } from '../time/clock.ts';
import type { Logger } from '../observe/logging.ts';
import type { EventStore, Head, Position } from '../log/event-store.ts';
import type { Checkpoint, Checkpoints } from './checkpoints.ts';
import type { ConsumerId } from './consumer.ts';
import type { LogReader } from './log-reader.ts';

/** The position of each consumer, whichever process runs it, and waits for it. */
export interface Positions {
  /** Resolves true once every consumer has reached `position`, false after `timeoutMs`. */
  until(consumers: readonly ConsumerId[], position: Position, timeoutMs: number): Promise<boolean>;
  /** Whether none of them lags more than {@link COMMAND_VISIBLE_LAG_MAX_MS}, as last seen. */
  near(consumers: readonly ConsumerId[]): Promise<boolean>;
  /** The lag behind the log's own head; 0 and 0 at it. */
  lag(position: Position | null, head?: Head): Promise<Lag>;
  /** The best known position: the database lags behind what this process runs. */
  of(consumer: ConsumerId, found: Checkpoint | undefined): Position | null;
  /**
   * Reports the position of a consumer of this process; `null`: it is no longer known here.
   *
   * @param changed Whether it handled anything on the way. Default true.
   */
  reached(consumer: ConsumerId, reached: Reached | null, changed?: boolean): void;
  here(consumer: ConsumerId): Reached | undefined;
  /**
   * Calls back when the consumer has made progress; for a consumer of another process within a
   * second, whenever its position has moved, and when it is seen for the first time.
   */
  onMoved(consumer: ConsumerId, moved: () => void): () => void;
  /** Consumers with a listener. */
  listened(): readonly ConsumerId[];
  /** Takes in the checkpoints of consumers that run elsewhere. */
  seen(found: ReadonlyMap<ConsumerId, Checkpoint>): Promise<void>;
  /** Ends every wait with false. */
  close(): void;
}

export interface Reached {
  readonly position: Position | null;
  /** Whether it has reached the log's head since its tables were created. */
  readonly caughtUp: boolean;
}

export interface Lag {
  /** `null` where the log cannot count. */
  readonly events: number | null;
  /** How long the oldest event that it has not reached has been in the log. */
  readonly seconds: number;
}

interface Waiter {
  readonly position: Position;
  readonly missing: Set<ConsumerId>;
  readonly settle: (reached: boolean) => void;
}

export interface PositionsParts {
  readonly log: Pick<EventStore, 'compare' | 'distance' | 'head' | 'readAll'>;
  /** Knows the log's head without a query, where it is reading. */
  readonly reader?: Pick<LogReader, 'livePosition'>;
  readonly checkpoints: Pick<Checkpoints, 'of'>;
  readonly logger: Logger;
  /** Measures lag, independent of the clock that rules see. Default: the system's. */
  readonly real?: Clock;
}

/**
 * A consumer of this process wakes its waiters directly. While a caller waits for one of another
 * process, the checkpoints are polled every {@link WAIT_POLL_MS} in one query for all callers.
 */
export const positions = (parts: PositionsParts): Positions => {
  const { log, reader, checkpoints, logger, real = systemClock } = parts;
  const here = new Map<ConsumerId, Reached>();
  const elsewhere = new Map<ConsumerId, Position | null>();
  const lagSeen = new Map<ConsumerId, { readonly seconds: number; readonly at: number }>();
  const listeners = new Map<ConsumerId, Set<() => void>>();
  const waiters = new Set<Waiter>();
  let looking = false;

  const notify = (consumer: ConsumerId) => {
    for (const listener of listeners.get(consumer) ?? []) listener();
  };

  const shows = (consumer: ConsumerId, reached: Position | null) => {
    for (const waiter of waiters) {
      if (!waiter.missing.has(consumer) || log.compare(reached, waiter.position) < 0) continue;
      waiter.missing.delete(consumer);
      if (waiter.missing.size === 0) waiter.settle(true);
    }
  };

  const waitedForElsewhere = (): ConsumerId[] => [
    ...new Set([...waiters].flatMap(({ missing }) => [...missing].filter((id) => !here.has(id)))),
  ];

  const lookWhileNeeded = async () => {
    if (looking) return;
    looking = true;
    try {
      for (;;) {
        const remote = waitedForElsewhere();
        if (remote.length === 0) return;
        try {
          // Only checkpoints read from here on count: a read model may have been dropped since.
          for (const [consumer, { position, tablesMissing }] of await checkpoints.of(remote))
            if (!tablesMissing) shows(consumer, position);
        } catch (error) {
          logger.debug({ err: error }, 'the checkpoints cannot be read');
        }
        if (waitedForElsewhere().length > 0)
          await new Promise((go) => setTimeout(go, WAIT_POLL_MS));
      }
    } finally {
      looking = false;
    }
  };

  const positionOf = (consumer: ConsumerId, found: Checkpoint | undefined) =>
    here.get(consumer)?.position ?? found?.position ?? null;

  const lag = async (position: Position | null, givenHead?: Head): Promise<Lag> => {
    const head = givenHead ?? (await log.head());
    if (log.compare(position, head.position) >= 0) return { events: 0, seconds: 0 };
    const { events } = await log.readAll(position, { limit: 1 });
    const since = events[0]?.recordedAt ?? head.recordedAt ?? real.now();
    const waitedMs = Math.max(0, Date.parse(real.now()) - Date.parse(since));
    return { events: log.distance(position, head.position), seconds: waitedMs / 1000 };
  };

  const noteLags = async (
    consumers: readonly ConsumerId[],
    found: ReadonlyMap<ConsumerId, Checkpoint>,
  ) => {
    const live = reader?.livePosition() ?? null;
    const head = live === null ? await log.head() : { position: live, recordedAt: null };
    for (const consumer of consumers) {
      const { seconds } = await lag(positionOf(consumer, found.get(consumer)), head);
      lagSeen.set(consumer, { seconds, at: performance.now() });
    }
  };

  return {
    until(consumers, position, timeoutMs) {
      const missing = new Set(
        consumers.filter((consumer) => {
          const reached = here.get(consumer);
          return reached === undefined || log.compare(reached.position, position) < 0;
        }),
      );
      if (missing.size === 0) return Promise.resolve(true);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          position,
          missing,
          settle(reached) {
            waiters.delete(waiter);
            clearTimeout(timer);
            resolve(reached);
          },
        };
        const timer = setTimeout(() => waiter.settle(false), timeoutMs);
        waiters.add(waiter);
        void lookWhileNeeded();
      });
    },

    async near(consumers) {
      const now = performance.now();
      const old = consumers.filter((consumer) => {
        const seen = lagSeen.get(consumer);
        return seen === undefined || now - seen.at > 2 * CONSUMERS_WATCH_MS;
      });
      if (old.length > 0) await noteLags(old, await checkpoints.of(old));
      return consumers.every(
        (consumer) => lagSeen.get(consumer)!.seconds * 1000 <= COMMAND_VISIBLE_LAG_MAX_MS,
      );
    },

    lag,
    of: positionOf,
    here: (consumer) => here.get(consumer),

    reached(consumer, reached, changed = true) {
      if (reached === null) {
        here.delete(consumer);
        void lookWhileNeeded();
        return;
      }
      here.set(consumer, reached);
      shows(consumer, reached.position);
      if (changed) notify(consumer);
    },

    onMoved(consumer, listener) {
      const callbacks = listeners.get(consumer) ?? new Set();
      listeners.set(consumer, callbacks.add(listener));
      return () => callbacks.delete(listener);
    },

    listened: () => [...listeners].flatMap(([id, callbacks]) => (callbacks.size > 0 ? [id] : [])),

    async seen(found) {
      await noteLags([...found.keys()], found);
      for (const [consumer, { position }] of found) {
        if (here.has(consumer)) continue;
        // At first sight too: it may have moved since a listener read its rows.
        const isNews = elsewhere.get(consumer) !== position;
        elsewhere.set(consumer, position);
        if (isNews) notify(consumer);
      }
    },

    close() {
      for (const waiter of waiters) waiter.settle(false);
    },
  };
};
