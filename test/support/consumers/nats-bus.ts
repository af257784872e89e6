/** NATS as the bus of one process. */
import type { Consumer } from '../../../src/bus/bus.ts';
import { logBus } from '../../../src/bus/log/bus.ts';
import { logConsumer } from '../../../src/bus/log/consumer.ts';
import { natsBus } from '../../../src/bus/nats/bus.ts';
import { busIntake } from '../../../src/bus/nats/intake.ts';
import { layoutOf, type Layout } from '../../../src/bus/nats/layout.ts';
import { natsLink } from '../../../src/bus/nats/link.ts';
import type { Nats } from '../../../src/bus/nats/nats.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { busMetrics } from '../../../src/bus/metrics.ts';
import { metricsOf } from '../../../src/engine/observe/metrics.ts';
import { processRuntime } from '../../../src/engine/processes/processes.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import type { RunningBus } from './bus.ts';
import { testConsumers, type TestConsumers } from './consumers.ts';

export const BUS_SOURCE = 'http://atrium.test';

export interface RunningNatsBus extends RunningBus {
  readonly nats: Nats;
  /** Runs the intake and this consumer until it is stopped. */
  consume(consumer: Consumer): { readonly under: TestConsumers; stop(): Promise<void> };
}

export interface NatsBusOptions {
  /** Of the database with the consumers' checkpoints. */
  readonly databaseUrl: string;
  readonly log: EventStore;
  readonly servers: readonly string[];
  readonly prefix: string;
  readonly replicas?: number;
  /** Default: the published types of the contract. */
  readonly types?: readonly string[];
  /** Interval at which the streams are checked. Default: as in production. */
  readonly lookMs?: number;
  /** Default: the process's. */
  readonly nowMs?: () => number;
}

/** Connects in the background; await `nats.whenReady` to use it at once. */
export const natsBusOn = (options: NatsBusOptions): RunningNatsBus => {
  const { databaseUrl, log, prefix, types = ['test.rang', 'test.other'] } = options;
  const logger = loggerOf(process.env['TEST_LOG_LEVEL'] ?? 'silent');
  const metrics = busMetrics(metricsOf({ process: false }), null);
  const nats = linkTo(options.servers, {
    prefix,
    ...(options.replicas ? { replicas: options.replicas } : {}),
    ...(options.lookMs ? { lookMs: options.lookMs } : {}),
    ...(options.nowMs ? { nowMs: options.nowMs } : {}),
  });
  const stops = new Set<() => Promise<void>>();
  return {
    nats,
    bus: natsBus({ nats, prefix, source: BUS_SOURCE, metrics }),
    consume(consumer) {
      const under = testConsumers(databaseUrl, log, { silentMaxMs: 5_000 });
      const { consumers } = under;
      const journals = logBus({ log, clock: systemClock, expected: [consumer.name] });
      const processes = [logConsumer(consumer, { ...consumers, logger })];
      under.start([
        ...processRuntime({ processes, consumers }).runners,
        busIntake({ nats, journals, consumers, prefix, types, metrics }),
      ]);
      const stop = () => {
        stops.delete(stop);
        return under.stop();
      };
      stops.add(stop);
      return { under, stop };
    },
    async close() {
      for (const stop of stops) await stop();
      await nats.close();
    },
  };
};

export interface LinkOptions {
  readonly prefix: string;
  readonly replicas?: number;
  readonly credentialsFile?: string;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  /** Default: the inbound family is `test`, the outbound one `told`. */
  readonly layout?: Layout;
  readonly lookMs?: number;
  readonly nowMs?: () => number;
}

export const linkTo = (
  servers: readonly string[],
  {
    prefix,
    replicas = 1,
    layout = layoutOf(prefix, { inbound: ['test'], outbound: ['told'] }),
    lookMs,
    nowMs,
    ...files
  }: LinkOptions,
): Nats =>
  natsLink({
    address: {
      credentialsFile: null,
      caFile: null,
      certFile: null,
      keyFile: null,
      ...files,
      servers,
    },
    layout,
    replicas,
    ...(lookMs === undefined ? {} : { lookMs }),
    ...(nowMs === undefined ? {} : { nowMs }),
    logger: loggerOf(process.env['TEST_LOG_LEVEL'] ?? 'silent'),
  });
