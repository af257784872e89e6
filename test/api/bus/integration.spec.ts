import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { demoBuilding } from '../../../src/demo/building.ts';
import { testApi } from '../../support/api/api.ts';
import { bridgeOf } from '../../support/api/bridge.ts';
import type { Caller } from '../../support/api/caller.ts';
import { sent, subjectOf } from '../../support/domain/work-order-events.ts';

const EVENTS = '/api/v1/bus/events';
const PARKED = '/api/v1/bus/parked';

const platform = testApi();
const operator = platform.as('operator@atrium.test');

const importedBy = async (email: string): Promise<string> =>
  (await platform.as(email).post('/api/v1/buildings/import', demoBuilding())).body.buildingId;

let acme: { readonly bridge: Caller; readonly buildingId: string };
let globex: typeof acme;

beforeAll(async () => {
  acme = {
    bridge: await bridgeOf(platform, 'acme'),
    buildingId: await importedBy('manager@acme.test'),
  };
  globex = {
    bridge: await bridgeOf(platform, 'globex'),
    buildingId: await importedBy('manager@globex.test'),
  };
});

const publish = (bridge: Caller, buildingId: string) => {
  const data = sent(buildingId, { workOrderId: randomUUID(), ticketId: randomUUID() });
  return bridge.post(EVENTS, { subject: subjectOf('created', buildingId), data });
};

it('publishes for buildings of its organisation, and another’s is a 404', async () => {
  expect((await publish(acme.bridge, acme.buildingId)).status).toBe(202);
  for (const buildingId of [globex.buildingId, randomUUID()]) {
    const { status, body } = await publish(acme.bridge, buildingId);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  }
});

it.each([EVENTS, PARKED])('reads from %s only the events of its own buildings', async (path) => {
  await publish(acme.bridge, acme.buildingId);
  await publish(globex.bridge, globex.buildingId);
  const buildings = async (caller: Caller, query = '') => {
    const { items } = (await caller.get(`${path}?limit=100${query}`)).body;
    const about = (item: { subject?: string; buildingId?: string }) =>
      item.buildingId ?? item.subject!.split('.')[2]!;
    return [...new Set<string>(items.map(about))].toSorted();
  };
  const both = [acme.buildingId, globex.buildingId].toSorted();
  await expect.poll(() => buildings(operator)).toEqual(both);
  expect(await buildings(acme.bridge)).toEqual([acme.buildingId]);
  expect(await buildings(globex.bridge)).toEqual([globex.buildingId]);
  expect(await buildings(operator, `&buildingId=${globex.buildingId}`)).toEqual([
    globex.buildingId,
  ]);
  const others = await acme.bridge.get(`${path}?buildingId=${globex.buildingId}`);
  expect([others.status, others.body.code]).toEqual([404, 'NOT_FOUND']);
});

it('may mirror tickets and write', async () => {
  const { bridge, buildingId } = acme;
  const ticket = { buildingId, description: 'x' };
  expect((await bridge.post('/api/service-desk/requests', ticket)).status).toBe(201);
  expect((await platform.as('agent@acme.test').get(EVENTS)).status).toBe(403);
});

it('mints and revokes no key and reads no audit: those need a person', async () => {
  const { bridge } = acme;
  const answers = [
    await bridge.post('/api/v1/keys', { label: 'x' }),
    await bridge.delete(`/api/v1/keys/${'0'.repeat(22)}`),
    await bridge.get('/api/v1/keys/audit'),
  ];
  for (const { status, body } of answers)
    expect([status, body.code]).toEqual([403, 'PERSON_REQUIRED']);
});
