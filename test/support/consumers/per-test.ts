import { afterEach, beforeEach } from 'vitest';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { freshDatabase, type TestDatabase } from '../postgres/database.ts';

interface Running {
  stop(): Promise<void>;
}

/** A database and a log in memory for each test, and their consumers: all closed with the test. */
export interface PerTest {
  /** Of the database. */
  readonly url: string;
  readonly log: EventStore;
  /** Ends it with the test. */
  runs<Started extends Running>(started: Started): Started;
  /** Ends it now. */
  stop(started: Running): Promise<void>;
  /** Connections of the test's own. */
  openDatabase(): Database;
  /** The same log over a database with nothing of this test in it. */
  replaceDatabase(): Promise<void>;
}

export const perTest = (): PerTest => {
  let database: TestDatabase;
  let log: EventStore;
  const running = new Set<Running>();
  beforeEach(async () => {
    database = await freshDatabase();
    log = memoryEventStore();
  });
  const stop = async (started: Running) => {
    running.delete(started);
    await started.stop();
  };
  afterEach(async () => {
    // Later ones may depend on earlier ones.
    for (const started of [...running].toReversed()) await stop(started);
    await log.close();
    await database.drop();
  });
  return {
    get url() {
      return database.url;
    },
    get log() {
      return log;
    },
    runs(started) {
      running.add(started);
      return started;
    },
    stop,
    openDatabase() {
      const own = openDatabase({ url: database.url, logger: loggerOf('silent') });
      running.add({ stop: () => own.close() });
      return own;
    },
    async replaceDatabase() {
      await database.drop();
      database = await freshDatabase();
    },
  };
};
