import { Histogram } from 'prom-client';
import type { MetricRegistry } from '../../engine/observe/metrics.ts';

export interface RequestMetrics {
  /** A finished request. `route` is the template, never the concrete path. */
  requestDone(labels: { method: string; route: string; status: number }, seconds: number): void;
}

export const requestMetrics = ({ registry }: MetricRegistry): RequestMetrics => {
  const requests = new Histogram({
    name: 'atrium_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return {
    requestDone: (labels, seconds) =>
      requests.observe({ ...labels, status: String(labels.status) }, seconds),
  };
};
