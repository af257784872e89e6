import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of an external broker; none are exported with the log as bus. */
export interface BusMetrics {
  published(outcome: 'stored' | 'repeated' | 'failed'): void;
  /** Messages from other systems. */
  taken(outcome: 'recorded' | 'parked'): void;
  /** Read at every scrape; an error means that the broker is unreachable. */
  standing(read: () => Promise<readonly BusStream[]>): void;
}

export interface BusStream {
  readonly name: string;
  readonly bytes: number;
  /** `null`: no bound of its own. */
  readonly bytesMax: number | null;
}

/** The metrics, and the hook to call before each scrape. */
export const busMetrics = (
  registry: Registry,
): { readonly metrics: BusMetrics; readonly look: () => Promise<void> } => {
  const registers = [registry];
  let standing: (() => Promise<readonly BusStream[]>) | null = null;
  const published = new Counter({
    name: 'atrium_bus_published_messages_total',
    help: 'Messages that were given to the broker, by what came of it',
    labelNames: ['outcome'],
    registers,
  });
  const taken = new Counter({
    name: 'atrium_bus_taken_messages_total',
    help: 'Messages of others that were taken from the broker, by what came of them',
    labelNames: ['outcome'],
    registers,
  });
  const reachable = new Gauge({
    name: 'atrium_bus_reachable',
    help: '1 if the broker has answered this scrape, else 0',
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
    help: 'Size at which a stream takes no further message; absent where it has no bound',
    labelNames: ['stream'],
    registers,
  });

  return {
    metrics: {
      published: (outcome) => published.inc({ outcome }),
      taken: (outcome) => taken.inc({ outcome }),
      standing(read) {
        standing = read;
      },
    },
    async look() {
      if (standing === null) return;
      reachable.set({ broker: 'nats' }, 0);
      // A stale value would look like a current one.
      for (const gone of [bytes, bytesMax]) gone.reset();
      for (const stream of await standing()) {
        bytes.set({ stream: stream.name }, stream.bytes);
        if (stream.bytesMax !== null) bytesMax.set({ stream: stream.name }, stream.bytesMax);
      }
      reachable.set({ broker: 'nats' }, 1);
    },
  };
};
