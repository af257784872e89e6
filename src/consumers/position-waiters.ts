import { WAIT_POLL_MS } from '../limits.ts';
import type { EventStore, Position } from '../store/event-store.ts';

/** Those who wait for read models to show a position, and one look at the checkpoints for all. */
export interface Waiting {
  /** Resolves true once every name has reached `position`, false after `timeoutMs`. */
  until(names: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
  /** How far the rows of `name` are known to show the log. Wakes those who have waited for it. */
  reached(name: string, position: Position | null): void;
  /** Something is fed elsewhere from here on. */
  lookElsewhere(): void;
  /** Ends every wait with false. */
  close(): void;
}

interface Waiter {
  readonly position: Position;
  readonly missing: Set<string>;
  readonly settle: (shown: boolean) => void;
}

export interface WaitingParts {
  readonly log: Pick<EventStore, 'compare'>;
  /** How far each name has come, where this process knows because it feeds it. */
  readonly known: (name: string) => { readonly position: Position | null } | undefined;
  /** All checkpoints, read from the database. */
  readonly look: () => Promise<ReadonlyMap<string, Position | null>>;
  readonly onFailure: (error: unknown) => void;
}

/**
 * A read model fed here wakes its waiters directly. While somebody waits for one fed elsewhere,
 * all checkpoints are read every {@link WAIT_POLL_MS}: one query, however many wait.
 */
export const waiting = ({ log, known, look, onFailure }: WaitingParts): Waiting => {
  const waiters = new Set<Waiter>();
  let looking = false;

  const shows = (name: string, shown: Position | null) => {
    for (const waiter of waiters) {
      if (!waiter.missing.has(name) || log.compare(shown, waiter.position) < 0) continue;
      waiter.missing.delete(name);
      if (waiter.missing.size === 0) waiter.settle(true);
    }
  };

  const elsewhere = () =>
    [...waiters].some(({ missing }) => [...missing].some((name) => known(name) === undefined));

  const lookWhileNeeded = async () => {
    if (looking) return;
    looking = true;
    try {
      while (elsewhere()) {
        try {
          // Only what is read from here on counts: a read model may have been dropped since.
          for (const [name, position] of await look()) shows(name, position);
        } catch (error) {
          onFailure(error);
        }
        if (elsewhere()) await new Promise((go) => setTimeout(go, WAIT_POLL_MS));
      }
    } finally {
      looking = false;
    }
  };

  return {
    until(names, position, timeoutMs) {
      const missing = new Set(
        names.filter((name) => {
          const here = known(name);
          return here === undefined || log.compare(here.position, position) < 0;
        }),
      );
      if (missing.size === 0) return Promise.resolve(true);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          position,
          missing,
          settle(shown) {
            waiters.delete(waiter);
            clearTimeout(timer);
            resolve(shown);
          },
        };
        const timer = setTimeout(() => waiter.settle(false), timeoutMs);
        waiters.add(waiter);
        void lookWhileNeeded();
      });
    },
    reached: shows,
    lookElsewhere() {
      void lookWhileNeeded();
    },
    close() {
      for (const waiter of waiters) waiter.settle(false);
    },
  };
};
