import type { Logger } from '../observe/logging.ts';
import {
  LogUnavailable,
  type EventStore,
  type Head,
  type StoredEvent,
} from '../log/event-store.ts';
import { Signal } from '../concurrency/signal.ts';

/** Wakes long polls of an organisation at its next event; one subscription serves all of them. */
export interface LongPollWakeup {
  /**
   * From when this resolves until {@link Watching.leave}, no event of the organisation is missed.
   *
   * @throws {@link LogUnavailable}.
   */
  join(organisation: string): Promise<Watching>;
}

export interface Watching {
  /** The number of wakeups: one between a check and the following wait ends that wait at once. */
  readonly seen: number;
  /** Resolves at the next event after `seen`, on abort or after `timeoutMs`. */
  after(seen: number, signal: AbortSignal, timeoutMs: number): Promise<void>;
  leave(): void;
}

export interface LongPollWakeupParts {
  /** The owners of `events` by stream or event; `null` if unknown. */
  readonly ownersOf: (
    events: readonly StoredEvent[],
  ) => Promise<ReadonlyMap<string, { readonly organisation: string } | null>>;
  /** Categories of the streams that are waited for. */
  readonly categories: readonly string[];
  readonly log: Pick<EventStore, 'head'>;
  /** Notifies of new events. */
  readonly reader: Pick<EventStore, 'subscribe'>;
  readonly logger: Logger;
}

interface Following {
  /** Resolves when every later event will be noticed. */
  readonly begun: Promise<Head>;
  readonly stop: AbortController;
}

export const longPollWakeup = (parts: LongPollWakeupParts): LongPollWakeup => {
  const { log, reader, ownersOf, logger, categories } = parts;
  const byOrganisation = new Map<string, { readonly wakes: Signal; waiting: number }>();
  let waiting = 0;
  let following: Following | null = null;

  const wakeAll = () => {
    for (const { wakes } of byOrganisation.values()) wakes.wake();
  };

  const wakeFor = async (events: readonly StoredEvent[]) => {
    try {
      const owners = (await ownersOf(events)).values();
      const organisations = owners.filter((owner) => owner !== null).map((o) => o.organisation);
      for (const organisation of new Set(organisations))
        byOrganisation.get(organisation)?.wakes.wake();
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      // The owners are unknown, so every waiting caller checks for itself.
      wakeAll();
    }
  };

  const follow = (): Following => {
    const stop = new AbortController();
    const { signal } = stop;
    const current: Following = { begun: log.head(), stop };
    const run = async () => {
      const { position } = await current.begun;
      const batches = reader.subscribe(position, { categories, signal });
      for await (const { events } of batches) if (events.length > 0) await wakeFor(events);
    };
    run()
      .catch((error: unknown) => {
        if (!signal.aborted) logger.warn({ err: error }, 'waiting readers are no longer woken');
      })
      .finally(() => {
        // The next caller starts a new one; current ones check at once, and again at their timeout.
        if (following === current) following = null;
        wakeAll();
      });
    return current;
  };

  return {
    async join(organisation) {
      waiting += 1;
      const waiters = byOrganisation.get(organisation) ?? { wakes: new Signal(), waiting: 0 };
      byOrganisation.set(organisation, waiters);
      waiters.waiting += 1;
      const leave = () => {
        waiting -= 1;
        waiters.waiting -= 1;
        if (waiters.waiting === 0) byOrganisation.delete(organisation);
        if (waiting > 0) return;
        following?.stop.abort();
        following = null;
      };
      try {
        following ??= follow();
        await following.begun;
      } catch (error) {
        leave();
        throw error;
      }
      return {
        get seen() {
          return waiters.wakes.count;
        },
        after: (seen, signal, timeoutMs) => waiters.wakes.after(seen, signal, timeoutMs),
        leave,
      };
    },
  };
};
