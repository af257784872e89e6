/** The log as the bus, as a process has it. */
import { logBus, type LogBus } from '../../src/bus/log/bus.ts';
import { ownership } from '../../src/consumers/leases.ts';
import { openDatabase } from '../../src/db/pool.ts';
import { systemClock, type Clock } from '../../src/ops/clock.ts';
import { loggerOf } from '../../src/ops/logging.ts';
import { parkedCodec } from '../../src/store/codecs.ts';
import type { EventStore } from '../../src/store/event-store.ts';

const logger = loggerOf('silent');

/** @param url Of the database with the consumers' checkpoints. */
export const busOn = (
  url: string,
  log: EventStore,
  clock: Clock = systemClock,
  expected: string[] = [],
) => {
  const db = openDatabase({ url, logger });
  const owners = ownership({ url, logger, silentMaxMs: 2_000 });
  const bus: LogBus = logBus({ log, db, ownership: owners, clock, logger, expected });
  return {
    bus,
    async close() {
      await owners.close();
      await db.close();
    },
  };
};

/** What a consumer has set aside, in its order. */
export const parkedIn = async (log: EventStore, consumer: string) =>
  (await log.readStream(`busParked-${consumer}`)).map((stored) => parkedCodec.decode(stored).event);
