import type { Pool } from 'pg';
import { v5 as uuidFrom } from 'uuid';
import { lineOf } from '../db/errors.ts';
import type { Ownership } from '../consumers/leases.ts';
import type { Instant } from '../domain/decider.ts';
import {
  PROCESS_ATTEMPTS_MAX,
  TIMER_CURRENT_WAIT_MS,
  TIMER_LOOK_MS,
  TIMER_SLEEP_MAX_MS,
  TIMER_STUCK_FIRST_MS,
  TIMER_STUCK_MAX_MS,
  TIMERS_AT_ONCE_MAX,
} from '../limits.ts';
import { backoff, pause } from '../ops/backoff.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logging.ts';
import type { ReadModels } from '../projections/read-models.ts';
import { Refused } from '../store/aggregate.ts';
import type { EventStore } from '../store/event-store.ts';
import { isFailure } from './process-executor.ts';
import type { Give } from './process.ts';
import { dueRowsOf, type AnyTimerTable, type DueRow } from './timer-table.ts';

/** The timers of a platform. */
export interface Timers {
  /** Fires what is due, by the injected clock, until `signal` aborts; then resolves. */
  start(signal: AbortSignal): Promise<void>;
  /** The clock was moved: look again. */
  wake(): void;
  /** The earliest due time of all tables; `null` if nothing will ever be due. */
  earliest(): Promise<Instant | null>;
  /**
   * Fires everything that is due now, and what becomes due by that.
   *
   * @throws If a timer table does not show the log's head in time.
   */
  fireDue(): Promise<void>;
  /** Timers whose command neither removed nor moved their row. */
  stuck(): readonly StuckTimer[];
}

export interface StuckTimer {
  readonly timer: string;
  readonly key: string;
  readonly dueAt: Instant;
  readonly attempts: number;
  /** Why, where the command was refused or failed. */
  readonly reason: string | null;
}

export interface TimersParts {
  readonly tables: readonly AnyTimerTable[];
  readonly log: EventStore;
  readonly db: { readonly pool: Pool };
  readonly ownership: Ownership;
  readonly models: Pick<ReadModels, 'waitFor' | 'onMoved'>;
  readonly give: Give;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default {@link TIMER_SLEEP_MAX_MS}. */
  readonly sleepMaxMs?: number;
  /** Default {@link TIMERS_AT_ONCE_MAX}. */
  readonly atOnceMax?: number;
  /** The first pause after a command without effect. Default {@link TIMER_STUCK_FIRST_MS}. */
  readonly stuckFirstMs?: number;
}

/** @throws If two timer tables have one name. */
export const timers = (parts: TimersParts): Timers => {
  const names = parts.tables.map(({ name }) => name);
  if (new Set(names).size !== names.length) throw new Error('two timer tables have one name');
  const wakers = parts.tables.map((table) => waker(table, parts));
  return {
    async start(signal) {
      await Promise.all(
        wakers.map((one) => parts.ownership.hold(`timer/${one.name}`, one.run, signal)),
      );
    },
    wake() {
      for (const one of wakers) one.wake();
    },
    async earliest() {
      const next = await Promise.all(wakers.map((one) => one.next()));
      return next.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
    },
    async fireDue() {
      for (const one of wakers)
        if (!(await one.fireDue(new AbortController().signal)))
          throw new Error(`timers ${one.name} do not show the log's head`);
    },
    stuck: () => wakers.flatMap((one) => one.stuck()),
  };
};

/** A timer that was fired and still stands there, and when to try it again, by real time. */
interface Aside extends StuckTimer {
  readonly againAt: number;
}

const waker = (table: AnyTimerTable, parts: TimersParts) => {
  const { log, db, models, give, clock, logger } = parts;
  const { sleepMaxMs = TIMER_SLEEP_MAX_MS, atOnceMax = TIMERS_AT_ONCE_MAX } = parts;
  const { stuckFirstMs = TIMER_STUCK_FIRST_MS } = parts;
  const { name, projection } = table;
  const rows = dueRowsOf(table, db.pool);
  const aside = new Map<string, Aside>();
  let last: Promise<unknown> = Promise.resolve();
  /** Something may have become due since it was last reset. */
  let roused = new AbortController();

  /** Its rows show everything recorded so far: what a rebuild has yet to take away is not fired. */
  const isCurrent = async () => {
    const { position } = await log.head();
    if (position === null) return true;
    return models.waitFor([projection.name], position, TIMER_CURRENT_WAIT_MS);
  };

  const waitingAside = () => {
    const now = performance.now();
    return [...aside.values()].filter(({ againAt }) => againAt > now);
  };

  /** Why nothing came of it, or `null` if the command was taken. */
  const fire = async ({ key, dueAt, row }: DueRow, signal: AbortSignal): Promise<string | null> => {
    const { to, id, ...given } = table.fire(row);
    const commandId = uuidFrom(`${name}/${key}/${dueAt}`, NAMESPACE);
    const delays = backoff();
    for (let attempt = 1; ;) {
      signal.throwIfAborted();
      try {
        await give(
          to,
          id,
          { commandId, ...given },
          {
            at: clock.now(),
            by: { kind: 'system', id: `timer:${name}` },
            origin: table.origin ?? 'system',
          },
        );
        return null;
      } catch (error) {
        if (error instanceof Refused) return `${error.refusal.refused}: ${error.refusal.detail}`;
        if (!isFailure(error) && (attempt += 1) > PROCESS_ATTEMPTS_MAX) return lineOf(error);
        logger.warn({ err: error, timer: name, key }, 'a timer could not be fired; trying again');
        await delays.pause(signal);
      }
    }
  };

  /** Started in the order given, a few at once. */
  const fireAll = async (due: readonly DueRow[], signal: AbortSignal) => {
    const reasons = new Map<string, string | null>();
    const queue = due.values();
    const worker = async () => {
      for (const row of queue) reasons.set(row.key, await fire(row, signal));
    };
    for (const ended of await Promise.allSettled(Array.from({ length: atOnceMax }, worker)))
      if (ended.status === 'rejected') throw ended.reason;
    return reasons;
  };

  /** `false` if the rows cannot be trusted yet. */
  const pass = async (signal: AbortSignal): Promise<boolean> => {
    if (!(await isCurrent())) return false;
    const still = await rows.unmoved([...aside.values()]);
    for (const key of aside.keys()) if (!still.has(key)) aside.delete(key);
    for (;;) {
      const due = await rows.due(clock.now(), waitingAside(), DUE_ROWS_MAX);
      if (due.length === 0) return true;
      const reasons = await fireAll(due, signal);
      if (!(await isCurrent())) return false;
      const unmoved = await rows.unmoved(due);
      for (const { key, dueAt } of due)
        if (unmoved.has(key)) setAside(key, dueAt, reasons.get(key) ?? null);
        else aside.delete(key);
    }
  };

  const setAside = (key: string, dueAt: Instant, reason: string | null) => {
    const before = aside.get(key);
    const attempts = before?.dueAt === dueAt ? before.attempts + 1 : 1;
    const restMs = Math.min(stuckFirstMs * 2 ** (attempts - 1), TIMER_STUCK_MAX_MS);
    const againAt = performance.now() + restMs;
    aside.set(key, { timer: name, key, dueAt, attempts, reason, againAt });
    logger.warn({ timer: name, key, dueAt, attempts, reason }, 'a timer changed nothing');
  };

  /** One pass at a time: the waker's own, or one of an advance of the clock. */
  const fireDue = (signal: AbortSignal): Promise<boolean> => {
    const mine = last.then(() => pass(signal));
    last = mine.catch(() => {});
    return mine;
  };

  /** How long there is nothing to do, as far as the rows say now. */
  const restMs = async (): Promise<number> => {
    const waiting = waitingAside();
    const next = await rows.next(waiting);
    const untilDue = next === null ? Infinity : Date.parse(next) - Date.parse(clock.now());
    const untilAgain = Math.min(...waiting.map(({ againAt }) => againAt - performance.now()));
    return Math.max(0, Math.min(untilDue, untilAgain, sleepMaxMs));
  };

  return {
    name,
    fireDue,
    next: () => rows.next(waitingAside()),
    stuck: (): readonly StuckTimer[] =>
      [...aside.values()].map(({ timer, key, dueAt, attempts, reason }) => ({
        timer,
        key,
        dueAt,
        attempts,
        reason,
      })),
    wake: () => roused.abort(),

    async run({ signal }: { readonly signal: AbortSignal }) {
      const delays = backoff();
      const forget = models.onMoved(projection.name, () => roused.abort());
      try {
        while (!signal.aborted) {
          try {
            // Renewed before the rows are asked, so that no change falls in between.
            roused = new AbortController();
            const rest = await restMs();
            if (rest > 0) await pause(rest, AbortSignal.any([signal, roused.signal]));
            else if (!(await fireDue(signal))) await delays.pause(signal);
            else delays.reset();
          } catch (error) {
            if (signal.aborted) return;
            logger.warn({ err: error, timer: name }, 'timers cannot be looked after; trying again');
            await delays.pause(signal);
          }
          // A read model that moves all the time is not asked all the time.
          await pause(TIMER_LOOK_MS, signal);
        }
      } finally {
        forget();
      }
    },
  };
};

/** Rows fired before the table is asked again. */
const DUE_ROWS_MAX = 500;

const NAMESPACE = '5c1b0a52-6f0f-4a86-9d0e-3f2f0a0a8f7b';
