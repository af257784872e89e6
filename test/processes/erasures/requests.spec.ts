/** Several requests of one erasure, and tickets that cannot be read. contract.md section 11. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoBuilding } from '../../../src/demo/building.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { personKeysIn } from '../../../src/engine/personal/person-keys.ts';
import { secretsOf } from '../../../src/engine/secrets/secrets.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { directoryStores } from '../../../src/files/directory-store.ts';
import { FilesUnavailable, type FileStore } from '../../../src/files/file-store.ts';
import { ERASED_TICKETS_AT_ONCE } from '../../../src/processes/erasures/limits.ts';
import { erasuresIn, requestErasure } from '../../../src/use-cases/erasures/erasures.ts';
import { testPlatform, type TestPlatform } from '../../support/api/platform.ts';
import { listedIn } from '../../support/erasure-list.ts';
import { temporaryFiles } from '../../support/files.ts';
import { addUnreadableNote } from '../../support/log/unreadable.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { until } from '../../support/until.ts';

const TICKETS = '/api/service-desk/requests';
const ERASURES = '/api/v1/erasures';
const directory = temporaryFiles();
let files: FileStore;
let isAway = false;
let failed = 0;
let platform: TestPlatform;
let buildingId: string;

beforeAll(async () => {
  files = directoryStores(directory.path('files')).of('erasures');
  const erasureFiles: FileStore = {
    ...files,
    async receive(chunks) {
      if (isAway) failed += 1;
      if (isAway) throw new FilesUnavailable('the volume is away');
      return files.receive(chunks);
    },
  };
  platform = await testPlatform({ erasureFiles, personKeysTrustedMs: 0 });
  const manager = platform.as('manager@acme.test');
  ({ buildingId } = (await manager.post('/api/v1/buildings/import', demoBuilding())).body);
});
afterAll(() => platform.close());

const raisedFor = async (reporterEmail: string): Promise<string> => {
  const ticket = { buildingId, description: `It is cold, ${reporterEmail}`, reporterEmail };
  const raised = await platform.as('agent@acme.test').post(TICKETS, ticket);
  expect(raised.status).toBe(201);
  return raised.body.id;
};
const erase = async (email: string, texts: 'keep' | 'erase') => {
  const body = { subject: { email }, texts, reason: 'Asked for on 1 May.' };
  const asked = await platform.as('manager@acme.test').post(ERASURES, body);
  expect(asked.status).toBe(202);
  return asked.body.erasureId as string;
};
const shown = async (path: string) => (await platform.as('manager@acme.test').get(path)).body;
const listed = async () => (await listedIn(files)).map(({ texts }) => texts).toSorted();

it('carries out each of two requests, the second of which came before the end', async () => {
  const email = 'both@example.com';
  const ticketId = await raisedFor(email);
  isAway = true;
  const erasureId = await erase(email, 'keep');
  await until(() => failed > 0, 'the first is under way, and tried again');
  expect(await erase(email, 'erase')).toBe(erasureId);
  isAway = false;
  await until(
    async () => (await shown(`${ERASURES}/${erasureId}`)).status === 'finished',
    'the erasure is finished',
  );
  expect(await listed()).toEqual(['erase', 'keep']);
  expect(await shown(`${ERASURES}/${erasureId}`)).toMatchObject({ texts: 'erase' });
  const ticket = await shown(`${TICKETS}/${ticketId}`);
  expect(ticket).toMatchObject({ reporterErased: true });
  const pool = poolOf(platform.databaseUrl);
  const { rows } = await pool.query('select from personal.keys where subject = $1', [
    `email:${email}`,
  ]);
  await pool.end();
  expect(rows).toEqual([]);
  expect(await shown(`${ERASURES}/${erasureId}`)).toMatchObject({ found: { tickets: 1 } });
});

it('with an unreadable ticket erases all other tickets, and does not finish', async () => {
  const email = 'unreadable@example.com';
  const ids: string[] = [];
  // More than one batch.
  while (ids.length <= ERASED_TICKETS_AT_ONCE) ids.push(await raisedFor(email));
  const [broken = ''] = ids.toSorted();
  await addUnreadableNote(platform.log, broken);
  const erasureId = await erase(email, 'erase');
  const isErased = async (id: string) => (await shown(`${TICKETS}/${id}`)).reporterErased === true;
  for (const id of ids)
    if (id !== broken) await until(() => isErased(id), 'a ticket that can be read is erased');
  expect(await shown(`${ERASURES}/${erasureId}`)).toMatchObject({ status: 'running' });
});

it('names the account again though another process has just destroyed its keys', async () => {
  const pool = poolOf(platform.databaseUrl);
  const secrets = secretsOf([randomBytes(32)]);
  const process = () => personKeysIn({ pool, secrets, clock: systemClock });
  const log = memoryEventStore();
  const request = requestErasure({
    erasures: erasuresIn(log),
    keys: process(),
    accounts: { of: async () => ({ rows: 2, sessions: 1 }), erase: async () => {} },
    secrets,
    claim: async () => null,
    isWrittenSealed: async () => true,
    directoryOf: async () => undefined,
  });
  const requested = async () => {
    const asked = { organisation: 'acme', subject: { userId: 'back' }, texts: 'keep' as const };
    const occasion = { at: systemClock.now(), by: MANAGER, origin: 'api' as const };
    const { view } = await request({ ...asked, reason: 'Letter' }, occasion, {
      commandId: randomUUID(),
    });
    return view.identityKeys;
  };
  const first = await requested();
  expect(first).toHaveLength(1);
  await process().destroy(first);
  const held = await process().held(await requested());
  expect(held.map(({ subject }) => subject)).toEqual(['user:back']);
  await pool.end();
});

const MANAGER = { kind: 'user', id: 'manager' } as const;
