import { Counter, Gauge, type Registry } from 'prom-client';

/** What is measured of the audit of API keys: what it could not record, and what is not chained. */
export interface KeyMetrics {
  /** A request was answered 503, because the use of its key could not be recorded. */
  unrecorded(): void;
  /** It was recorded that the counts of so many minutes were lost with their process. */
  countsLost(minutes: number): void;
  /**
   * Asked at every scrape: for how many seconds the oldest record that is in no chain has been in
   * the log. Where it fails, the others are printed all the same.
   */
  chainLagFrom(read: () => Promise<number>): void;
}

/** The measurements, and what is to be called before each scrape. */
export const keyMetrics = (
  registry: Registry,
): { readonly metrics: KeyMetrics; readonly look: () => Promise<void> } => {
  const registers = [registry];
  let chainLag: (() => Promise<number>) | null = null;
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
  const unchained = new Gauge({
    name: 'atrium_audit_chain_lag_seconds',
    help: 'How long the oldest record of a key that no chain holds has been in the log',
    registers,
  });
  // It would print 0 before anybody has looked.
  unchained.remove();
  return {
    metrics: {
      unrecorded: () => failures.inc(),
      countsLost: (minutes) => lost.inc(minutes),
      chainLagFrom(read) {
        chainLag = read;
      },
    },
    async look() {
      // An old figure would look like a good one.
      unchained.remove();
      if (chainLag) unchained.set(await chainLag());
    },
  };
};

/** What the check of keys tells of itself. */
export type KeyCheckMetrics = Pick<KeyMetrics, 'unrecorded' | 'countsLost'>;

export const unmeasuredKeys: KeyCheckMetrics = { unrecorded: () => {}, countsLost: () => {} };
