/** An EventStoreDB restored from a backup, beside a database that was not. */
import { cpSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import {
  eventstoreProgram,
  eventstoreServer,
  type EventStoreServer,
} from '../support/eventstoredb/server.ts';
import { temporaryFiles } from '../support/files.ts';
import { freshDatabase, type TestDatabase } from '../support/postgres/database.ts';
import { rehearseRestore } from '../contract/restored-log.contract.ts';
import { servers } from '../support/servers/servers.ts';
import { rehearseWrongLog } from '../contract/wrong-log.contract.ts';

const program = eventstoreProgram();

describe.skipIf(!program)('a server of our own (skipped where no program is on the PATH)', () => {
  const directory = temporaryFiles();
  const running = servers();
  let eventstore: EventStoreServer;
  let database: TestDatabase;

  beforeAll(async () => {
    [eventstore, database] = await Promise.all([eventstoreServer(program!), freshDatabase()]);
  });
  afterAll(async () => {
    await running.release();
    await eventstore.release();
    await database.drop();
  });

  it('is detected, repaired by one command, and loses only events after the backup', async () => {
    const backup = directory.path('backup');
    /** Copies a directory while the server is stopped. */
    const copy = async (from: string, to: string) => {
      await eventstore.stop();
      rmSync(to, { recursive: true, force: true });
      cpSync(from, to, { recursive: true });
      await eventstore.start();
    };
    await rehearseRestore({
      env: {
        DATABASE_URL: database.url,
        EVENTSTORE_URL: eventstore.url,
        ATRIUM_DATA: directory.path('data'),
      },
      running,
      backUp: () => copy(eventstore.database, backup),
      putBack: () => copy(backup, eventstore.database),
    });
  });

  it('refuses an empty server until it is adopted', async () => {
    const [own, empty, other] = await Promise.all([
      eventstoreServer(program!),
      eventstoreServer(program!),
      freshDatabase(),
    ]);
    try {
      await rehearseWrongLog({
        env: {
          DATABASE_URL: other.url,
          EVENTSTORE_URL: own.url,
          ATRIUM_DATA: directory.path('other'),
        },
        running,
        exchange: async () => ({ EVENTSTORE_URL: empty.url }),
        putBack: async () => {},
        reason: 'the event log is empty',
      });
    } finally {
      await running.release();
      await Promise.all([own.release(), empty.release(), other.drop()]);
    }
  });

  it("refuses another installation's server until it is adopted", async () => {
    const [own, another, database, theirs] = await Promise.all([
      eventstoreServer(program!),
      eventstoreServer(program!),
      freshDatabase(),
      freshDatabase(),
    ]);
    try {
      const neighbour = await running.start({
        DATABASE_URL: theirs.url,
        EVENTSTORE_URL: another.url,
        ATRIUM_DATA: directory.path('theirs'),
      });
      await neighbour.signal('SIGTERM');
      await rehearseWrongLog({
        env: {
          DATABASE_URL: database.url,
          EVENTSTORE_URL: own.url,
          ATRIUM_DATA: directory.path('own'),
        },
        running,
        exchange: async () => ({ EVENTSTORE_URL: another.url }),
        putBack: async () => {},
        reason: 'has another identity',
      });
    } finally {
      await running.release();
      await Promise.all([own.release(), another.release(), database.drop(), theirs.drop()]);
    }
  });
});
