import type { Instant } from '../../engine/aggregates/decider.ts';
import { WEBHOOK_DELIVERED_BEFORE_IDS_MAX, WEBHOOK_DELIVERED_BEFORE_MS } from './limits.ts';
import { lruCache, type LruCache } from '../../engine/concurrency/lru-cache.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { deliveredSince } from '../../use-cases/webhooks/delivered.ts';

interface Known {
  readonly since: Instant;
  readonly ids: ReadonlySet<string>;
}

export interface Asked {
  readonly webhookId: string;
  /** When what is handled again happened. */
  readonly since: Instant;
  readonly now: Instant;
  /** Of the run that asks: what it is told once is what runs before it have left. */
  readonly signal: AbortSignal;
}

/**
 * The ids of the messages that were delivered to a subscription at once, as far as that is
 * recorded: asked of the log once for a subscription, not for each fact that is handled again.
 *
 * @throws `LogUnavailable`.
 */
export const deliveredBefore = (
  log: Pick<EventStore, 'readStream'>,
): ((asked: Asked) => Promise<ReadonlySet<string>>) => {
  const ofRuns = new WeakMap<AbortSignal, LruCache<Known>>();

  const ofRun = (signal: AbortSignal) => {
    const weightMax = WEBHOOK_DELIVERED_BEFORE_IDS_MAX;
    const weightOf = ({ ids }: Known) => 1 + ids.size;
    const kept = ofRuns.get(signal) ?? lruCache(weightMax, { weightMax, weightOf });
    ofRuns.set(signal, kept);
    return kept;
  };

  return async ({ webhookId, since, now, signal }) => {
    const kept = ofRun(signal);
    const known = kept.get(webhookId);
    if (known && known.since <= since) return known.ids;
    // Clocks of two machines are not one, and what is handled next may be a little older.
    const earlier = new Date(Date.parse(since) - WEBHOOK_DELIVERED_BEFORE_MS).toISOString();
    const ids = await deliveredSince(log, webhookId, { since: earlier, now });
    kept.set(webhookId, { since: earlier, ids });
    return ids;
  };
};
