import { Counter, Gauge } from 'prom-client';
import type { MetricRegistry } from '../../engine/observe/metrics.ts';

export interface SandboxMetrics {
  /** Provisioning was given up. */
  failed(): void;
}

/** @param countByStatus Queried at every scrape. */
export const sandboxMetrics = (
  { registry, beforeScrape }: MetricRegistry,
  countByStatus: () => Promise<ReadonlyMap<string, number>>,
): SandboxMetrics => {
  const registers = [registry];
  const sandboxes = new Gauge({
    name: 'atrium_sandboxes',
    help: 'Sandboxes by status',
    labelNames: ['status'],
    registers,
  });
  const failures = new Counter({
    name: 'atrium_sandbox_provisioning_failures_total',
    help: 'Sandboxes whose provisioning failed in this process',
    registers,
  });
  beforeScrape(async () => {
    // A failed query must not leave an outdated value.
    sandboxes.reset();
    const now = await countByStatus();
    for (const status of ['provisioning', 'ready', 'failed'])
      sandboxes.set({ status }, now.get(status) ?? 0);
  });

  return {
    failed: () => failures.inc(),
  };
};

/** @returns Counts dropped rows. */
export const requestLogMetrics = ({ registry }: MetricRegistry): ((count: number) => void) => {
  const counter = new Counter({
    name: 'atrium_sandbox_requests_dropped_total',
    help: 'Requests of sandboxes that this process did not write to their request log',
    registers: [registry],
  });
  return (count) => counter.inc(count);
};
