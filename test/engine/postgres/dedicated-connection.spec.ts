import { expect, it, onTestFinished } from 'vitest';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { onDedicatedConnection } from '../../../src/engine/postgres/dedicated-connection.ts';
import { openDatabase } from '../../../src/engine/postgres/pool.ts';
import { emptyDatabase } from '../../support/postgres/database.ts';
import { proxyTo } from '../../support/postgres/proxy.ts';
import { heldFor, until } from '../../support/until.ts';

it('ends when it is stopped, though the server does not answer any more', async () => {
  const { url, drop } = await emptyDatabase();
  const logger = loggerOf('silent');
  const direct = openDatabase({ url, logger });
  const proxy = await proxyTo(url);
  const db = openDatabase({ url: proxy.url, logger });
  onTestFinished(async () => {
    await proxy.close();
    await db.close();
    await direct.close();
    await drop();
  });
  const stopping = new AbortController();
  const on = { pool: db.pool, name: 'atrium test', signal: stopping.signal };
  const work = onDedicatedConnection(on, (client) => client.query('select pg_sleep(600)')).catch(
    (error: unknown) => error,
  );
  const sleeping = `select from pg_stat_activity where wait_event = 'PgSleep'
    and datname = current_database()`;
  await until(async () => (await direct.pool.query(sleeping)).rowCount === 1, 'a statement');
  proxy.hang(true);
  const reason = new Error('the test is over');
  stopping.abort(reason);
  expect(await heldFor(work, 30_000)).toBe(reason);
});
