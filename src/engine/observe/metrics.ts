import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { LOOP_METRIC_MS, READINESS_ANSWER_MAX_MS } from '../limits.ts';
import { busMetrics, type BusMetrics } from '../../bus/metrics.ts';
import { keyMetrics, type KeyMetrics } from '../../identity/keys/metrics.ts';
import { liveMetrics, type LiveMetrics } from '../../api/live/metrics.ts';
import { ownMetrics, type OwnMetrics } from './process-metrics.ts';
import { sandboxMetrics, type SandboxMetrics } from '../../processes/sandboxes/metrics.ts';
import { withTimeout } from '../concurrency/timeout.ts';
import { webhookMetrics, type WebhookMetrics } from '../../processes/webhooks/metrics.ts';

/**
 * The measurements of one platform: a registry of its own, so that two in one process do not mix.
 */
export interface Metrics {
  readonly contentType: string;
  print(): Promise<string>;
  /** A finished request. `route` is the template, never the concrete path. */
  requestDone(labels: { method: string; route: string; status: number }, seconds: number): void;
  /** Called at every scrape; where it fails, everything else is printed all the same. */
  lagFrom(read: () => Promise<readonly ProjectionLag[]>): void;
  /** As {@link Metrics.lagFrom}, of processes and timers. */
  processesFrom(read: () => Promise<readonly ProcessLag[]>): void;
  /** Of tickets that a change feed stands still before, as {@link Metrics.lagFrom}. */
  feedFrom(read: () => Promise<number>): void;
  readonly own: OwnMetrics;
  readonly webhooks: WebhookMetrics;
  readonly live: LiveMetrics;
  readonly keys: KeyMetrics;
  readonly sandboxes: SandboxMetrics;
  readonly bus: BusMetrics;
}

export interface ProjectionLag {
  readonly name: string;
  readonly version: number;
  /** `null` where the log cannot count. */
  readonly lagEvents: number | null;
  readonly lagSeconds: number;
  readonly parked: number;
}

export interface ProcessLag {
  readonly name: string;
  readonly kind: 'process' | 'timers';
  readonly lagEvents: number | null;
  readonly lagSeconds: number;
  readonly parked: number;
  readonly retrying: number;
}

export const metricsOf = (options: { readonly process?: boolean } = {}): Metrics => {
  const registry = new Registry();
  if (options.process ?? true)
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_METRIC_MS });
  const own = ownMetrics(registry);
  const webhooks = webhookMetrics(registry);
  const sandboxes = sandboxMetrics(registry);
  const keys = keyMetrics(registry);
  const live = liveMetrics(registry);
  const bus = busMetrics(registry);
  let lags: () => Promise<readonly ProjectionLag[]> = async () => [];
  let processes: () => Promise<readonly ProcessLag[]> = async () => [];

  const requests = new Histogram({
    name: 'atrium_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const gauge = (name: string, help: string, labelNames = ['projection', 'version']) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const events = gauge(
    'atrium_projection_lag_events',
    "Positions between a projection and the log's head",
  );
  const seconds = gauge(
    'atrium_projection_lag_seconds',
    'How long the oldest event that a projection does not show has been in the log',
  );
  const parked = gauge(
    'atrium_projection_parked_streams',
    'Streams that a projection could not apply and has set aside',
  );

  const ofProcess = {
    events: gauge(
      'atrium_process_lag_events',
      "Positions between what a process has done and the log's head",
      ['process'],
    ),
    seconds: gauge(
      'atrium_process_lag_seconds',
      'How long the oldest event that a process has not done has been in the log',
      ['process'],
    ),
    parked: gauge(
      'atrium_process_parked_streams',
      'Streams that a process could not handle and has set aside',
      ['process'],
    ),
    retrying: gauge(
      'atrium_process_retrying_streams',
      'Streams that a process tries again by itself',
      ['process'],
    ),
  };
  const ofTimers = {
    seconds: gauge(
      'atrium_timers_lag_seconds',
      'How long the oldest event that a table of timers does not show has been in the log',
      ['timers'],
    ),
    stuck: gauge('atrium_timers_stuck', 'Timers that were fired and changed nothing', ['timers']),
  };

  let blockedTickets: () => Promise<number> = async () => 0;
  const blocked = new Gauge({
    name: 'atrium_change_feed_blocked_tickets',
    help: 'Tickets that cannot be read, before which a change feed stands still',
    registers: [registry],
  });

  const reachable = new Gauge({
    name: 'atrium_projections_reachable',
    help: '1 if log and database could be asked how far the consumers of the log are, else 0',
    registers: [registry],
  });

  /** `null` where there is no answer in time. */
  const asked = <Answer>(read: () => Promise<Answer>): Promise<Answer | null> =>
    withTimeout<Answer | null>(read(), READINESS_ANSWER_MAX_MS, () => null).catch(() => null);

  const lookAround = async (): Promise<void> => {
    const [found, running, standing] = await Promise.all([
      asked(lags),
      asked(processes),
      asked(blockedTickets),
    ]);
    reachable.set(found && running ? 1 : 0);
    // An old figure would look like a good one.
    const all = [events, seconds, parked, ...Object.values(ofProcess), ...Object.values(ofTimers)];
    for (const gone of all) gone.reset();
    if (standing === null) blocked.remove();
    else blocked.set(standing);
    for (const { name: projection, version, ...lag } of found ?? []) {
      const labels = { projection, version: String(version) };
      if (lag.lagEvents !== null) events.set(labels, lag.lagEvents);
      seconds.set(labels, lag.lagSeconds);
      parked.set(labels, lag.parked);
    }
    for (const { name, kind, ...lag } of running ?? []) {
      if (kind === 'timers') {
        ofTimers.seconds.set({ timers: name }, lag.lagSeconds);
        ofTimers.stuck.set({ timers: name }, lag.parked);
        continue;
      }
      const labels = { process: name };
      if (lag.lagEvents !== null) ofProcess.events.set(labels, lag.lagEvents);
      ofProcess.seconds.set(labels, lag.lagSeconds);
      ofProcess.parked.set(labels, lag.parked);
      ofProcess.retrying.set(labels, lag.retrying);
    }
  };

  return {
    contentType: registry.contentType,
    async print() {
      live.look();
      const looks = [webhooks.look, sandboxes.look, keys.look, bus.look].map((look) => asked(look));
      await Promise.all([lookAround(), own.look(), ...looks]);
      return registry.metrics();
    },
    requestDone: (labels, took) =>
      requests.observe({ ...labels, status: String(labels.status) }, took),
    lagFrom(read) {
      lags = read;
    },
    processesFrom(read) {
      processes = read;
    },
    feedFrom(read) {
      blockedTickets = read;
    },
    own: own.metrics,
    webhooks: webhooks.metrics,
    live: live.metrics,
    keys: keys.metrics,
    sandboxes: sandboxes.metrics,
    bus: bus.metrics,
  };
};
