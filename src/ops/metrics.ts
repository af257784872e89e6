import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { READINESS_ANSWER_MAX_MS } from '../limits.ts';
import { inTime } from './timeout.ts';

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
}

export interface ProjectionLag {
  readonly name: string;
  readonly version: number;
  /** `null` where the log cannot count. */
  readonly events: number | null;
  readonly seconds: number;
  readonly parked: number;
}

export const metricsOf = (options: { readonly process?: boolean } = {}): Metrics => {
  const registry = new Registry();
  if (options.process ?? true) collectDefaultMetrics({ register: registry });
  let lags: () => Promise<readonly ProjectionLag[]> = async () => [];

  const requests = new Histogram({
    name: 'atrium_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['projection', 'version'], registers: [registry] });
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

  const reachable = new Gauge({
    name: 'atrium_projections_reachable',
    help: '1 if log and database could be asked how far the projections are, else 0',
    registers: [registry],
  });

  const lookAround = async (): Promise<void> => {
    const found = await inTime<readonly ProjectionLag[] | null>(
      lags(),
      READINESS_ANSWER_MAX_MS,
      () => null,
    ).catch(() => null);
    reachable.set(found ? 1 : 0);
    // An old figure would look like a good one.
    for (const gone of [events, seconds, parked]) gone.reset();
    for (const lag of found ?? []) {
      const labels = { projection: lag.name, version: String(lag.version) };
      if (lag.events !== null) events.set(labels, lag.events);
      seconds.set(labels, lag.seconds);
      parked.set(labels, lag.parked);
    }
  };

  return {
    contentType: registry.contentType,
    async print() {
      await lookAround();
      return registry.metrics();
    },
    requestDone: (labels, took) =>
      requests.observe({ ...labels, status: String(labels.status) }, took),
    lagFrom(read) {
      lags = read;
    },
  };
};
