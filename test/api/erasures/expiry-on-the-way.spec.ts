/** contract.md sections 10 and 11: personal data expires at its time while a clock is advanced. */
import { expect, it } from 'vitest';
import { virtualClock } from '../../../src/engine/time/clock.ts';
import { testApi } from '../../support/api/api.ts';

const TICKETS = '/api/service-desk/requests';
const clock = virtualClock({ now: () => '2026-03-31T12:00:00.000Z' });
const api = testApi(() => ({ clock, timeTravel: true }));
const manager = api.as('manager@acme.test');
const advance = async (by: string) => {
  const moved = await api.as('operator@atrium.test').post('/api/v1/clock', { advance: by });
  expect(moved.status, JSON.stringify(moved.body)).toBe(200);
};
const closedTicket = async (buildingId: string) => {
  const draft = { buildingId, description: 'Ada called', reporterName: 'Ada' };
  const { body } = await manager.post(TICKETS, draft);
  const { status } = await manager.post(`${TICKETS}/${body.id}/transition`, { state: 'cancelled' });
  expect(status).toBe(200);
  return `${TICKETS}/${body.id}`;
};

it('expires at its own time before the answer, once, and not before', async () => {
  const configuration = { slaPolicies: [], calendars: {}, routingRules: [], workflows: [] };
  const path = '/api/service-desk/configuration';
  await manager.put(path, { ...configuration, personalDataMonths: 1 });
  const buildingId = await api.importBuilding();
  const early = await closedTicket(buildingId);
  await advance('P10D');
  const late = await closedTicket(buildingId);

  // The 30th of April is not a month after the 31st of March.
  await advance('P20DT11H');
  expect((await manager.get(early)).body).toMatchObject({ reporterErased: false });
  await advance('P3D');
  expect((await manager.get(early)).body).toMatchObject({ reporterErased: true });
  expect((await manager.get(late)).body).toMatchObject({ reporterErased: false });
  const { items } = (await manager.get('/api/service-desk/changes?limit=200')).body;
  const erasures = items.filter(({ change }: { change: string }) => change === 'erasure');
  expect(erasures.map(({ at }: { at: string }) => at)).toEqual(['2026-05-01T00:00:00.000Z']);
  await advance('P30D');
  expect((await manager.get(late)).body).toMatchObject({ reporterErased: true });
});
