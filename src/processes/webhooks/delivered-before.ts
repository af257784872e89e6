import type { Instant } from '../../engine/aggregates/decider.ts';
import { lruCache, type LruCache } from '../../engine/concurrency/lru-cache.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { deliveredSince } from '../../use-cases/webhooks/delivered.ts';
import { WEBHOOK_DELIVERED_BEFORE_IDS_MAX, WEBHOOK_DELIVERED_BEFORE_MS } from './limits.ts';

interface Delivered {
  readonly since: Instant;
  readonly ids: ReadonlySet<string>;
}

export interface DeliveredQuery {
  readonly webhookId: string;
  /** The time of the event that is handled again. */
  readonly since: Instant;
  readonly now: Instant;
  /** Identifies the calling run: the answer holds the deliveries of earlier runs. */
  readonly signal: AbortSignal;
}

/**
 * The ids of the messages that a subscription received directly. The log is read once per
 * subscription and run, not once per event that is handled again.
 *
 * @throws `LogUnavailable`.
 */
export const deliveredBefore = (
  log: Pick<EventStore, 'readStream'>,
): ((query: DeliveredQuery) => Promise<ReadonlySet<string>>) => {
  const caches = new WeakMap<AbortSignal, LruCache<Delivered>>();

  const cacheOf = (signal: AbortSignal) => {
    const weightMax = WEBHOOK_DELIVERED_BEFORE_IDS_MAX;
    const weightOf = ({ ids }: Delivered) => 1 + ids.size;
    const cache = caches.get(signal) ?? lruCache(weightMax, { weightMax, weightOf });
    caches.set(signal, cache);
    return cache;
  };

  return async ({ webhookId, since, now, signal }) => {
    const cache = cacheOf(signal);
    const remembered = cache.get(webhookId);
    if (remembered && remembered.since <= since) return remembered.ids;
    // Clocks of two machines differ, and the next event may be a little older.
    const earlier = new Date(Date.parse(since) - WEBHOOK_DELIVERED_BEFORE_MS).toISOString();
    const ids = await deliveredSince(log, webhookId, { since: earlier, now });
    cache.set(webhookId, { since: earlier, ids });
    return ids;
  };
};
