/** Output of operator commands: standard output has only the requested result. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshLog, type FreshLog } from '../support/log/fresh-log.ts';
import { freshDatabase, runOnce } from '../support/postgres/database.ts';
import { runAtrium } from '../support/servers/cli.ts';

let own: FreshLog;
beforeAll(async () => {
  own = await freshLog();
});
afterAll(() => own.drop());

const logLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{"level":'))
    .map((line) => (JSON.parse(line) as { msg: string }).msg);

it('keeps log lines out of the output of --json', async () => {
  const env = { DATABASE_URL: own.url, LOG_LEVEL: 'info' };
  const words = ['projections', 'verify', 'ticket-list', '--json'];
  const { code, out, err } = await runAtrium(env, ...words);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ kind: 'verify', state: 'done' });
  expect(logLines(err)).toContain('a request is carried out');
});

it('keeps log lines out of the token that `keys mint` prints', async () => {
  const clerk = `clerk_${randomUUID().slice(0, 8)}`;
  const admin = new Client({ connectionString: own.url });
  await admin.connect();
  try {
    await admin.query(`create role ${clerk} login`);
    // It has the rights of the log's role but may not assume it, which is logged.
    await admin.query(`grant atrium_log to ${clerk} with inherit true, set false`);
    // A command compares the log with the rest of the database before it writes to it.
    const { rows: schemas } = await admin.query<{ name: string }>(
      `select nspname as name from pg_namespace
       where nspname !~ '^pg_' and nspname not in ('information_schema', 'es')`,
    );
    for (const { name } of schemas) {
      await admin.query(`grant all on schema "${name}" to ${clerk}`);
      await admin.query(`grant all on all tables in schema "${name}" to ${clerk}`);
    }
    const url = new URL(own.url);
    url.username = clerk;
    const words = ['keys', 'mint', '--organisation', 'acme', '--label', 'ops'];
    const { code, out, err } = await runAtrium(
      { DATABASE_URL: url.href, LOG_LEVEL: 'info' },
      ...words,
    );
    expect([code, out]).toEqual([0, expect.stringMatching(/^atr_\w{22}_\w{49}\n$/)]);
    expect(logLines(err).length).toBeGreaterThan(0);
  } finally {
    await admin.query(`drop owned by ${clerk}`);
    await admin.query(`drop role ${clerk}`);
    await admin.end();
  }
});

it.each([
  ['keys', 'mint', '--organisation', 'acme', '--label', 'ops'],
  ['audit', 'verify'],
  ['projections', 'status'],
  ['log', 'adopt'],
  ['events', 'tail'],
  ['events', 'import', fileURLToPath(import.meta.url)],
])('reports in one line which database is unavailable: %s %s', async (...words) => {
  const env = { DATABASE_URL: 'postgres://nobody:hidden@localhost:1/x' };
  const { code, out, err } = await runAtrium(env, ...words);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(
    /^atrium: (the event log cannot be opened: )?postgres:\/\/localhost:1\/x: .*ECONNREFUSED.*\n$/,
  );
  expect(err).not.toContain('hidden');
});

describe('on a read-only database, as after a failover to its standby', () => {
  let env: { readonly DATABASE_URL: string };
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const { url, ...database } = await freshDatabase();
    const name = new URL(url).pathname.slice(1);
    await runOnce(url, `alter database ${name} set default_transaction_read_only = on`);
    [env, drop] = [{ DATABASE_URL: url }, database.drop];
  });
  afterAll(() => drop());

  it.each([
    ['projections', 'status'],
    ['projections', 'parked'],
  ])('still reads: %s %s', async (...words) =>
    expect(await runAtrium(env, ...words)).toMatchObject({ code: 0, err: '' }),
  );

  it.each([
    ['projections', 'rebuild', 'ticket-list'],
    ['releases', 'raise'],
    ['keys', 'mint', '--organisation', 'acme', '--label', 'ops'],
  ])('reports in one line that it cannot write: %s %s', async (...words) => {
    const { code, err } = await runAtrium(env, ...words);
    expect(code).toBe(1);
    expect(err).toMatch(/^atrium: .*cannot execute \w+ in a read-only transaction\n$/);
  });
});
