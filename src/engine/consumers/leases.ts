import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { LEASE_SILENT_MAX_MS, RETRY_FIRST_MS } from '../limits.ts';
import { backoff, pause } from '../concurrency/backoff.ts';
import { repeat } from '../concurrency/repeat.ts';
import type { Logger } from '../observe/logging.ts';
import { YieldLease } from './yield-lease.ts';
import { leaseRows, type Holder, type Owner, type AcquiredLease } from './lease-rows.ts';

export type { Holder, Owner } from './lease-rows.ts';

/**
 * One holder at a time per name, among any number of processes. design.md decision 18.
 *
 * A name is a row with its holder and an epoch that every holder raises. A platform has one
 * heartbeat for all its leases: one statement per beat, and no dedicated connection. A holder is
 * replaced when its heartbeat is too old by the database's clock, or its process has provably
 * ended. The epoch fences out a replaced holder that has not noticed: all its writes are
 * conditional on its epoch.
 */
export interface Leases {
  /**
   * Waits until `name` is free, runs `run` as its holder, and releases it when `run` ends; then
   * competes for it again, after a pause if `run` has thrown {@link YieldLease}. Resolves once
   * `stop` has aborted, `run` has ended and the name has been released.
   *
   * The lease's signal aborts when `stop` does, and when another process may have acquired the
   * name.
   */
  hold(name: string, run: (lease: Lease) => Promise<void>, stop: AbortSignal): Promise<void>;
  /** Who holds each of `names`. */
  owners(names: readonly string[]): Promise<ReadonlyMap<string, Owner>>;
  /** Ends every lease and waits for what ran under it. */
  close(): Promise<void>;
}

/** Leases shared by any number of processes. */
export interface SharedLeases extends Leases {
  /**
   * Acquires `name` if it is free, and holds it until `release`; `null`: another process has it.
   *
   * @throws If this process holds or awaits it already, and database errors.
   */
  take(name: string): Promise<Held | null>;
  /** The holder of `name`; `null`: none. */
  holderOf(name: string): Promise<Holder | null>;
  /** Removes unheld names that will not be used again. */
  forget(names: readonly string[]): Promise<void>;
}

export interface Lease {
  /** Higher than that of every previous holder. */
  readonly epoch: number;
  readonly signal: AbortSignal;
}

/** A lease acquired without waiting. */
export interface Held extends Lease {
  /** Resolves when the name has been released. Idempotent. */
  release(): Promise<void>;
}

export interface LeasesParts {
  readonly db: { readonly pool: Pool };
  readonly logger: Logger;
  /** A holder silent for this long is replaced. Default {@link LEASE_SILENT_MAX_MS}. */
  readonly silentMaxMs?: number;
  /** This process's address for others, for {@link Leases.holderOf}. Default: none. */
  readonly address?: string | null;
}

/** A name that this platform holds or waits for. */
interface Seat {
  readonly name: string;
  state: 'waiting' | 'held' | 'leaving';
  grant: (epoch: number) => void;
  /** Called when it was not free, or the database did not answer; for callers that do not wait. */
  refuse?: (error: unknown) => void;
  lost: AbortController;
  freed: () => void;
}

export const leases = (parts: LeasesParts): SharedLeases => {
  const { db, logger, silentMaxMs = LEASE_SILENT_MAX_MS, address = null } = parts;
  const rows = leaseRows(db.pool, { holder: randomUUID(), silentMaxMs, address });
  const closing = new AbortController();
  const closed = new AbortController();
  const holds = new Set<Promise<void>>();
  const seats = new Map<string, Seat>();
  /** Lapsed leases whose rows may still name this holder, while its heartbeat may continue. */
  const lapsed = new Set<string>();
  const beatMs = silentMaxMs / 5;
  const lookMs = silentMaxMs / 15;
  /** Until then, by this process's clock, no other process can acquire its leases. */
  let safeUntil = -Infinity;
  /** Fires at `safeUntil`, also while a heartbeat waits for the database. */
  let expiry: NodeJS.Timeout | undefined;
  let nextBeatAt = -Infinity;
  let tending: Promise<void> | null = null;
  let wake = () => {};
  let woken = false;

  const namesThat = (are: Seat['state']) =>
    [...seats.values()].filter(({ state }) => state === are).map(({ name }) => name);

  const rouse = () => {
    woken = true;
    wake();
    tending ??= tend().finally(() => {
      tending = null;
      if (seats.size > 0 && !closed.signal.aborted) rouse();
    });
  };

  const tend = async () => {
    const delays = backoff(lookMs, silentMaxMs / 3);
    while (seats.size > 0 && !closed.signal.aborted) {
      woken = false;
      try {
        await giveBack();
        await beatAndTake();
        delays.reset();
        // While a name is waited for, it is polled; otherwise only heartbeats are sent.
        const restMs = namesThat('waiting').length > 0 ? lookMs : nextBeatAt - performance.now();
        if (!woken) await idle(Math.max(0, restMs));
      } catch (error) {
        logger.warn({ err: error }, 'leases cannot be looked after; trying again');
        for (const name of namesThat('waiting')) seats.get(name)!.refuse?.(error);
        await delays.pause(closed.signal);
      }
    }
  };

  const idle = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const loseAll = () => {
    for (const { state, lost } of seats.values()) if (state !== 'waiting') lost.abort();
  };

  const beatAndTake = async () => {
    const names = namesThat('waiting');
    const held = namesThat('held');
    if (names.length === 0 && performance.now() < nextBeatAt) return;
    const sentAt = performance.now();
    if (sentAt > safeUntil) loseAll();
    const { acquired, kept } = await rows.beat(names, held);
    // Counted from the time of sending: the database's answer may have been slow.
    safeUntil = sentAt + (silentMaxMs * 2) / 3;
    clearTimeout(expiry);
    expiry = setTimeout(loseAll, Math.max(0, safeUntil - performance.now())).unref();
    nextBeatAt = sentAt + beatMs;
    for (const name of held) if (!kept.has(name)) seats.get(name)?.lost.abort();
    await granted(acquired);
    for (const name of names) {
      const seat = seats.get(name);
      if (seat?.state === 'waiting') seat.refuse?.(null);
    }
  };

  const granted = async (acquired: readonly AcquiredLease[]) => {
    const abandoned: string[] = [];
    for (const { name, epoch } of acquired) {
      const seat = seats.get(name);
      if (seat?.state !== 'waiting') abandoned.push(name);
      else {
        seat.state = 'held';
        seat.grant(epoch);
      }
    }
    // The waiting caller left during the acquisition.
    if (abandoned.length > 0) await rows.giveUp(abandoned);
  };

  const giveBack = async () => {
    const leaving = namesThat('leaving');
    const unheld = [...lapsed].filter((name) => !seats.has(name));
    if (leaving.length + unheld.length === 0) return;
    await rows.giveUp([...leaving, ...unheld]);
    for (const name of unheld) lapsed.delete(name);
    for (const name of leaving) seats.get(name)?.freed();
  };

  /** Waits for the seat's turn; `null` if `stop` comes first. */
  const turn = (seat: Seat, stop: AbortSignal) =>
    new Promise<number | null>((resolve) => {
      const leave = () => resolve(null);
      stop.addEventListener('abort', leave, { once: true });
      seat.grant = (epoch) => {
        stop.removeEventListener('abort', leave);
        resolve(epoch);
      };
      if (stop.aborted) leave();
      else rouse();
    });

  const release = (seat: Seat) =>
    new Promise<void>((resolve) => {
      // The name is free or held by another process: the release must not wait for the database.
      const gone = () => {
        lapsed.add(seat.name);
        resolve();
      };
      seat.lost.signal.addEventListener('abort', gone, { once: true });
      seat.freed = resolve;
      seat.state = 'leaving';
      if (seat.lost.signal.aborted) gone();
      else rouse();
    });

  const newSeat = (name: string): Seat => {
    const lost = new AbortController();
    const seat: Seat = { name, state: 'waiting', grant: () => {}, lost, freed: () => {} };
    seats.set(name, seat);
    return seat;
  };

  /** One turn as holder: waits for the name, runs, releases it. */
  const turnOf = async (name: string, run: (lease: Lease) => Promise<void>, stop: AbortSignal) => {
    const seat = newSeat(name);
    try {
      const epoch = await turn(seat, stop);
      if (epoch === null || stop.aborted) return;
      logger.debug({ lease: name, epoch }, 'holder of this from here on');
      await run({ epoch, signal: AbortSignal.any([stop, seat.lost.signal]) });
    } finally {
      // Also if the stop came between the grant and the run.
      if (isHeld(seat)) await release(seat);
      seats.delete(name);
    }
  };

  const keepHolding = (name: string, run: (lease: Lease) => Promise<void>, stop: AbortSignal) =>
    repeat(() => turnOf(name, run, stop).then(() => RETRY_FIRST_MS), {
      signal: stop,
      async failed(error) {
        if (error instanceof YieldLease) {
          logger.warn({ lease: name, reason: error.message }, 'this is left to other processes');
          await pause(error.restMs, stop);
        } else logger.error({ err: error, lease: name }, 'what ran under a lease has failed');
      },
    });

  return {
    async hold(name, run, stop) {
      if (seats.has(name)) throw new Error(`${name} is held or waited for here already`);
      const held = keepHolding(name, run, AbortSignal.any([stop, closing.signal]));
      holds.add(held);
      await held.finally(() => holds.delete(held));
    },

    async take(name) {
      if (seats.has(name)) throw new Error(`${name} is held or waited for here already`);
      const seat = newSeat(name);
      try {
        const epoch = await new Promise<number | null>((resolve, reject) => {
          seat.grant = resolve;
          seat.refuse = (error) => (error === null ? resolve(null) : reject(error));
          if (closing.signal.aborted) resolve(null);
          else rouse();
        });
        if (epoch === null) return null;
        let released: Promise<void> | undefined;
        const letGo = () => release(seat).finally(() => seats.delete(name));
        const { signal } = seat.lost;
        return { epoch, signal, release: () => (released ??= letGo()) };
      } finally {
        if (!isHeld(seat)) seats.delete(name);
      }
    },

    holderOf: (name) => rows.holderOf(name),
    forget: (names) => rows.forget(names),
    owners: (names) => rows.owners(names),

    async close() {
      closing.abort();
      await Promise.all(holds);
      // Leases that were acquired and not released end here.
      loseAll();
      clearTimeout(expiry);
      closed.abort();
      wake();
      await tending;
      // If that fails, the heartbeat expires.
      await rows.end().catch((error: unknown) => {
        logger.debug({ err: error }, 'the heartbeat was left behind');
      });
    },
  };
};

const isHeld = ({ state }: Seat): boolean => state === 'held';
