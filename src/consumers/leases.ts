import { Client } from 'pg';
import { OWNER_SILENT_MAX_MS } from '../limits.ts';
import { backoff } from '../ops/backoff.ts';
import type { Logger } from '../ops/logging.ts';
import { openBooks } from './checkpoint-schema.ts';
import { beat, FREED_CHANNEL, giveUp, owned, take } from './locks.ts';
import { clientConfig } from '../db/pool.ts';
import { silences } from './lease-watchdog.ts';

/**
 * One owner at a time for a name, among any number of processes, by Postgres advisory locks on one
 * connection a platform.
 *
 * A lock alone says that its holder's connection lives, not that its holder does. So holders beat,
 * those who wait watch the beats by their own clock, and a holder that has been silent too long
 * has its connection ended. Whoever was owner and has not noticed is kept out by the epoch, which
 * each take-over raises: what an owner writes, it writes under its epoch.
 *
 * Needs a connection of its own to the server: a pooler that shares sessions would share locks.
 */
export interface Ownership {
  /**
   * Waits until `name` is free, runs `run` as its owner, and gives it up when `run` ends; then
   * competes for it again. Resolves once `stop` has aborted, `run` has ended and the name is free
   * for others, at once.
   *
   * The lease's signal aborts when `stop` does, and when the name may be somebody else's.
   */
  hold(name: string, run: (lease: Lease) => Promise<void>, stop: AbortSignal): Promise<void>;
  /** Who owns each of `names`, as Postgres has it. */
  owners(names: readonly string[]): Promise<ReadonlyMap<string, Owner>>;
  /** Ends every lease, waits for what ran under it, and ends the connection. */
  close(): Promise<void>;
}

export interface Lease {
  /** Higher than that of every owner before. */
  readonly epoch: number;
  readonly signal: AbortSignal;
}

export type Owner = 'this' | 'other' | 'none';

export interface OwnershipOptions {
  readonly url: string;
  readonly logger: Logger;
  /** A holder that has been silent so long is ended. Default {@link OWNER_SILENT_MAX_MS}. */
  readonly silentMaxMs?: number;
}

/** A name that this process holds or waits for. */
interface Seat {
  readonly name: string;
  /** `held` from the grant until the lock is given back or its connection is lost. */
  state: 'waiting' | 'held' | 'giving up';
  grant: (epoch: number) => void;
  lost: AbortController;
  freed: () => void;
}

export const ownership = ({
  url,
  logger,
  silentMaxMs = OWNER_SILENT_MAX_MS,
}: OwnershipOptions): Ownership => {
  const closing = new AbortController();
  const closed = new AbortController();
  const holds = new Set<Promise<void>>();
  const seats = new Map<string, Seat>();
  const questions: (() => Promise<void>)[] = [];
  // Several looks fall into the silence allowed, so that one slow look ends nobody.
  const lookMs = Math.min(500, silentMaxMs / 15);
  const beatMs = silentMaxMs / 5;
  let client: Client | null = null;
  let tending: Promise<void> | null = null;
  let wake = () => {};
  let woken = false;

  const busy = () => !closed.signal.aborted && (seats.size > 0 || questions.length > 0);

  const rouse = () => {
    woken = true;
    wake();
    tending ??= tend().finally(() => {
      tending = null;
      if (busy()) rouse();
    });
  };

  const connected = async (): Promise<Client> => {
    if (client) return client;
    const opened = new Client({
      ...clientConfig(url, 'atrium ownership'),
      // An answer that takes this long is a silence of ours already.
      query_timeout: silentMaxMs / 2,
    });
    const gone = () => {
      if (client === opened) forget();
    };
    opened.on('error', (error) => {
      logger.warn({ err: error }, 'the connection that holds the locks was lost');
      gone();
    });
    opened.on('end', gone);
    opened.on('notification', rouse);
    await opened.connect();
    try {
      await openBooks(opened);
      await opened.query(`listen ${FREED_CHANNEL}`);
    } catch (error) {
      await opened.end().catch(() => {});
      throw error;
    }
    client = opened;
    return opened;
  };

  /** The one place that uses the connection, so that no two statements meet on it. */
  const tend = async () => {
    const delays = backoff(lookMs, silentMaxMs / 3);
    const watch = silences(silentMaxMs);
    let lastBeat = -Infinity;
    while (busy()) {
      woken = false;
      try {
        const db = await connected();
        await giveBack(db);
        for (const question of questions.splice(0)) await question();
        if (performance.now() - lastBeat >= beatMs) {
          lastBeat = performance.now();
          await beat(db, namesOf(seatsThat((seat) => !isWaiting(seat))));
        }
        await grantFree(db);
        for (const silent of await watch.endSilent(db, namesOf(seatsThat(isWaiting))))
          logger.warn({ owner: silent }, 'the owner was silent for too long and was ended');
        delays.reset();
        if (!woken) await idle(Math.min(lookMs, beatMs));
      } catch (error) {
        logger.warn({ err: error }, 'locks cannot be looked after; trying again');
        drop();
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

  /** Without the connection there are no locks. */
  const forget = () => {
    const old = client;
    client = null;
    for (const seat of seats.values()) if (!isWaiting(seat)) seat.lost.abort();
    return old;
  };

  const drop = () => {
    // Not waited for: a server that hangs would not answer this either.
    forget()
      ?.end()
      .catch((error: unknown) => logger.debug({ err: error }, 'a connection ended badly'));
  };

  const seatsThat = (are: (seat: Seat) => boolean) => [...seats.values()].filter(are);

  const grantFree = async (db: Client) => {
    const waiting = namesOf(seatsThat(isWaiting));
    if (waiting.length === 0) return;
    const unwanted: string[] = [];
    for (const { name, epoch } of await take(db, waiting)) {
      const seat = seats.get(name);
      if (!seat) unwanted.push(name);
      else {
        seat.state = 'held';
        seat.grant(epoch);
      }
    }
    // Whoever waited has left while the lock was being taken.
    await giveUp(db, unwanted);
  };

  const giveBack = async (db: Client) => {
    const leaving = seatsThat(({ state }) => state === 'giving up');
    await giveUp(db, namesOf(leaving));
    for (const seat of leaving) seat.freed();
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
      // With its connection, the lock is gone already.
      const gone = () => resolve();
      seat.lost.signal.addEventListener('abort', gone, { once: true });
      seat.freed = resolve;
      seat.state = 'giving up';
      if (seat.lost.signal.aborted) resolve();
      else rouse();
    });

  /** One turn as owner: waits for it, runs, gives the name back. */
  const turnOf = async (name: string, run: (lease: Lease) => Promise<void>, stop: AbortSignal) => {
    const seat: Seat = {
      name,
      state: 'waiting',
      grant: () => {},
      lost: new AbortController(),
      freed: () => {},
    };
    seats.set(name, seat);
    try {
      const epoch = await turn(seat, stop);
      if (epoch === null || stop.aborted) return;
      logger.info({ owner: name, epoch }, 'owner of this from here on');
      await run({ epoch, signal: AbortSignal.any([stop, seat.lost.signal]) });
    } finally {
      // Also where the stop came between the grant and the run.
      if (isHeld(seat)) await release(seat);
      seats.delete(name);
    }
  };

  const keepHolding = async (
    name: string,
    run: (lease: Lease) => Promise<void>,
    stop: AbortSignal,
  ) => {
    const delays = backoff();
    while (!stop.aborted) {
      try {
        await turnOf(name, run, stop);
        delays.reset();
      } catch (error) {
        logger.error({ err: error, owner: name }, 'what ran as owner has failed');
      }
      if (!stop.aborted) await delays.pause(stop);
    }
  };

  return {
    async hold(name, run, stop) {
      if (seats.has(name)) throw new Error(`${name} is held or waited for here already`);
      const held = keepHolding(name, run, AbortSignal.any([stop, closing.signal]));
      holds.add(held);
      await held.finally(() => holds.delete(held));
    },

    owners: (names) =>
      new Promise((resolve, reject) => {
        if (closing.signal.aborted) throw new Error('ownership is closed');
        questions.push(async () => {
          try {
            const found = await owned(await connected(), names);
            const ownerOf = (name: string): Owner => {
              const owner = found.get(name);
              if (!owner) return 'none';
              return owner.here ? 'this' : 'other';
            };
            resolve(new Map(names.map((name) => [name, ownerOf(name)])));
          } catch (error) {
            reject(error);
            throw error;
          }
        });
        rouse();
      }),

    async close() {
      closing.abort();
      await Promise.all(holds);
      closed.abort();
      wake();
      await tending;
      await forget()?.end();
    },
  };
};

const isHeld = ({ state }: Seat): boolean => state === 'held';

const isWaiting = ({ state }: Seat): boolean => state === 'waiting';

const namesOf = (seats: readonly Seat[]): string[] => seats.map(({ name }) => name);
