import { Counter, Gauge } from 'prom-client';
import type { MetricRegistry } from '../../engine/observe/metrics.ts';

export interface KeyCheckMetrics {
  /** A request was answered 503, because the use of its key could not be recorded. */
  unrecorded(): void;
  /** A gap was recorded: the counts of these minutes were lost in a crash. */
  countsLost(minutes: number): void;
}

export const keyCheckMetrics = ({ registry }: MetricRegistry): KeyCheckMetrics => {
  const registers = [registry];
  const failures = new Counter({
    name: 'atrium_key_checks_failed_total',
    help: 'Requests refused because the use of their key could not be recorded',
    registers,
  });
  const lost = new Counter({
    name: 'atrium_key_denial_minutes_lost_total',
    help: 'Minutes whose counts of denied requests were lost with the process that held them',
    registers,
  });
  return {
    unrecorded: () => failures.inc(),
    countsLost: (minutes) => lost.inc(minutes),
  };
};

export const unmeasuredKeys: KeyCheckMetrics = { unrecorded: () => {}, countsLost: () => {} };

/** @param lagSeconds The age of the oldest event in the log that the chaining has not reached. */
export const auditChainMetrics = (
  { registry, beforeScrape }: MetricRegistry,
  lagSeconds: () => Promise<number>,
): void => {
  const unchained = new Gauge({
    name: 'atrium_audit_chain_lag_seconds',
    help: 'Upper bound of how long a record of a key that no chain holds has been in the log',
    registers: [registry],
  });
  beforeScrape(async () => {
    // A stale value would look valid.
    unchained.remove();
    unchained.set(await lagSeconds());
  });
};
