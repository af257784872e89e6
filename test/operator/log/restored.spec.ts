/** A log in Postgres restored from a backup, beside read models that were not. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RESTORE_NUMBERS_SKIPPED } from '../../../src/operator/limits.ts';
import { temporaryFiles } from '../../support/files.ts';
import { freshDatabase, runOnce, type TestDatabase } from '../../support/postgres/database.ts';
import { runAtrium } from '../../support/servers/cli.ts';
import { rehearseRestore } from '../../contract/restored-log.contract.ts';
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

const putBack = () =>
  sql((table) => `truncate es.${table}; insert into es.${table} table public.${table}`);

it('is detected, repaired by one command, and loses only events after the backup', async () => {
  const env = { DATABASE_URL: database.url, ATRIUM_DATA: directory.path('data') };
  await rehearseRestore({
    env,
    running,
    backUp: () => sql((table) => `create table public.${table} as table es.${table}`),
    putBack,
  });
});

const restored = (...options: string[]) =>
  runAtrium({ DATABASE_URL: database.url }, 'log', 'restored', ...options);

/** The next ticket number of acme, as printed by the command. */
const continuedAt = ({ out }: { readonly out: string }): number =>
  Number(/^acme: .* numbers continue at (\d+)/m.exec(out)?.[1]);

it('is repaired once under one name, and requires a name for a second restore', async () => {
  const first = await restored('--name', 'first');
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining('done: start the servers') });
  const again = await restored('--name', 'first');
  expect(again).toEqual({ code: 0, out: 'restore first: carried out already\n', err: '' });

  for (const options of [[], ['--dry-run']])
    expect(await restored(...options)).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        "If this is that one, nothing is to be done (give --name 'first')",
      ),
    });
  const second = await restored('--name', 'second');
  expect(second).toMatchObject({
    code: 0,
    out: expect.stringContaining('acme: an unknown number of tickets are lost'),
  });
  expect(continuedAt(second)).toBeGreaterThan(continuedAt(first));
  expect(await restored('--name', 'first')).toMatchObject({
    code: 1,
    err: expect.stringContaining('first is an earlier restore of this log'),
  });
});

it('reuses no ticket number when the same copy is restored twice', async () => {
  await putBack();
  const third = await restored('--name', 'third');
  await dropReadModels();
  await putBack();
  const fourth = await restored('--name', 'fourth');
  expect(continuedAt(fourth)).toBe(continuedAt(third) + RESTORE_NUMBERS_SKIPPED);
});

it('advances the numbers of every organisation where no read model has been built', async () => {
  await runOnce(database.url, 'delete from consumers.restored_numbering');
  await putBack();
  expect(continuedAt(await restored('--skip-numbers', '11'))).toBeGreaterThan(11);
});

const dropReadModels = () =>
  runOnce(
    database.url,
    `do $$ declare name text; begin
       for name in select nspname from pg_namespace where nspname like 'ticket_list_v%' loop
         execute 'drop schema ' || name || ' cascade';
       end loop;
     end $$`,
  );
