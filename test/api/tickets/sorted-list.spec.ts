import { beforeAll, expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';

const REQUESTS = '/api/service-desk/requests';

const platform = testApi();
const agent = platform.as('agent@acme.test');
const manager = platform.as('manager@acme.test');
let buildingId: string;

interface Listed {
  id: string;
  number: string;
  priority: string;
  createdBy: { id: string };
}

beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

const raise = async (over: object = {}, by = agent): Promise<Listed> => {
  const answer = await by.post(REQUESTS, { buildingId, description: 'Cold', ...over });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const listed = async (query: string, by = agent): Promise<Listed[]> => {
  const { status, body } = await by.get(`${REQUESTS}?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.total).toBe(body.items.length);
  return body.items;
};
const numbers = async (query: string, by = agent) =>
  (await listed(query, by)).map(({ number }) => number);

it('is sorted by creation, change, due time or priority, in both directions', async () => {
  const category = 'in an order';
  const low = await raise({ category, priority: 'low' });
  const critical = await raise({ category, priority: 'critical' });
  const cancelled = await raise({ category, priority: 'medium' });
  await agent.post(`${REQUESTS}/${cancelled.id}/transition`, { state: 'cancelled' });
  await agent.post(`${REQUESTS}/${low.id}/updates`, { body: 'Still cold' });
  const by = (sort: string) => numbers(`category=${encodeURIComponent(category)}&sort=${sort}`);
  const [one, two, three] = [low.number, critical.number, cancelled.number];

  expect(await numbers(`category=${encodeURIComponent(category)}`)).toEqual([three, two, one]);
  expect(await by('-createdAt')).toEqual([three, two, one]);
  expect(await by('createdAt')).toEqual([one, two, three]);
  expect(await by('-updatedAt')).toEqual([one, three, two]);
  expect(await by('updatedAt')).toEqual([two, three, one]);
  expect(await by('dueAt')).toEqual([two, one, three]);
  expect(await by('-dueAt')).toEqual([one, two, three]);
  expect(await by('priority')).toEqual([one, three, two]);
  expect(await by('-priority')).toEqual([two, three, one]);
  expect((await agent.get(`${REQUESTS}?sort=number`)).status).toBe(400);
});

it('has the tickets of a reporter, and those of the caller', async () => {
  const category = 'of somebody';
  const mine = await raise({ category });
  const other = await raise({ category }, manager);
  const of = (filter: string, by = agent) => numbers(`category=of+somebody&${filter}`, by);
  expect(await of(`reporterUserId=${mine.createdBy.id}`)).toEqual([mine.number]);
  expect(await of(`reporterUserId=${other.createdBy.id}`)).toEqual([other.number]);

  await agent.post(`${REQUESTS}/${other.id}/assign`, { assignedUserId: mine.createdBy.id });
  expect(await of('assigned=me')).toEqual([other.number]);
  expect(await of('assigned=me', manager)).toEqual([]);
  expect(await of(`assigned=me&assignedUserId=${mine.createdBy.id}`)).toEqual([other.number]);
  const refused = await agent.get(`${REQUESTS}?assigned=me&assignedUserId=somebody`);
  expect(refused).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_FAILED', errors: [{ path: 'assigned' }] },
  });
});

it('has the one ticket of a number, however it is written, in the own organisation', async () => {
  const { number } = await raise();
  const digits = Number(number.slice('SR-'.length));
  for (const written of [number, `SR-${digits}`, `sr-0${digits}`])
    expect(await numbers(`number=${written}`)).toEqual([number]);
  expect(await numbers('number=SR-999999999')).toEqual([]);
  expect((await agent.get(`${REQUESTS}?number=10`)).status).toBe(400);

  const abroad = platform.as('agent@globex.test');
  const foreign = await platform.importBuilding('manager@globex.test');
  const theirs = await raise({ buildingId: foreign }, abroad);
  expect(theirs.number).toBe('SR-000001');
  const [found] = await listed('number=SR-1', abroad);
  expect(found!.id).toBe(theirs.id);
});
