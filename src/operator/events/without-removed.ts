import { EXPORT_STREAMS_KEPT_MAX, IMPORT_APPENDS_AT_ONCE } from '../limits.ts';
import { lruCache } from '../../engine/concurrency/lru-cache.ts';
import { forEachConcurrently } from '../../engine/concurrency/semaphore.ts';
import type { EventStore, StoredEvent } from '../../engine/log/event-store.ts';

/**
 * Filters out removed events that the log still returns: in a copy they would exist permanently.
 * Reads the first event of each stream, if the log returns removed events at all.
 */
export const removedEventsFilter = (
  log: Pick<EventStore, 'capabilities' | 'readStream'>,
): ((events: readonly StoredEvent[]) => Promise<readonly StoredEvent[]>) => {
  if (!log.capabilities.showsRemovedInAll) return async (events) => events;
  /** By stream, its first revision; `null`: the whole stream was removed. */
  const beginnings = lruCache<number | null>(EXPORT_STREAMS_KEPT_MAX);

  const ask = (streams: readonly string[]): Promise<void> =>
    forEachConcurrently(streams, IMPORT_APPENDS_AT_ONCE, async (stream) => {
      const [first] = await log.readStream(stream, { limit: 1 });
      beginnings.set(stream, first?.revision ?? null);
    });

  return async (events) => {
    const streams = new Set(events.map(({ stream }) => stream));
    await ask([...streams].filter((stream) => beginnings.get(stream) === undefined));
    return events.filter(({ stream, revision }) => {
      const from = beginnings.get(stream);
      return from !== null && from !== undefined && revision >= from;
    });
  };
};
