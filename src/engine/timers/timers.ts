import type { ConsumerRunner } from '../consumers/runtime.ts';
import type { Instant } from '../aggregates/decider.ts';
import { stuckTimers } from './stuck-timers.ts';
import type { AnyTimerTable } from './timer-table.ts';
import { timerWaker, type TimerWaker, type TimerWakerParts } from './timer-waker.ts';

/** The timers of a platform. */
export interface Timers {
  readonly names: readonly string[];
  /** They fire due timers, by the injected clock; for `Consumers.start`. */
  readonly runners: readonly ConsumerRunner[];
  /** The clock was moved: checks for due timers. */
  wake(): void;
  /** The earliest due time of all tables; `null` if nothing will ever be due. */
  earliest(): Promise<Instant | null>;
  /**
   * Fires all timers that are due now, and those that become due by that.
   *
   * @param signal Stops it between two timers: rejects with its reason.
   * @throws `LogUnavailable` if a timer table does not show the log's head in time.
   */
  fireDue(signal?: AbortSignal): Promise<void>;
}

export interface TimersParts extends Omit<TimerWakerParts, 'table' | 'stuck'> {
  readonly tables: readonly AnyTimerTable[];
  /** For tables with their own way of firing rows. Default: none. */
  readonly wakers?: readonly TimerWaker[];
}

/** @throws If two timer tables have one name. */
export const timers = (parts: TimersParts): Timers => {
  const { tables, consumers, wakers: others = [] } = parts;
  const names = tables.map(({ name }) => name);
  const stuck = stuckTimers(consumers.pool);
  const wakers = [...tables.map((table) => timerWaker({ ...parts, table, stuck })), ...others];
  if (new Set(wakers.map(({ consumer }) => consumer)).size !== wakers.length)
    throw new Error('two timer tables have one name');

  return {
    names,
    runners: wakers,

    wake() {
      for (const waker of wakers) waker.wake();
    },

    async earliest() {
      const next = await Promise.all(wakers.map((waker) => waker.next()));
      return next.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
    },

    async fireDue(signal) {
      for (const waker of wakers) await waker.fireDue(signal);
    },
  };
};
