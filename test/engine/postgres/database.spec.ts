import { Client } from 'pg';
import { expect, it } from 'vitest';
import { freshDatabase } from '../../support/postgres/database.ts';

it('creates a separate database for each test file', async () => {
  const { url, drop } = await freshDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select current_database() as name');
  expect(rows[0].name).toMatch(/^t_/);
  await client.end();
  await drop();
});
