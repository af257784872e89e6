import { Gauge } from 'prom-client';
import type { MetricRegistry } from '../../engine/observe/metrics.ts';

/** @param countBlocked Queried at every scrape. */
export const feedMetrics = (
  { registry, beforeScrape }: MetricRegistry,
  countBlocked: () => Promise<number>,
): void => {
  const blocked = new Gauge({
    name: 'atrium_change_feed_blocked_tickets',
    help: 'Unreadable tickets that block a change feed',
    registers: [registry],
  });
  beforeScrape(async () => {
    // A failed query must not leave an outdated value.
    blocked.remove();
    blocked.set(await countBlocked());
  });
};
