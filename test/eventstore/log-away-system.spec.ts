/** The stop of a server whose EventStoreDB is away. */
import { expect, it, onTestFinished } from 'vitest';
import { eventstoreProgram, eventstoreServer } from '../support/eventstoredb/server.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { servers } from '../support/servers/servers.ts';
import { until } from '../support/until.ts';

const program = eventstoreProgram();

it.skipIf(!program).each(['kill', 'freeze'] as const)(
  'is in order, with the log away by %s (skipped where no program is on the PATH)',
  async (fault) => {
    const [eventstore, database] = await Promise.all([eventstoreServer(program!), freshDatabase()]);
    const running = servers();
    onTestFinished(async () => {
      await running.release();
      await eventstore.release();
      await database.drop();
    });
    const server = await running.start({
      DATABASE_URL: database.url,
      EVENTSTORE_URL: eventstore.url,
      ATRIUM_DATA: temporaryDirectory('log-away'),
    });
    await eventstore[fault]();
    await until(() => server.output().includes('the event log cannot be reached'));
    await server.signal('SIGTERM');
    // A stop that takes too long is ended with 1.
    expect([server.process.exitCode, server.process.signalCode]).toEqual([0, null]);
  },
);
