import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { isUnreachable } from '../../../src/engine/postgres/errors.ts';
import { openDatabase, poolOn } from '../../../src/engine/postgres/pool.ts';
import { emptyDatabase } from '../../support/postgres/database.ts';

const { url, drop } = await emptyDatabase();
const { pool, close } = openDatabase({
  url,
  logger: loggerOf('silent'),
  connectionsMax: 1,
  queryMaxMs: 400,
});

afterAll(async () => {
  await close();
  await drop();
});

/** A statement that outlasts the test. */
const HANGING = 'select pg_sleep(20)';

it.for<[string, () => Promise<unknown>]>([
  ['of the pool', () => pool.query(HANGING)],
  ['of the pool, with values', () => pool.query('select pg_sleep($1)', [20])],
  [
    'of a connection',
    async () => {
      const client = await pool.connect();
      try {
        return await client.query(HANGING);
      } finally {
        client.release();
      }
    },
  ],
])('a statement %s fails at its deadline, and the next ones succeed', async ([, run]) => {
  const failure = await run().catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: 'Query read timeout' });
  expect(isUnreachable(failure)).toBe(true);
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

it('a COPY whose rows are late fails, and the next statements succeed', async () => {
  await pool.query('create table copied (n int)');
  const client = await pool.connect();
  const silent = new Readable({ read() {} });
  const copying = pipeline(silent, client.query(copyFrom('copy copied from stdin')));
  await expect(copying).rejects.toThrow('Query read timeout');
  client.release(true);
  expect((await pool.query('select count(*) as n from copied')).rows).toEqual([{ n: 0 }]);
});

it("a connection held beyond a statement's deadline stays open", async () => {
  const client = await pool.connect();
  const { rows: before } = await client.query('select pg_backend_pid() as pid');
  for (let n = 0; n < 4; n += 1) await client.query('select pg_sleep(0.2)');
  const { rows: after } = await client.query('select pg_backend_pid() as pid');
  expect(after).toEqual(before);
  client.release();
});

it('keeps its settings beside parameters of the address, whose other options apply', async () => {
  const address = new URL(url);
  address.searchParams.set('options', '-c timezone=Asia/Tokyo -c work_mem=5MB');
  address.searchParams.set('application_name', 'desk');
  address.searchParams.set('statement_timeout', '1');
  const one = poolOn(address.href, 'atrium test', { max: 1 });
  onTestFinished(() => one.end());
  const { rows } = await one.query(
    `select current_setting('timezone') as timezone, current_setting('work_mem') as memory,
       current_setting('application_name') as name,
       current_setting('statement_timeout') as timeout`,
  );
  expect(rows).toEqual([{ timezone: 'UTC', memory: '5MB', name: 'atrium test', timeout: '30s' }]);
});

it('a connection that is lost in use fails its statement, and nothing else', async () => {
  const one = poolOn(url, 'atrium test', { max: 1 });
  onTestFinished(() => one.end());
  const client = await one.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  // An error event without a listener would end the process.
  const [lost] = await Promise.allSettled([
    client.query('select pg_sleep(600)'),
    pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]),
  ]);
  expect(lost).toMatchObject({ status: 'rejected', reason: { code: '57P01' } });
  client.release(true);
  expect(await one.query('select 1 as one')).toMatchObject({ rows: [{ one: 1 }] });
});
