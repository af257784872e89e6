/** The start and the stop of a server whose EventStoreDB is away. */
import { randomBytes } from 'node:crypto';
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

it.skipIf(!program)(
  'is waited for at a start in production (skipped where no program is on the PATH)',
  async () => {
    const [eventstore, database] = await Promise.all([eventstoreServer(program!), freshDatabase()]);
    const running = servers();
    onTestFinished(async () => {
      await running.release();
      await eventstore.release();
      await database.drop();
    });
    await eventstore.kill();
    const server = await running.spawn({
      ATRIUM_ENV: 'production',
      ATRIUM_SECRETS_KEY: randomBytes(32).toString('base64'),
      OIDC_ISSUER: 'https://localhost:9/realm',
      PUBLIC_URL: 'https://atrium.example.org',
      SANDBOX_HOST: 'sandbox.example.org',
      DATABASE_URL: database.url,
      EVENTSTORE_URL: eventstore.url,
      ATRIUM_DATA: temporaryDirectory('log-late'),
    });
    await until(() => server.output().includes('waiting for the database and the log'));
    await eventstore.start();
    // All but the issuer, which is not there.
    await until(() => server.output().includes('Atrium is not ready yet'), 'the start');
    expect(server.process.exitCode).toBeNull();
  },
);
