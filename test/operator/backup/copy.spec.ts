/** Rows of a COPY TO are counted, however the server's messages are split into packets. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from 'pg';
import { prepareLog } from '../../../src/engine/log/postgres/store.ts';
import { eventRows } from '../../../src/operator/backup/copy.ts';
import { freshDatabase, runOnce, type TestDatabase } from '../../support/postgres/database.ts';
import { proxyTo, type PostgresProxy } from '../../support/postgres/proxy.ts';

const EVENTS = 3;
/** The message after the last row; the next one has the number of rows. */
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
let database: TestDatabase;
let proxy: PostgresProxy;
let client: Client;

beforeAll(async () => {
  database = await freshDatabase();
  await prepareLog(database.url);
  await runOnce(
    database.url,
    `insert into es.event (position, revision, id, stream, type, data, meta)
     select n, n, gen_random_uuid(), 'sample-a', 'Made', '{}', '{}'
     from generate_series(1, ${EVENTS}) as n`,
  );
  proxy = await proxyTo(database.url);
  client = new Client(proxy.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await proxy.close();
  await database.drop();
});

it('counts rows whose number arrives in a later packet', async () => {
  proxy.splitAfter(COPY_DONE);
  const { chunks, rows } = eventRows(client, 0, EVENTS);
  const lines: string[] = [];
  for await (const chunk of chunks) lines.push(...Buffer.from(chunk).toString().trim().split('\n'));
  expect(lines).toHaveLength(EVENTS);
  expect(rows()).toBe(EVENTS);
});
