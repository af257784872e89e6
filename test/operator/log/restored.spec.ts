/** A log in Postgres that was restored from a backup, beside the read models that were not. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFiles } from '../../support/files.ts';
import { freshDatabase, runOnce, type TestDatabase } from '../../support/postgres/database.ts';
import { runAtrium } from '../../support/servers/cli.ts';
import { rehearseRestore } from '../../support/servers/restore-rehearsal.ts';
import { servers } from '../../support/servers/servers.ts';

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

it('is noticed, put right by one command, and loses nobody but what was lost', async () => {
  const env = { DATABASE_URL: database.url, ATRIUM_DATA: directory.path('data') };
  await rehearseRestore({
    env,
    running,
    backUp: () => sql((table) => `create table public.${table} as table es.${table}`),
    putBack: () =>
      sql((table) => `truncate es.${table}; insert into es.${table} table public.${table}`),
  });
});

it('is put right once', async () => {
  const env = { DATABASE_URL: database.url };
  expect(await runAtrium(env, 'log', 'restored')).toMatchObject({
    code: 0,
    out: expect.stringContaining('done: start the servers'),
  });
  const again = await runAtrium(env, 'log', 'restored');
  expect(again).toEqual({ code: 0, out: 'this was put right already\n', err: '' });
});
