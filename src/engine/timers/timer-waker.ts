import { v5 as uuidFrom } from 'uuid';
import { projectionId, timersId } from '../consumers/consumer.ts';
import { leasedWorker, type LeasedWork } from '../consumers/leased-worker.ts';
import type { Lease } from '../consumers/leases.ts';
import { abandonRequests, carryOutRequest } from '../consumers/request-turn.ts';
import { neededIn } from '../consumers/releases.ts';
import type { ConsumerRequest, Outcome as Answer } from '../consumers/requests.ts';
import type { ConsumerRunner, Consumers } from '../consumers/runtime.ts';
import { errorLine } from '../postgres/errors.ts';
import type { Instant } from '../aggregates/decider.ts';
import {
  ADVANCE_SETTLE_MAX_MS,
  PROCESS_ATTEMPTS_MAX,
  TIMER_CURRENT_WAIT_MS,
  TIMER_LOOK_MS,
  TIMER_SLEEP_MAX_MS,
  TIMER_STUCK_FIRST_MS,
  TIMER_STUCK_MAX_MS,
  TIMERS_AT_ONCE_MAX,
} from '../limits.ts';
import { backoff } from '../concurrency/backoff.ts';
import { systemClock, type Clock } from '../time/clock.ts';
import { forEachConcurrently, semaphore } from '../concurrency/semaphore.ts';
import { Signal } from '../concurrency/signal.ts';
import { NewerReleaseNeeded } from '../log/codec.ts';
import { LogUnavailable } from '../log/event-store.ts';
import type { Outcome } from '../processes/outcome.ts';
import { isFailure } from '../processes/reaction.ts';
import { restingTimers, type StuckTimer, type StuckTimers } from './stuck-timers.ts';
import { dueRowsOf, type AnyTimerTable, type DueRow } from './timer-table.ts';

export interface TimerWaker extends ConsumerRunner {
  wake(): void;
  /** The next due time of its table. */
  next(): Promise<Instant | null>;
  /**
   * @param signal Stops it between two timers: rejects with its reason.
   * @throws `LogUnavailable` if the table does not show the log's head in time.
   */
  fireDue(signal?: AbortSignal): Promise<void>;
}

export interface TimerWakerParts {
  readonly table: AnyTimerTable;
  readonly stuck: StuckTimers;
  readonly consumers: Consumers;
  /** Measures pauses, independent of the clock that rules see. Default: the system's. */
  readonly real?: Clock;
  /** Default {@link TIMER_SLEEP_MAX_MS}. */
  readonly sleepMaxMs?: number;
  /** Default {@link TIMERS_AT_ONCE_MAX}. */
  readonly atOnceMax?: number;
  /** The first pause after an effect that changed nothing. Default {@link TIMER_STUCK_FIRST_MS}. */
  readonly stuckFirstMs?: number;
}

/** Fires the due timers of one table, while it holds the table's lease. */
export const timerWaker = (parts: TimerWakerParts): TimerWaker => {
  const { table, consumers, stuck, real = systemClock } = parts;
  const { log, pool, positions, requests, clock, logger } = consumers;
  const { sleepMaxMs = TIMER_SLEEP_MAX_MS, atOnceMax = TIMERS_AT_ONCE_MAX } = parts;
  const { stuckFirstMs = TIMER_STUCK_FIRST_MS } = parts;
  const { name, projection } = table;
  const consumer = timersId(name);
  const requesting = { consumer, requests, clock: real, logger };
  const rows = dueRowsOf(table, pool);
  const by = { kind: 'system', id: `timer:${name}` } as const;
  /** Fired timers whose rows still exist. The database has them too. */
  let stuckTimers = new Map<string, StuckTimer>();
  const passes = semaphore(1);
  /** Something may have become due. */
  const wakeup = new Signal();
  /** While this process fires its timers. */
  let leased: AbortSignal | null = null;
  /** Ids of the requests that are carried out. */
  const offered = new Set<string>();

  /**
   * Whether its rows show everything recorded so far: a row that is yet to be removed must not
   * fire.
   */
  const isCurrent = async (waitMs: number) => {
    const { position } = await log.head();
    if (position === null) return true;
    return positions.until([projectionId(projection)], position, waitMs);
  };

  const attempt = async ({ key, dueAt, row }: DueRow, signal: AbortSignal): Promise<Outcome> => {
    const effect = table.fire(row);
    const handler = table.effects[effect.kind];
    if (!handler) throw new Error(`timers ${name} have no handler for ${effect.kind}`);
    const id = uuidFrom(`${name}/${key}/${dueAt}`, NAMESPACE);
    const { origin = 'system' } = table;
    return handler(effect, { id, at: clock.now(), by, origin, mayRepeat: true, signal });
  };

  /** A timer that needed a newer release is retried now, if this release can fire it. */
  const dueWhereReadable = (timer: StuckTimer): StuckTimer => {
    const needed = neededIn(timer.reason);
    const isReadable = needed !== null && consumers.releases.reads(needed);
    return isReadable && timer.retryAt !== null ? { ...timer, retryAt: real.now() } : timer;
  };

  /** Why the effect was not carried out, or `null` if it was. */
  const fire = async (due: DueRow, signal: AbortSignal): Promise<string | null> => {
    const delays = backoff();
    for (let tried = 1; ;) {
      signal.throwIfAborted();
      await consumers.turn(signal);
      try {
        const outcome = await attempt(due, signal);
        return outcome.outcome === 'done' ? null : outcome.reason;
      } catch (error) {
        if (error instanceof NewerReleaseNeeded) {
          await consumers.leaveToNewer(consumer, error);
          return errorLine(error);
        }
        if (!isFailure(error) && (tried += 1) > PROCESS_ATTEMPTS_MAX) return errorLine(error);
        const { key } = due;
        logger.warn({ err: error, timer: name, key }, 'a timer could not be fired; trying again');
        await delays.pause(signal);
      }
    }
  };

  /** Started in the order given, a few at once. */
  const fireAll = async (due: readonly DueRow[], signal: AbortSignal) => {
    const reasons = new Map<string, string | null>();
    await forEachConcurrently(due, atOnceMax, async (row) => {
      reasons.set(row.key, await fire(row, signal));
    });
    return reasons;
  };

  const postpone = async (key: string, dueAt: Instant, reason: string | null) => {
    const known = stuckTimers.get(key);
    const before = known?.dueAt === dueAt ? known : undefined;
    // An operator has skipped it while its effect was carried out.
    if (before?.retryAt === null) return;
    const attempts = (before?.attempts ?? 0) + 1;
    const restMs = Math.min(stuckFirstMs * 2 ** (attempts - 1), TIMER_STUCK_MAX_MS);
    const now = real.now();
    const retryAt = new Date(Date.parse(now) + restMs).toISOString();
    const timer = { timers: name, key, dueAt, attempts, reason, stuckAt: now, retryAt };
    stuckTimers.set(key, timer);
    logger.warn({ timer: name, key, dueAt, attempts, reason }, 'a timer changed nothing');
    await stuck.postpone(timer);
  };

  const forget = async (keys: readonly string[]) => {
    const stuckKeys = keys.filter((key) => stuckTimers.delete(key));
    await stuck.forget(name, stuckKeys);
  };

  /** Forgets timers whose rows were removed or moved. `false` if the rows cannot be trusted yet. */
  const forgetMoved = async (waitMs: number): Promise<boolean> => {
    if (!(await isCurrent(waitMs))) return false;
    const still = await rows.unmoved([...stuckTimers.values()]);
    await forget([...stuckTimers.keys()].filter((key) => !still.has(key)));
    return true;
  };

  /** `false` if the rows or the clock cannot be trusted yet. */
  const pass = async (signal: AbortSignal, waitMs: number): Promise<boolean> => {
    if (!(await forgetMoved(waitMs))) return false;
    for (;;) {
      const now = clock.now();
      const due = await rows.due(
        now,
        restingTimers(stuckTimers.values(), real.now()),
        DUE_ROWS_MAX,
      );
      if (due.length === 0) return true;
      if (table.isTrusted && !(await table.isTrusted(now))) return false;
      const reasons = await fireAll(due, signal);
      if (!(await isCurrent(waitMs))) return false;
      const unmoved = await rows.unmoved(due);
      await forget(due.flatMap(({ key }) => (unmoved.has(key) ? [] : [key])));
      for (const { key, dueAt } of due)
        if (unmoved.has(key)) await postpone(key, dueAt, reasons.get(key) ?? null);
    }
  };

  /** One pass at a time: the waker's own, or one of an advance of the clock. */
  const passInTurn = (
    signal: AbortSignal,
    waitMs: number = TIMER_CURRENT_WAIT_MS,
  ): Promise<boolean> => passes.run(() => pass(signal, waitMs));

  /** How long no timer is due, by the present rows. */
  const restMs = async (): Promise<number> => {
    const waiting = restingTimers(stuckTimers.values(), real.now());
    const next = await rows.next(waiting);
    const untilDue = next === null ? Infinity : Date.parse(next) - Date.parse(clock.now());
    const now = Date.parse(real.now());
    const untilAgain = Math.min(
      ...waiting.map(({ retryAt }) => (retryAt === null ? Infinity : Date.parse(retryAt) - now)),
    );
    return Math.max(0, Math.min(untilDue, untilAgain, sleepMaxMs));
  };

  const carryOut = async ({ kind, lane: key }: ConsumerRequest): Promise<Answer> => {
    const timer = key === null ? undefined : stuckTimers.get(key);
    if (!timer) return { state: 'refused', error: `${key} is not stuck` };
    const retryAt = kind === 'skip' ? null : real.now();
    stuckTimers.set(timer.key, { ...timer, retryAt });
    await stuck.put({ ...timer, retryAt });
    wakeup.wake();
    return { state: 'done', result: { key: timer.key, dueAt: timer.dueAt, skipped: !retryAt } };
  };

  const start = async ({ signal }: Lease): Promise<LeasedWork> => {
    const delays = backoff();
    await abandonRequests(requesting, signal);
    const stored = await stuck.list([name]);
    stuckTimers = new Map(stored.map((timer) => [timer.key, dueWhereReadable(timer)]));
    const stopListening = positions.onMoved(projectionId(projection), () => wakeup.wake());
    leased = signal;
    return {
      async work() {
        if (stuckTimers.size > 0) await forgetMoved(TIMER_CURRENT_WAIT_MS);
        const rest = await restMs();
        if (rest > 0) return rest;
        if (await passInTurn(signal)) delays.reset();
        else await delays.pause(signal);
        return 0;
      },
      stop() {
        leased = null;
        stopListening();
      },
    };
  };

  return {
    ...leasedWorker({
      consumer,
      logger,
      failure: 'timers cannot be looked after; trying again',
      wakeups: wakeup,
      // A read model that moves constantly is not queried constantly.
      debounceMs: TIMER_LOOK_MS,
      start,
    }),
    next: () => rows.next(restingTimers(stuckTimers.values(), real.now())),
    wake: () => wakeup.wake(),

    async fireDue(signal = new AbortController().signal) {
      // The clock does not move meanwhile, so only the caller waits.
      if (!(await passInTurn(signal, ADVANCE_SETTLE_MAX_MS)))
        throw new LogUnavailable(`timers ${name} have not reached the log's head`);
    },

    offer(request) {
      const { id } = request;
      if (!leased || offered.has(id)) return;
      offered.add(id);
      // Not in turn: each is one statement, and the rows that they touch differ.
      void carryOutRequest(requesting, request, () => carryOut(request), leased).finally(() =>
        offered.delete(id),
      );
    },
  };
};

/** Rows fired before the table is queried again. */
const DUE_ROWS_MAX = 500;

const NAMESPACE = '5c1b0a52-6f0f-4a86-9d0e-3f2f0a0a8f7b';
