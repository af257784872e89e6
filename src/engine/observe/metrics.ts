import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { LOOP_METRIC_MS, READINESS_ANSWER_MAX_MS } from '../limits.ts';
import { ownMetrics, type OwnMetrics } from './process-metrics.ts';
import { withTimeout } from '../concurrency/timeout.ts';

/** Where a component declares its metrics. */
export interface MetricRegistry {
  /** The registry of one platform: two platforms in one process do not mix. */
  readonly registry: Registry;
  /**
   * `read` is called before each scrape, for {@link READINESS_ANSWER_MAX_MS} at most. If it fails,
   * all other metrics are still exported.
   */
  beforeScrape(read: () => Promise<void> | void): void;
}

/** The metrics of one platform, and those of the engine's consumers among them. */
export interface Metrics extends MetricRegistry {
  readonly contentType: string;
  print(): Promise<string>;
  /** Called at every scrape; if it fails, all other metrics are still exported. */
  lagFrom(read: () => Promise<readonly ProjectionLag[]>): void;
  /** As {@link Metrics.lagFrom}, for processes and timers. */
  processesFrom(read: () => Promise<readonly ProcessLag[]>): void;
  readonly own: OwnMetrics;
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
  const reads: (() => Promise<void> | void)[] = [];
  let lags: () => Promise<readonly ProjectionLag[]> = async () => [];
  let processes: () => Promise<readonly ProcessLag[]> = async () => [];

  const gauge = (name: string, help: string, labelNames = ['projection', 'version']) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const events = gauge(
    'atrium_projection_lag_events',
    "Positions between a projection and the log's head",
  );
  const seconds = gauge(
    'atrium_projection_lag_seconds',
    'Age of the oldest event that a projection lacks',
  );
  const parked = gauge(
    'atrium_projection_parked_streams',
    'Streams that a projection could not apply and has parked',
  );

  const ofProcess = {
    events: gauge(
      'atrium_process_lag_events',
      "Positions between a process's checkpoint and the log's head",
      ['process'],
    ),
    seconds: gauge(
      'atrium_process_lag_seconds',
      'How long the oldest event that a process has not done has been in the log',
      ['process'],
    ),
    parked: gauge(
      'atrium_process_parked_streams',
      'Streams that a process could not handle and has parked',
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
      'Age of the oldest event that a table of timers lacks',
      ['timers'],
    ),
    stuck: gauge('atrium_timers_stuck', 'Timers that were fired and changed nothing', ['timers']),
  };

  const reachable = new Gauge({
    name: 'atrium_projections_reachable',
    help: '1 if the positions of the consumers could be measured, else 0',
    registers: [registry],
  });

  /** `null` where there is no answer in time. */
  const withinDeadline = <Answer>(read: () => Promise<Answer>): Promise<Answer | null> =>
    withTimeout<Answer | null>(read(), READINESS_ANSWER_MAX_MS, () => null).catch(() => null);

  const measure = async (): Promise<void> => {
    const [models, running] = await Promise.all([withinDeadline(lags), withinDeadline(processes)]);
    reachable.set(models && running ? 1 : 0);
    // A stale figure would look like a current one.
    const gauges = [
      events,
      seconds,
      parked,
      ...Object.values(ofProcess),
      ...Object.values(ofTimers),
    ];
    for (const stale of gauges) stale.reset();
    for (const { name: projection, version, ...lag } of models ?? []) {
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
    registry,
    beforeScrape: (read) => void reads.push(read),
    contentType: registry.contentType,
    async print() {
      const readings = reads.map((read) => withinDeadline(async () => read()));
      await Promise.all([measure(), own.look(), ...readings]);
      return registry.metrics();
    },
    lagFrom(read) {
      lags = read;
    },
    processesFrom(read) {
      processes = read;
    },
    own: own.metrics,
  };
};
