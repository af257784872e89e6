import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { DependencyUnavailable } from '../../src/engine/processes/outcome.ts';
import { actionable, databasesOn } from '../../src/hosting/databases.ts';
import { databaseNames } from '../../src/hosting/names.ts';
import { sweep } from '../../src/hosting/sweep.ts';
import { databaseIn, runOnce } from '../support/postgres/database.ts';
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

it('repeats the drop of a database in which another role has a session', async () => {
  const url = inject('clusterUrl');
  const [role, name] = [1, 2].map(() => `t_${randomUUID().replaceAll('-', '')}`);
  await runOnce(url, `create role ${role} login createdb`);
  const login = new URL(url);
  login.username = role!;
  const databases = databasesOn(login.href);
  await databases.create(name!);
  const session = new Client({ connectionString: databaseIn(url, name!) });
  await session.connect();
  const dropped = databases.drop(name!);
  await expect(dropped).rejects.toThrow(DependencyUnavailable);
  await expect(dropped).rejects.toThrow(`The database ${name} cannot be dropped`);
  await session.end();
  await until(
    () =>
      databases.drop(name!).then(
        () => true,
        () => false,
      ),
    'the drop',
  );
  expect(await databases.names()).not.toContain(name);
  await runOnce(url, `drop role ${role}`);
});

it('sweeps all other databases where one cannot be dropped', async () => {
  const names = databaseNames('atrium', randomUUID());
  const [first, second, third] = [1, 2, 3].map((at) => names.of(`sbx_000000000000000${at}`, 1));
  const removed: string[] = [];
  const swept = sweep({
    stored: async () => [first!, second!, third!],
    removed: async (name) => {
      if (name === second) throw new DependencyUnavailable('it cannot be dropped');
      removed.push(name);
    },
    names,
    sandboxes: { look: async () => null },
    snapshots: { look: async () => null },
  });
  await expect(swept).rejects.toThrow('some databases');
  expect(removed).toEqual([first, third]);
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
