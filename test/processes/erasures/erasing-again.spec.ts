/** A list of erasures that outlasts copies put back by hand. contract.md section 11. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoBuilding } from '../../../src/demo/building.ts';
import { directoryStores } from '../../../src/files/directory-store.ts';
import { FilesUnavailable, type FileStore } from '../../../src/files/file-store.ts';
import { testPlatform, type TestPlatform } from '../../support/api/platform.ts';
import { temporaryFiles } from '../../support/files.ts';
import {
  copyOfDatabase,
  freshDatabase,
  type TestDatabase,
} from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { until } from '../../support/until.ts';

const TICKETS = '/api/service-desk/requests';
const ERASURES = '/api/v1/erasures';
const EMAIL = 'zyx.tenant@example.com';
const directory = temporaryFiles();
let files: FileStore;
let received = 0;
const back = Promise.withResolvers<void>();
/** Unavailable at first, then slow, then recovered. */
const ailing = (store: FileStore): FileStore => ({
  ...store,
  async receive(chunks) {
    received += 1;
    if (received === 1) throw new FilesUnavailable('the volume is away');
    await back.promise;
    return store.receive(chunks);
  },
});

let database: TestDatabase;
let copy: TestDatabase;
let ticketId: string;
let erasureId: string;

beforeAll(async () => {
  files = ailing(directoryStores(directory.path('files')).of('erasures'));
  database = await freshDatabase();
  const platform = await started(database);
  const manager = platform.as('manager@acme.test');
  const { buildingId } = (await manager.post('/api/v1/buildings/import', demoBuilding())).body;
  const raised = await manager.post(TICKETS, {
    buildingId,
    description: 'It is cold',
    reporterName: 'Zyx Tenant',
    reporterEmail: EMAIL,
  });
  expect(raised.status).toBe(201);
  ticketId = raised.body.id;
  await platform.close();
  copy = await copyOfDatabase(database.url);
});
afterAll(async () => {
  await copy.drop();
  await database.drop();
});

const started = ({ url }: TestDatabase): Promise<TestPlatform> =>
  testPlatform({ databaseUrl: url, erasureFiles: files, personKeysTrustedMs: 0 });

const rowsIn = async ({ url }: TestDatabase, query: string): Promise<number> => {
  const pool = poolOf(url);
  const { rows } = await pool.query(query);
  await pool.end();
  return rows.length;
};
const keysIn = (one: TestDatabase) =>
  rowsIn(one, `select from personal.keys where subject = 'email:${EMAIL}'`);
const carriedOutIn = (one: TestDatabase) => rowsIn(one, 'select from personal.listed_erasures');

const shown = async (platform: TestPlatform) =>
  (await platform.as('manager@acme.test').get(`${TICKETS}/${ticketId}`)).body;
const erasureIn = async (platform: TestPlatform) =>
  (await platform.as('manager@acme.test').get(`${ERASURES}/${erasureId}`)).body;
const finishedIn = (platform: TestPlatform) =>
  until(async () => (await erasureIn(platform)).status === 'finished', 'the erasure is finished');

it('is written before a key is destroyed, however slow the store is', async () => {
  const platform = await started(database);
  const asked = await platform.as('manager@acme.test').post(ERASURES, {
    subject: { email: EMAIL },
    texts: 'erase',
    reason: 'Asked for on 1 May.',
  });
  expect(asked.status).toBe(202);
  ({ erasureId } = asked.body);
  await until(() => received > 1, 'the erasure is to be listed, again');
  expect(await keysIn(database)).toBeGreaterThan(0);
  expect((await shown(platform)).reporterName).toBe('Zyx Tenant');

  const listedAt = Date.now();
  back.resolve();
  await finishedIn(platform);
  expect(await keysIn(database)).toBe(0);
  const { finishedAt } = await erasureIn(platform);
  expect(Date.parse(finishedAt)).toBeGreaterThanOrEqual(listedAt);
  await platform.close();
});

it('is carried out in a database that was put back by hand, once it is served', async () => {
  expect(await keysIn(copy)).toBeGreaterThan(0);
  const platform = await started(copy);
  await finishedIn(platform);
  expect(await shown(platform)).toMatchObject({ reporterErased: true, reporterName: null });
  expect(await keysIn(copy)).toBe(0);
  await until(async () => (await carriedOutIn(copy)) === 1, 'it is noted');
  await platform.close();
});

it('is carried out again where a copy of the key table is loaded', async () => {
  const loading = poolOf(copy.url);
  await loading.query(
    `insert into personal.keys (key_id, organisation, subject, purpose, wrapped, created_at)
     select key_id, 'acme', $1, 'identity', 'x.y.z', now() from personal.destroyed limit 1`,
    [`email:${EMAIL}`],
  );
  await loading.end();
  expect(await keysIn(copy)).toBe(1);
  const platform = await started(copy);
  await until(async () => (await keysIn(copy)) === 0, 'the key is destroyed again');
  await until(async () => (await carriedOutIn(copy)) === 1, 'the list is carried out again');
  await platform.close();
});

it('is read once in each database', async () => {
  const read: unknown[] = [];
  let compared = 0;
  const counted: FileStore = {
    ...files,
    open: (file, range) => (read.push(file), files.open(file, range)),
    async *stored(after) {
      yield* files.stored(after);
      compared += 1;
    },
  };
  const platform = await testPlatform({ databaseUrl: copy.url, erasureFiles: counted });
  await until(() => compared > 0, 'the list is compared');
  expect(read).toEqual([]);
  await platform.close();
});
