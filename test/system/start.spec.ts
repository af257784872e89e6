/** The first start of a whole server. */
import { afterAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { servers } from '../support/servers/servers.ts';
import { until } from '../support/until.ts';

const running = servers();
afterAll(() => running.release());

it('a server that reports readiness serves lists, and stops on SIGTERM', async () => {
  const { url, drop } = await freshDatabase();
  const env = { DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('start'), LOG_LEVEL: 'info' };
  const server = await running.spawn(env);
  await until(() => server.output().includes('Atrium is ready'), 'the line that says so');
  const list = '/api/service-desk/requests';
  const answer = await server.call('agent@acme.test', 'GET', list, { mayBeStale: true });
  expect(answer.status).toBe(200);
  expect(answer.body.total).toBeGreaterThan(0);
  await server.signal('SIGTERM');
  expect(server.process.exitCode).toBe(0);
  expect(server.output()).toMatch(/Atrium is listening[^]*Atrium is ready[^]*stopping/);
  await drop();
});
