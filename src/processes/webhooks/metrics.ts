import { Counter, Gauge, Histogram } from 'prom-client';
import type { MetricRegistry } from '../../engine/observe/metrics.ts';

/** Metrics of webhooks. No label carries a URL or an id: their number is unbounded. */
export interface WebhookMetrics {
  /** @param outcome `succeeded`, or the name of the error. */
  attempted(outcome: string, seconds: number): void;
  deadLettered(): void;
  /** Events skipped because their subscription was paused. */
  skipped(count: number): void;
  /** Attempts running in this process. */
  running(read: () => number): void;
}

export interface WebhookStanding {
  readonly waiting: number;
  readonly due: number;
  /** Longest time that a subscription with a due delivery has had no attempt. */
  readonly oldestDueSeconds: number;
  readonly active: number;
  readonly paused: number;
}

/** @param standing Read at every scrape. */
export const webhookMetrics = (
  { registry, beforeScrape }: MetricRegistry,
  standing: () => Promise<WebhookStanding>,
): WebhookMetrics => {
  const registers = [registry];
  let runningNow = () => 0;
  const attempts = new Counter({
    name: 'atrium_webhook_attempts_total',
    help: 'Attempts at webhook deliveries, by outcome',
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
    help: 'Failed deliveries',
    registers,
  });
  const skippedEvents = new Counter({
    name: 'atrium_webhook_skipped_events_total',
    help: 'Events not delivered because their subscription was paused',
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
    help: 'Longest time that a subscription with a due delivery has had no attempt',
    registers,
  });
  const inFlight = new Gauge({
    name: 'atrium_webhook_attempts_under_way',
    help: 'Attempts in progress in this process',
    registers,
  });
  const subscriptions = new Gauge({
    name: 'atrium_webhook_subscriptions',
    help: 'Webhook subscriptions, by status',
    labelNames: ['status'],
    registers,
  });

  beforeScrape(async () => {
    inFlight.set(runningNow());
    // If reading fails, no value is exported instead of an outdated one.
    for (const gauge of [backlog, subscriptions]) gauge.reset();
    // `reset` would set a gauge without labels to 0.
    oldest.remove();
    const now = await standing();
    backlog.set({ state: 'due' }, now.due);
    backlog.set({ state: 'waiting' }, now.waiting - now.due);
    oldest.set(now.oldestDueSeconds);
    subscriptions.set({ status: 'active' }, now.active);
    subscriptions.set({ status: 'paused' }, now.paused);
  });

  return {
    attempted(outcome, took) {
      attempts.inc({ outcome });
      seconds.observe(took);
    },
    deadLettered: () => deadLetters.inc(),
    skipped: (count) => skippedEvents.inc(count),
    running(read) {
      runningNow = read;
    },
  };
};
