import { randomUUID } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import { actionable, databasesOn } from '../../src/hosting/databases.ts';
import { runOnce } from '../support/postgres/database.ts';

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

it('recognises an error that an operator can fix, also as the cause of another', () => {
  const full = Object.assign(new Error('No space left on device'), { code: '53100' });
  for (const error of [full, new Error('the log', { cause: full })])
    expect(actionable(error)).toMatchObject({ message: expect.stringContaining('disk') });
  const other = new Error('other');
  expect(actionable(other)).toBe(other);
});
