/** An erased person stays erased when older copies are restored. contract.md section 11. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { postgresEventStore } from '../../../src/engine/log/postgres/store.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { erasableKeysIn } from '../../../src/engine/personal/person-keys.ts';
import { directoryStores } from '../../../src/files/directory-store.ts';
import type { FileStore } from '../../../src/files/file-store.ts';
import { erasuresFinding } from '../../../src/operator/doctor/erasures.ts';
import { acceptCopy, restore } from '../../../src/operator/log/restore.ts';
import { restorePlan, type PlanParts } from '../../../src/operator/log/restore-plan.ts';
import { accountsIn } from '../../../src/projections/erasures/accounts.ts';
import { eraseAgain } from '../../../src/use-cases/erasures/erase-again.ts';
import { erasureListIn } from '../../../src/use-cases/erasures/erasure-list.ts';
import { erasuresIn } from '../../../src/use-cases/erasures/erasures.ts';
import { testPlatform, type TestPlatform } from '../../support/api/platform.ts';
import { changeEntry, listedFiles, listedIn, unexpected } from '../../support/erasure-list.ts';
import { temporaryFiles } from '../../support/files.ts';
import { until } from '../../support/until.ts';
import { freshDatabase, runOnce, type TestDatabase } from '../../support/postgres/database.ts';
import { runAtrium } from '../../support/servers/cli.ts';
import { demoBuilding } from '../../../src/demo/building.ts';

const TICKETS = '/api/service-desk/requests';
const ERASURES = '/api/v1/erasures';
const directory = temporaryFiles();
let database: TestDatabase;
let db: Database;
let log: EventStore;
let files: FileStore;

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, logger: loggerOf('silent') });
  log = postgresEventStore({ url: database.url });
  files = directoryStores(directory.path('files')).of('erasures');
});
afterAll(async () => {
  await log.close();
  await db.close();
  await database.drop();
});

const started = (erasureFiles = files): Promise<TestPlatform> =>
  testPlatform({ databaseUrl: database.url, erasureFiles, personKeysTrustedMs: 0 });

const LOG = ['es.event', 'es.watermark', 'es.closing'];
const ROWS = ['personal.keys', 'people.sign_ins'];
const copyOf = (table: string) => `public.${table.replace('.', '_')}`;
const copied = () =>
  runOnce(
    database.url,
    [...LOG, ...ROWS].map((table) => `create table ${copyOf(table)} as table ${table}`).join(';'),
  );
const putBack = (tables: readonly string[]) =>
  runOnce(
    database.url,
    tables
      .map((table) => `truncate ${table}; insert into ${table} table ${copyOf(table)}`)
      .join(';'),
  );

const parts = (): PlanParts => ({
  log,
  pool: db.pool,
  isLogInDatabase: true,
  erasureList: erasureListIn(files),
  onUnreadableErasure: unexpected,
});
const keysOf = async (userId: string): Promise<number> => {
  const { rows } = await db.pool.query('select from personal.keys where subject = $1', [
    `user:${userId}`,
  ]);
  return rows.length;
};
const signInsOf = async (userId: string): Promise<number> => {
  const { rows } = await db.pool.query('select from people.sign_ins where user_id = $1', [userId]);
  return rows.length;
};
const requestsOf = async (erasureId: string): Promise<number> =>
  (await log.readStream(`erasure-${erasureId}`)).filter(({ type }) => type === 'ErasureRequested')
    .length;

let ticketId: string;
let userId: string;
let erasureId: string;

const finished = (platform: TestPlatform) =>
  until(
    async () =>
      (await platform.as('manager@acme.test').get(`${ERASURES}/${erasureId}`)).body.status ===
      'finished',
    'the erasure is finished',
  );

const isErased = async (platform: TestPlatform) => {
  await finished(platform);
  const shown = await platform.as('manager@acme.test').get(`${TICKETS}/${ticketId}`);
  expect(shown.body).toMatchObject({
    description: '(erased)',
    createdBy: { id: 'erased', erased: true },
  });
  const types = (await log.readStream(`ticket-${ticketId}`)).map(({ type }) => type);
  expect(types).toContain('TicketPersonalDataErased');
  expect(await keysOf(userId)).toBe(0);
  expect(await signInsOf(userId)).toBe(0);
};

it('is listed before the erasure is finished, by random ids only', async () => {
  const platform = await started();
  const manager = platform.as('manager@acme.test');
  const imported = await manager.post('/api/v1/buildings/import', demoBuilding());
  const { buildingId } = imported.body;
  const body = { buildingId, description: 'Zyxwvut wrote it' };
  const raised = await platform.as('agent@acme.test').post(TICKETS, body);
  ticketId = raised.body.id;
  userId = raised.body.createdBy.id;
  await until(async () => (await signInsOf(userId)) === 1, 'the sign-in is stored');
  await copied();
  expect(await keysOf(userId)).toBeGreaterThan(0);

  const asked = await manager.post(ERASURES, {
    subject: { userId },
    texts: 'erase',
    reason: 'Asked for on 1 May.',
  });
  ({ erasureId } = asked.body);
  await isErased(platform);
  await platform.close();

  const entries = await listedIn(files);
  expect(entries).toMatchObject([{ erasureId, organisation: 'acme', texts: 'erase' }]);
  expect(JSON.stringify(entries)).not.toMatch(/zyxwvut|agent|1 May/i);
  expect(JSON.stringify(entries)).not.toContain(userId);
});

it('is erased again where the log and the database are from before the erasure', async () => {
  await putBack([...LOG, ...ROWS]);
  const plan = await restorePlan({ ...parts(), name: 'older' });
  expect(plan.erasures).toBe(1);
  expect(await requestsOf(erasureId)).toBe(0);
  await restore(parts(), plan);
  expect(await keysOf(userId)).toBe(0);
  expect(await signInsOf(userId)).toBe(0);

  const platform = await started();
  await isErased(platform);
  await platform.close();
  expect(await requestsOf(erasureId)).toBe(1);
  expect((await restorePlan({ ...parts(), name: 'another' })).erasures).toBe(0);
});

it('is erased again, once, where only the database is from before the erasure', async () => {
  await putBack(ROWS);
  expect(await keysOf(userId)).toBeGreaterThan(0);
  await acceptCopy(parts());
  await acceptCopy(parts());
  expect(await keysOf(userId)).toBe(0);
  expect(await requestsOf(erasureId)).toBe(2);

  const platform = await started();
  await isErased(platform);
  await platform.close();
});

it('is erased by a repeated command after a kill at any step', async () => {
  const keys = erasableKeysIn(db.pool);
  const accounts = accountsIn(db.pool);
  const killed = async () => {
    throw new Error('killed');
  };
  const again = (over: object) =>
    eraseAgain({
      list: erasureListIn(files),
      onUnreadable: unexpected,
      erasures: erasuresIn(log),
      keys,
      accounts,
      now: () => '2026-01-01T00:00:00.000Z',
      ...over,
    });
  await putBack(ROWS);
  const before = await requestsOf(erasureId);
  await expect(again({ accounts: { erase: killed } })).rejects.toThrow('killed');
  await expect(again({ keys: { ...keys, destroy: killed } })).rejects.toThrow('killed');
  expect(await keysOf(userId)).toBeGreaterThan(0);
  expect(await again({})).toBe(0);
  expect(await keysOf(userId)).toBe(0);
  expect(await signInsOf(userId)).toBe(0);
  expect(await requestsOf(erasureId)).toBe(before + 1);
});

it('is named by the command where its entry cannot be read, after all others', async () => {
  const env = {
    DATABASE_URL: database.url,
    FILES_URL: directory.path('files'),
    ATRIUM_DATA: directory.path('data'),
  };
  await putBack([...LOG, ...ROWS]);
  await runOnce(database.url, 'truncate personal.listed_erasures, personal.destroyed');
  const [path = ''] = listedFiles(directory.path('files'));
  const intact = readFileSync(path);
  changeEntry(path, '"erase"', '"keep"');
  const name = path.split('/').slice(-3).join('/');
  const named = { code: 1, err: expect.stringContaining(`erasures/${name} is no erasure`) };
  const words = ['log', 'restored', '--name', 'damaged'] as const;
  expect(await runAtrium(env, ...words, '--dry-run')).toMatchObject(named);
  expect(await runAtrium(env, ...words)).toMatchObject({
    ...named,
    out: expect.stringContaining('done: start the servers'),
  });
  expect(await runAtrium(env, ...words)).toMatchObject({
    ...named,
    out: expect.stringContaining('carried out already'),
  });
  expect(await keysOf(userId)).toBeGreaterThan(0);
  expect(await erasuresFinding(db.pool, erasureListIn(files))).toEqual({
    status: 'failed',
    detail: expect.stringContaining(`1 of 1 cannot be carried out: erasures/${name}`),
  });

  // A server does not regard it as carried out.
  let compared = 0;
  const counted: FileStore = {
    ...files,
    async *stored(after) {
      yield* files.stored(after);
      compared += 1;
    },
  };
  const before = await started(counted);
  await until(() => compared > 0, 'the list is compared');
  await before.close();
  expect(await keysOf(userId)).toBeGreaterThan(0);
  writeFileSync(path, intact);
  const after = await started();
  await isErased(after);
  await after.close();
  expect(await erasuresFinding(db.pool, erasureListIn(files))).toMatchObject({ status: 'ok' });
});
