/** An empty or foreign log in Postgres, beside a database that was fed from its own log. */
import { afterAll, beforeAll, it } from 'vitest';
import { temporaryFiles } from '../../support/files.ts';
import { freshDatabase, runOnce, type TestDatabase } from '../../support/postgres/database.ts';
import { servers } from '../../support/servers/servers.ts';
import { rehearseWrongLog } from '../../contract/wrong-log.contract.ts';

const directory = temporaryFiles();
const running = servers();
let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  await running.release();
  await database.drop();
});

const TABLES = ['event', 'watermark', 'closing'];
const sql = (statementOf: (table: string) => string) =>
  runOnce(database.url, TABLES.map(statementOf).join(';'));

it('refuses an empty log until it is adopted', async () => {
  await sql((table) => `create table public.empty_${table} as table es.${table}`);
  await rehearseWrongLog({
    env: { DATABASE_URL: database.url, ATRIUM_DATA: directory.path('data') },
    running,
    exchange: async () => {
      await sql(
        (table) =>
          `drop table if exists public.${table};
           create table public.${table} as table es.${table};
           truncate es.${table}; insert into es.${table} table public.empty_${table}`,
      );
      return {};
    },
    putBack: () =>
      sql((table) => `truncate es.${table}; insert into es.${table} table public.${table}`),
    reason: 'the event log is empty',
  });
});
