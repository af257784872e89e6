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
    // An old figure would look like a good one.
    blocked.remove();
    blocked.set(await countBlocked());
  });
};
