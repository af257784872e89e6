/** How this release starts and reports where a newer one has run. docs/operating/releases.md. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Pool } from 'pg';
import { configOf } from '../../src/config/config.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { codecOf, type EventType } from '../../src/engine/log/codec.ts';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';
import { writtenVersions } from '../../src/engine/log/written-versions.ts';
import { NewerDatabase } from '../../src/engine/postgres/migrate.ts';
import { isBefore, newestRelease, noteRelease } from '../../src/engine/postgres/release-history.ts';
import { untraced } from '../../src/engine/observe/tracing.ts';
import { release } from '../../src/compose.ts';
import { openAdapters } from '../../src/operator/adapters.ts';
import { examine } from '../../src/operator/doctor/doctor.ts';
import { unreadEventsLine } from '../../src/operator/newer-release.ts';
import { messageForOperator } from '../../src/operator/operator-error.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase, type TestDatabase } from '../support/postgres/database.ts';
import { poolOf } from '../support/postgres/pool.ts';
import manifest from '../../package.json' with { type: 'json' };

const AT = '2026-11-26T08:00:00.000Z';
let database: TestDatabase;
let pool: Pool;
let env: Record<string, string>;

beforeEach(async () => {
  database = await freshDatabase();
  pool = poolOf(database.url);
  env = { DATABASE_URL: database.url, ATRIUM_DATA: temporaryDirectory('newer'), PORT: '0' };
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const noteNewer = (backTo: string) =>
  noteRelease(pool, { version: '99.1.0', commit: null, backTo }, AT);
const started = () => openAdapters(configOf(env), database.url, loggerOf('silent'), untraced);
const examined = async (name: string) =>
  (await examine(env, { withinMs: 60_000 })).find((check) => check.name === name);

it('records each started release once', async () => {
  for (let time = 0; time < 2; time += 1) await (await started()).close();
  const { rows } = await pool.query('select version, back_to from migration.release');
  expect(rows).toEqual([{ version: manifest.version, back_to: expect.any(String) }]);
  expect(await newestRelease(pool)).toMatchObject({ version: manifest.version });
});

it('does not start where a rollback is impossible, reports why, and changes no data', async () => {
  await noteNewer('99.0.0');
  await pool.query(`delete from migration.kysely_migration where name = '0028-releases'`);
  const error: unknown = await started().catch((refused: unknown) => refused);
  expect(error).toBeInstanceOf(NewerDatabase);
  expect(messageForOperator(error)).toBe(
    'NEWER_DATABASE: release 99.1.0 has run on this database and this release cannot go on ' +
      `(this is ${manifest.version}; one can go back to 99.0.0): start release 99.1.0 again, or ` +
      'restore a backup from before it',
  );
  const { rows } = await pool.query(
    `select name from migration.kysely_migration where name = '0028-releases'`,
  );
  expect(rows).toEqual([]);
  expect(await examined('schema')).toMatchObject({
    status: 'failed',
    detail: messageForOperator(error),
  });
});

it('starts where a newer release permits the rollback to it', async () => {
  await noteNewer(manifest.version);
  await (await started()).close();
  expect(await examined('schema')).toMatchObject({ status: 'ok' });
});

it('reports which events it cannot read once a newer release has raised them', async () => {
  const log = postgresEventStore({ url: database.url, logger: loggerOf('silent') });
  try {
    const versions = writtenVersions(log, release.eventTypes);
    expect(await unreadEventsLine(versions, pool)).toBe(null);
    const known = release.eventTypes.get('TicketOpened')!;
    const newer: EventType = {
      schema: known.schema,
      version: 7,
      writtenBefore: { version: 6, data: (data) => data },
    };
    const { types } = codecOf({ TicketOpened: newer });
    await writtenVersions(log, types).raise({ kind: 'system', id: 'test' }, AT);
    await noteNewer(manifest.version);
    const line = await unreadEventsLine(versions, pool);
    expect(line).toMatch(
      /^NEWER_RELEASE_NEEDED: release 99\.1\.0 writes TicketOpened 7 .*restore a backup/,
    );
    expect(line).not.toContain('\n');
    expect(await examined('same log')).toMatchObject({ status: 'failed', detail: line });
  } finally {
    await log.close();
  }
});

it.each([
  ['0.1.0', '0.2.0', true],
  ['0.9.0', '0.10.0', true],
  ['0.2.0', '0.2.0', false],
  ['1.0.0', '0.9.9', false],
])('%s before %s: %s', (one, other, answer) => expect(isBefore(one, other)).toBe(answer));
