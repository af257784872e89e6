import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What is measured of webhooks. Nothing carries a URL or an id: there is no end of them. */
export interface WebhookMetrics {
  /** An attempt is over. `outcome`: `succeeded`, or the name of what went wrong. */
  attempted(outcome: string, seconds: number): void;
  deadLettered(): void;
  /** Events were left out because their subscription was paused. */
  skipped(count: number): void;
  /** Attempts under way in this process. */
  underWay(read: () => number): void;
  /** Asked at every scrape; where it fails, the others are printed all the same. */
  standing(read: () => Promise<WebhookStanding>): void;
}

export interface WebhookStanding {
  readonly waiting: number;
  readonly due: number;
  /** How long the delivery that is due first has been due. */
  readonly oldestDueSeconds: number;
  readonly active: number;
  readonly paused: number;
}

/** The measurements, and what is to be called before each scrape. */
export const webhookMetrics = (
  registry: Registry,
): { readonly metrics: WebhookMetrics; readonly look: () => Promise<void> } => {
  const registers = [registry];
  let standing: (() => Promise<WebhookStanding>) | null = null;
  let underWayNow = () => 0;
  const attempts = new Counter({
    name: 'atrium_webhook_attempts_total',
    help: 'Attempts at webhook deliveries, by what came of them',
    labelNames: ['outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'atrium_webhook_attempt_seconds',
    help: 'Time from the look-up of the name to the end of the answer',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const deadLetters = new Counter({
    name: 'atrium_webhook_dead_letters_total',
    help: 'Deliveries that were given up',
    registers,
  });
  const left = new Counter({
    name: 'atrium_webhook_skipped_events_total',
    help: 'Events that were left out because their subscription was paused',
    registers,
  });
  const backlog = new Gauge({
    name: 'atrium_webhook_backlog_deliveries',
    help: 'Queued deliveries that are not over: due (counted up to 10,000), or waiting',
    labelNames: ['state'],
    registers,
  });
  const oldest = new Gauge({
    name: 'atrium_webhook_oldest_due_seconds',
    help: 'How long the delivery that is due first has been due',
    registers,
  });
  const inFlight = new Gauge({
    name: 'atrium_webhook_attempts_under_way',
    help: 'Attempts under way in this process',
    registers,
  });
  const subscriptions = new Gauge({
    name: 'atrium_webhook_subscriptions',
    help: 'Webhook subscriptions, by status',
    labelNames: ['status'],
    registers,
  });

  return {
    metrics: {
      attempted(outcome, took) {
        attempts.inc({ outcome });
        seconds.observe(took);
      },
      deadLettered: () => deadLetters.inc(),
      skipped: (count) => left.inc(count),
      underWay(read) {
        underWayNow = read;
      },
      standing(read) {
        standing = read;
      },
    },
    async look() {
      inFlight.set(underWayNow());
      // An old figure would look like a good one.
      for (const gone of [backlog, oldest, subscriptions]) gone.reset();
      const now = await standing?.();
      if (!now) return;
      backlog.set({ state: 'due' }, now.due);
      backlog.set({ state: 'waiting' }, now.waiting - now.due);
      oldest.set(now.oldestDueSeconds);
      subscriptions.set({ status: 'active' }, now.active);
      subscriptions.set({ status: 'paused' }, now.paused);
    },
  };
};
