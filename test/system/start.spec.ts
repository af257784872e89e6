/** The first start of a whole server. */
import { afterAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { startAtrium } from '../support/servers/cli.ts';
import { freePort } from '../support/servers/port.ts';
import { servers } from '../support/servers/servers.ts';
import { until } from '../support/until.ts';

const running = servers();
afterAll(() => running.release());

const started = async () => {
  const { url, drop } = await freshDatabase();
  const env = { DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('start'), LOG_LEVEL: 'info' };
  const server = await running.spawn(env);
  await until(() => server.output().includes('Atrium is ready'), 'the line that says so');
  return { server, drop };
};

it('a server that reports readiness serves lists, and stops on SIGTERM', async () => {
  const { server, drop } = await started();
  const list = '/api/service-desk/requests';
  const answer = await server.call('agent@acme.test', 'GET', list, { mayBeStale: true });
  expect(answer.status).toBe(200);
  expect(answer.body.total).toBeGreaterThan(0);
  await server.signal('SIGTERM');
  expect(server.process.exitCode).toBe(0);
  expect(server.output()).toMatch(/Atrium is listening[^]*Atrium is ready[^]*stopping/);
  await drop();
});

it('`atrium start` is the same server, and stops on SIGTERM', async () => {
  const { url, drop } = await freshDatabase();
  const command = startAtrium(
    {
      DATABASE_URL: url,
      ATRIUM_DATA: temporaryDirectory('start'),
      LOG_LEVEL: 'info',
      PORT: String(await freePort()),
    },
    'start',
  );
  const ended = command.ended.then(({ err }) => Promise.reject(new Error(err)));
  await Promise.race([until(() => command.out().includes('Atrium is ready')), ended]);
  command.process.kill('SIGTERM');
  expect(await command.ended).toMatchObject({ code: 0, out: expect.stringContaining('stopping') });
  await drop();
});

// A listener for these would never run after a fault in native code, which would be repeated.
it('a server has no listener for the signals of a crash', async () => {
  const { server, drop } = await started();
  await server.signal('SIGSEGV');
  expect(server.process.signalCode).toBe('SIGSEGV');
  expect(server.output()).not.toContain('"msg":"stopping"');
  await drop();
});
