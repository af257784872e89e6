import { Counter, Gauge } from 'prom-client';
import type { MetricRegistry } from '../engine/observe/metrics.ts';

/** Metrics of an external broker; none are exported with the log as bus. */
export interface BusMetrics {
  published(outcome: 'stored' | 'repeated' | 'failed'): void;
  /** Messages from other systems. */
  received(outcome: 'recorded' | 'parked'): void;
}

export interface BusStream {
  readonly name: string;
  readonly bytes: number;
  /** `null`: unlimited. */
  readonly bytesMax: number | null;
}

/**
 * @param broker Queried at every scrape; where that fails, the broker is not reachable. `null`: the
 *   log is the bus.
 */
export const busMetrics = (
  { registry, beforeScrape }: MetricRegistry,
  broker: { streams(): Promise<readonly BusStream[]> } | null,
): BusMetrics => {
  const registers = [registry];
  const published = new Counter({
    name: 'atrium_bus_published_messages_total',
    help: 'Messages published to the broker, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const messages = new Counter({
    name: 'atrium_bus_taken_messages_total',
    help: 'Messages consumed from the broker, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const reachable = new Gauge({
    name: 'atrium_bus_reachable',
    help: '1 if the broker is reachable, else 0',
    labelNames: ['broker'],
    registers,
  });
  const bytes = new Gauge({
    name: 'atrium_bus_stream_bytes',
    help: 'Size of a stream of the broker',
    labelNames: ['stream'],
    registers,
  });
  const bytesMax = new Gauge({
    name: 'atrium_bus_stream_bytes_max',
    help: 'Size limit of a stream; absent if unlimited',
    labelNames: ['stream'],
    registers,
  });

  beforeScrape(async () => {
    if (broker === null) return;
    reachable.set({ broker: 'nats' }, 0);
    // A stale value would look like a current one.
    for (const gone of [bytes, bytesMax]) gone.reset();
    for (const stream of await broker.streams()) {
      bytes.set({ stream: stream.name }, stream.bytes);
      if (stream.bytesMax !== null) bytesMax.set({ stream: stream.name }, stream.bytesMax);
    }
    reachable.set({ broker: 'nats' }, 1);
  });

  return {
    published: (outcome) => published.inc({ outcome }),
    received: (outcome) => messages.inc({ outcome }),
  };
};
