/** A server that starts before its dependencies. */
import { once } from 'node:events';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { proxyTo } from '../support/postgres/proxy.ts';
import { spawnServer, type ServerProcess } from '../support/servers/server.ts';
import { until } from '../support/until.ts';

const running: ServerProcess[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.signal('SIGKILL');
});
const spawned = async (databaseUrl: string): Promise<ServerProcess> => {
  const server = await spawnServer({
    DATABASE_URL: databaseUrl,
    ATRIUM_DATA: temporaryDirectory('waiting'),
  });
  running.push(server);
  return server;
};

it('waits for an unavailable database, logs so, and starts when it is available', async () => {
  const { url } = await freshDatabase();
  const proxy = await proxyTo(url);
  onTestFinished(() => proxy.close());
  await proxy.cut();
  const server = await spawned(proxy.url);
  await until(() => server.output().includes('waiting for the database'), 'a line that says so');
  await proxy.mend();
  await server.ready();
});

it('does not wait for a database that does not exist', async () => {
  const { url } = await freshDatabase();
  const server = await spawned(url.replace(/\/[^/?]+\?/, '/no_such_database?'));
  await once(server.process, 'close');
  expect(server.process.exitCode).toBe(1);
  expect(server.output()).toBe(
    'atrium: DATABASE_URL: database "no_such_database" does not exist\n',
  );
});
