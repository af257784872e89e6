/** The consumers of a platform without its routes: over a log and a database others may share. */
import { leases as leasesIn, type Leases } from '../../../src/engine/consumers/leases.ts';
import type { Releases } from '../../../src/engine/consumers/releases.ts';
import {
  consumers as consumersOf,
  type ConsumerRunner,
  type Consumers,
} from '../../../src/engine/consumers/runtime.ts';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { systemClock, type Clock } from '../../../src/engine/time/clock.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';

export interface TestConsumers {
  readonly consumers: Consumers;
  readonly leases: Leases;
  readonly db: Pick<Database, 'pool'>;
  start(runners: readonly ConsumerRunner[]): void;
  /** Idempotent. */
  stop(): Promise<void>;
}

export interface TestConsumersOptions {
  readonly clock?: Clock;
  readonly real?: Clock;
  /** Default: a pool of its own. */
  readonly db?: Pick<Database, 'pool'>;
  /** The releases that run beside this one. Default: none. */
  readonly releases?: Releases;
  /** Default 5 s. */
  readonly silentMaxMs?: number;
}

export const testConsumers = (
  url: string,
  log: EventStore,
  options: TestConsumersOptions = {},
): TestConsumers => {
  const { clock = systemClock, silentMaxMs = 5_000, real } = options;
  const logger = loggerOf(process.env['TEST_LOG_LEVEL'] ?? 'silent');
  const own = openDatabase({ url, logger });
  const db = options.db ?? own;
  const leases = leasesIn({ db: own, logger, silentMaxMs });
  const { releases } = options;
  const shared = { log, db, leases, clock, logger, ...(releases ? { releases } : {}) };
  const consumers = consumersOf({ ...shared, ...(real ? { real } : {}) });
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort();
    await running;
    await leases.close();
    await own.close();
  };
  return {
    consumers,
    leases,
    db,
    start(runners) {
      running = consumers.start(runners, stopping.signal);
    },
    stop: () => (stopped ??= stop()),
  };
};
