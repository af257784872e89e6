import { Counter, type Registry } from 'prom-client';

/** What is measured of the audit of API keys: what it could not record. */
export interface KeyMetrics {
  /** A request was answered 503, because the use of its key could not be recorded. */
  unrecorded(): void;
  /** It was recorded that the counts of so many minutes were lost with their process. */
  countsLost(minutes: number): void;
}

export const keyMetrics = (registry: Registry): KeyMetrics => {
  const registers = [registry];
  const failures = new Counter({
    name: 'atrium_key_checks_failed_total',
    help: 'Requests that were not answered because the use of their key could not be recorded',
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

export const unmeasuredKeys: KeyMetrics = { unrecorded: () => {}, countsLost: () => {} };
