/** The log as the bus of one process. */
import type { Bus, Consumer } from '../../../src/bus/bus.ts';
import { logBus } from '../../../src/bus/log/bus.ts';
import { logConsumer } from '../../../src/bus/log/consumer.ts';
import { systemClock, type Clock } from '../../../src/engine/time/clock.ts';
import { processRuntime } from '../../../src/engine/processes/processes.ts';
import { parkedCodec } from '../../../src/domain/bus/codecs.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { testConsumers } from './consumers.ts';

/** A bus, and what runs a consumer of it until it is stopped. */
export interface RunningBus {
  readonly bus: Bus;
  consume(consumer: Consumer): { stop(): Promise<void> };
  close(): Promise<void>;
}

/** @param url Of the database with the consumers' checkpoints. */
export const busOn = (
  url: string,
  log: EventStore,
  clock: Clock = systemClock,
  expected: string[] = [],
): RunningBus => {
  const stops = new Set<() => Promise<void>>();
  return {
    bus: logBus({ log, clock, expected }),
    consume(consumer) {
      const under = testConsumers(url, log, { clock, silentMaxMs: 5_000 });
      const processes = [logConsumer(consumer, under.consumers)];
      under.start(processRuntime({ processes, consumers: under.consumers }).runners);
      const stop = () => {
        stops.delete(stop);
        return under.stop();
      };
      stops.add(stop);
      return { stop };
    },
    async close() {
      for (const stop of stops) await stop();
    },
  };
};

/** The `eventId`s of what a consumer has parked, in its order. */
export const parkedIdsIn = async (log: EventStore, consumer: string): Promise<readonly string[]> =>
  (await parkedIn(log, consumer)).flatMap((fact) =>
    fact.type === 'MessageParked' ? [fact.eventId] : [],
  );

/** The parked messages of a consumer, in its order. */
export const parkedIn = async (log: EventStore, consumer: string) =>
  (await log.readStream(`busParked-${consumer}`)).map((stored) => parkedCodec.decode(stored).event);
