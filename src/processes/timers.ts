import { projectionId, timersId } from '../consumers/consumer.ts';
import type { Owner } from '../consumers/leases.ts';
import type { ConsumerRequest } from '../consumers/requests.ts';
import type { ConsumerRunner } from '../consumers/runtime.ts';
import type { Instant } from '../domain/decider.ts';
import type { Position } from '../store/event-store.ts';
import { stuckTimers, type StuckTimer } from './stuck-timers.ts';
import type { AnyTimerTable } from './timer-table.ts';
import { timerWaker, type TimerWakerParts } from './timer-waker.ts';

/** The timers of a platform. */
export interface Timers {
  readonly names: readonly string[];
  /** What fires what is due, by the injected clock; for `Consumers.start`. */
  readonly runners: readonly ConsumerRunner[];
  /** The clock was moved: look again. */
  wake(): void;
  /** The earliest due time of all tables; `null` if nothing will ever be due. */
  earliest(): Promise<Instant | null>;
  /**
   * Fires everything that is due now, and what becomes due by that.
   *
   * @throws `LogUnavailable` if a timer table does not show the log's head in time.
   */
  fireDue(): Promise<void>;
  status(): Promise<readonly TimersStatus[]>;
  /** Timers whose effect changed nothing, of one table or of all. */
  stuck(name?: string): Promise<readonly StuckTimer[]>;
  /** Asks the owner to fire a stuck timer again now, or never again for this due time. */
  ask(
    name: string,
    asked: { readonly kind: 'retry' | 'skip'; readonly lane: string; readonly by: string },
  ): Promise<ConsumerRequest>;
}

/** A table of timers, how far its rows show the log, and who fires what is due. */
export interface TimersStatus {
  readonly name: string;
  readonly position: Position | null;
  readonly lagEvents: number | null;
  readonly lagSeconds: number;
  readonly owner: Owner;
  readonly nextDueAt: Instant | null;
  readonly stuck: number;
}

export interface TimersParts extends Omit<TimerWakerParts, 'table' | 'stuck'> {
  readonly tables: readonly AnyTimerTable[];
}

/** @throws If two timer tables have one name. */
export const timers = (parts: TimersParts): Timers => {
  const { tables, consumers } = parts;
  const names = tables.map(({ name }) => name);
  if (new Set(names).size !== names.length) throw new Error('two timer tables have one name');
  const stuck = stuckTimers(consumers.pool);
  const wakers = tables.map((table) => timerWaker({ ...parts, table, stuck }));

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

    async fireDue() {
      for (const waker of wakers) await waker.fireDue();
    },

    async status() {
      const shown = await consumers.status(
        tables.map(({ projection }) => projectionId(projection)),
      );
      const owners = await consumers.leases.owners(names.map(timersId));
      const all = await stuck.list(names);
      return Promise.all(
        wakers.map(async (waker, index) => {
          const { reached, events, seconds } = shown[index]!;
          const name = names[index]!;
          return {
            name,
            position: reached.position,
            lagEvents: events,
            lagSeconds: seconds,
            owner: owners.get(timersId(name)) ?? 'none',
            nextDueAt: await waker.next(),
            stuck: all.filter((one) => one.timers === name).length,
          };
        }),
      );
    },

    stuck: (name) => stuck.list(name === undefined ? names : [name]),

    async ask(name, asked) {
      if (!names.includes(name)) throw new Error(`there are no timers ${name}`);
      return consumers.ask({ consumer: timersId(name), ...asked });
    },
  };
};
