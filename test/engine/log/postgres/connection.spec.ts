import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silent } from '../../../../src/engine/observe/report.ts';
import { Connection } from '../../../../src/engine/log/postgres/connection.ts';
import { freshDatabase } from '../../../support/postgres/database.ts';
import { letPass } from '../../../support/until.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let watching: Client;

beforeAll(async () => {
  database = await freshDatabase();
  watching = new Client({ connectionString: database.url });
  await watching.connect();
});
afterAll(async () => {
  await watching.end();
  await database.drop();
});

const isOpen = async (name: string) => {
  const { rows } = await watching.query(
    'select from pg_stat_activity where application_name = $1 and datname = current_database()',
    [name],
  );
  return rows.length > 0;
};
const connection = (name: string, idleMaxMs: number) =>
  new Connection({ url: database.url, name, report: silent, pipeline: true, idleMaxMs });

it('is closed after a long idle time, and opened again on demand', async () => {
  const one = connection('idle', 50);
  const session = () => one.rows({ text: 'select pg_backend_pid()::text' });
  const first = await session();
  expect(first).toEqual([[expect.stringMatching(/^\d+$/)]]);
  await expect.poll(() => isOpen('idle')).toBe(false);
  expect(await session()).not.toEqual(first);
  await one.end();
});

it('is not idle while a statement runs', async () => {
  const one = connection('busy', 50);
  const [slow, quick] = [
    one.rows({ text: 'select pg_sleep(0.3)::text' }),
    one.rows({ text: 'select 1' }),
  ];
  expect(await quick).toEqual([[1]]);
  expect(await slow).toEqual([['']]);
  await one.end();
});

it('is opened once for all concurrent callers at the moment at which it closes', async () => {
  const one = connection('racing', 1);
  for (let round = 0; round < 50; round += 1) {
    const answers = await Promise.all([1, 2, 3].map((nth) => one.rows({ text: `select ${nth}` })));
    expect(answers).toEqual([[[1]], [[2]], [[3]]]);
    await letPass(round % 3, 'the connection comes to its end meanwhile');
  }
  await one.end();
});
