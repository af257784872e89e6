/** The subscribers of an organisation's events, from the read model. */
import { projectionId } from '../../engine/consumers/consumer.ts';
import type { Consumers } from '../../engine/consumers/runtime.ts';
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import { WEBHOOK_SHOWN_WAIT_MS, WEBHOOK_SUBSCRIBERS_CACHED_MAX } from './limits.ts';
import { lruCache } from '../../engine/concurrency/lru-cache.ts';
import { LogUnavailable, type Position } from '../../engine/log/event-store.ts';
import type { WebhookQueries } from './queries.ts';
import { webhookSubscriptions } from './subscriptions.ts';

/**
 * The subscriptions of an organisation that were registered before `position`, in their state at it
 * or later. Cached until any subscription changes.
 *
 * @throws `LogUnavailable` if the read model does not reach `position` in time.
 */
export type Subscribers = (
  organisation: string,
  position: Position,
) => Promise<readonly SubscriptionView[]>;

export const subscribersOf = (
  { log, positions }: Pick<Consumers, 'log' | 'positions'>,
  queries: Pick<WebhookQueries, 'ofOrganisation'>,
): Subscribers => {
  const id = projectionId(webhookSubscriptions);
  const nothing = () => lruCache<readonly SubscriptionView[]>(WEBHOOK_SUBSCRIBERS_CACHED_MAX);
  let kept = nothing();
  let changes = 0;
  positions.onMoved(id, () => {
    changes += 1;
    kept = nothing();
  });

  return async (organisation, position) => {
    if (!(await positions.until([id], position, WEBHOOK_SHOWN_WAIT_MS)))
      throw new LogUnavailable('the list of webhooks has not followed yet');
    // A read model fed by another process changes before this one is notified.
    const isHere = positions.here(id) !== undefined;
    let rows = isHere ? kept.get(organisation) : undefined;
    if (!rows) {
      const before = changes;
      rows = await queries.ofOrganisation(organisation);
      if (isHere && changes === before) kept.set(organisation, rows);
    }
    return rows.filter(({ registeredAt }) => log.compare(registeredAt, position) < 0);
  };
};
