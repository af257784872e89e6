import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { actionable, databasesOn } from '../../src/hosting/databases.ts';
import { runOnce } from '../support/postgres/database.ts';
import { until } from '../support/until.ts';

it('drops a database whose drop was interrupted, and a template', async () => {
  const url = inject('clusterUrl');
  const databases = databasesOn(url);
  const [invalid, template] = [1, 2].map(() => `t_${randomUUID().replaceAll('-', '')}`);
  for (const name of [invalid!, template!]) await databases.create(name);
  // Postgres marks a database so at the start of its drop: it can only be dropped.
  await runOnce(url, `update pg_database set datconnlimit = -2 where datname = '${invalid}'`);
  await runOnce(url, `alter database ${template} is_template true`);
  for (const name of [invalid!, template!]) await databases.drop(name);
  expect(await databases.names()).not.toContain(invalid);
  expect(await databases.names()).not.toContain(template);
  await databases.drop(invalid!);
});

it('stops a copy on the server once it is aborted', async () => {
  const url = inject('clusterUrl');
  const databases = databasesOn(url);
  const [from, to] = [1, 2].map(() => `t_${randomUUID().replaceAll('-', '')}`);
  await databases.create(from!);
  const holder = new Client({ connectionString: url });
  await holder.connect();
  onTestFinished(() => holder.end());
  // A copy waits for the end of this transaction.
  await holder.query('begin');
  await holder.query(`comment on database ${from} is 'held'`);
  const waits = async () => {
    const { rowCount } = await holder.query(
      `select from pg_locks where not granted and database = 0 and objid in
       (select oid from pg_database where datname = $1)`,
      [from],
    );
    return rowCount! > 0;
  };
  const unwanted = new AbortController();
  const copying = databases.copy(from!, to!, false, unwanted.signal);
  await until(waits, 'the wait of the copy');
  unwanted.abort();
  await expect(copying).rejects.toThrow('canceling statement');
  await holder.query('rollback');
  expect(await databases.names()).not.toContain(to);
  await databases.drop(from!);
});

it('recognises an error that an operator can fix, also as the cause of another', () => {
  const full = Object.assign(new Error('No space left on device'), { code: '53100' });
  for (const error of [full, new Error('the log', { cause: full })])
    expect(actionable(error)).toMatchObject({ message: expect.stringContaining('disk') });
  const other = new Error('other');
  expect(actionable(other)).toBe(other);
});
