import { Gauge } from 'prom-client';
import type { MetricRegistry } from '../../engine/observe/metrics.ts';

/** @param countBlocked Queried at every scrape. */
export const feedMetrics = (
  { registry, beforeScrape }: MetricRegistry,
  countBlocked: () => Promise<number>,
): void => {
  const blocked = new Gauge({
    name: 'atrium_change_feed_blocked_tickets',
    help: 'Tickets that cannot be read, before which a change feed stands still',
    registers: [registry],
  });
  beforeScrape(async () => {
    // An old figure would look like a good one.
    blocked.remove();
    blocked.set(await countBlocked());
  });
};
