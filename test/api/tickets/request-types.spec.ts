/** Tickets of request types with forms, by every way in. contract.md section 5. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RequestType } from '../../../src/domain/service-desk/request-types.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';
import { testApi } from '../../support/api/api.ts';

const CONFIGURATION = '/api/service-desk/configuration';
const REQUESTS = '/api/service-desk/requests';
const NDJSON = { 'content-type': 'application/x-ndjson' };

const api = testApi();
const manager = api.as('manager@acme.test');
const agent = api.as('agent@acme.test');

const leak: RequestType = {
  requestType: 'leak',
  name: 'Leak',
  category: 'plumbing',
  priority: 'high',
  fields: [
    {
      key: 'source',
      label: 'Where does it come from?',
      kind: 'choice',
      required: true,
      options: [
        { value: 'tap', label: 'A tap' },
        { value: 'pipe', label: 'A pipe' },
      ],
    },
    { key: 'below', label: 'Which room is below?', kind: 'space' },
    { key: 'since', label: 'Since when?', kind: 'date', showIf: { key: 'source', equals: 'pipe' } },
  ],
};
const forms = configured({
  requestTypes: [leak],
  routingRules: [rule('water', { match: { category: 'plumbing' }, assignTeamId: 'plumbers' })],
});

let buildingId: string;
let otherBuildingId: string;
let room: string;
let otherRoom: string;

const roomOf = async (id: string): Promise<string> =>
  (await agent.get(`/api/v1/buildings/${id}/spaces?limit=1`)).body.items[0].id;

beforeAll(async () => {
  buildingId = await api.importBuilding();
  otherBuildingId = await api.importBuilding();
  room = await roomOf(buildingId);
  otherRoom = await roomOf(otherBuildingId);
  expect((await manager.put(CONFIGURATION, forms)).status).toBe(200);
});

const ticketOf = (formData: object, over: object = {}) => ({
  buildingId,
  description: 'Water on the floor',
  requestType: 'leak',
  formData,
  ...over,
});
const create = (formData: object, over: object = {}) =>
  agent.post(REQUESTS, ticketOf(formData, over));
const refusedAt = ({ status, body }: { status: number; body: { errors: { path: string }[] } }) => [
  status,
  ...body.errors.map(({ path }) => path),
];
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a configuration', () => {
  it('is stored with its request types', async () => {
    expect((await agent.get(CONFIGURATION)).body.requestTypes).toEqual([leak]);
  });

  it('is refused with the path of the error', async () => {
    const [field] = leak.fields;
    const requestTypes = [{ ...leak, fields: [{ ...field!, showIf: { key: 'x', equals: 1 } }] }];
    const refused = await manager.put(CONFIGURATION, { ...forms, requestTypes });
    expect(refused.body.code).toBe('VALIDATION_FAILED');
    expect(refusedAt(refused)).toEqual([400, 'requestTypes[0].fields[0].showIf.key']);
  });
});

describe('a create', () => {
  it('has the category and priority of its type by default, before rules run', async () => {
    expect((await create({ source: 'tap' })).body).toMatchObject({
      category: 'plumbing',
      priority: 'high',
      assignedTeamId: 'plumbers',
      formData: { source: 'tap' },
    });
    const said = await create({ source: 'tap' }, { category: null, priority: 'low' });
    expect(said.body).toMatchObject({ category: null, priority: 'low', assignedTeamId: null });
  });

  it('is refused by field where the form does not fit', async () => {
    expect(refusedAt(await create({}))).toEqual([400, 'formData.source']);
    const refused = await create({ source: 'sea', since: '2026-02-30', colour: 'red' });
    expect(refusedAt(refused)).toEqual([400, 'formData.colour', 'formData.source']);
    expect(refusedAt(await create({ source: 'pipe', since: '2026-02-30' }))).toEqual([
      400,
      'formData.since',
    ]);
  });

  it('names a space of the building of the ticket', async () => {
    const { status, body } = await create({ source: 'tap', below: room.toUpperCase() });
    expect([status, body.formData.below]).toEqual([201, room]);
    for (const below of [otherRoom, randomUUID(), 'lobby'])
      expect(refusedAt(await create({ source: 'tap', below }))).toEqual([400, 'formData.below']);
  });

  it('is free in its form where the request type has no entry', async () => {
    const { body } = await create({ any: [1, { thing: true }] }, { requestType: 'other' });
    expect(body).toMatchObject({ formData: { any: [1, { thing: true }] }, priority: 'medium' });
  });

  it('is the same ticket again under its key, after any change of the form', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await agent.post(REQUESTS, ticketOf({ source: 'tap' }), key);
    await manager.put(CONFIGURATION, { ...forms, requestTypes: [{ ...leak, fields: [] }] });
    const again = await agent.post(REQUESTS, ticketOf({ source: 'tap' }), key);
    await manager.put(CONFIGURATION, forms);
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
  });
});

describe('a patch', () => {
  it('is validated after the merge', async () => {
    const { id } = (await create({ source: 'pipe', since: '2026-02-28' })).body;
    const patch = (formData: object | null) => agent.patch(`${REQUESTS}/${id}`, { formData });
    expect(refusedAt(await patch({ source: null }))).toEqual([400, 'formData.source']);
    expect(refusedAt(await patch(null))).toEqual([400, 'formData.source']);
    expect(refusedAt(await patch({ below: otherRoom }))).toEqual([400, 'formData.below']);
    const { body } = await patch({ source: 'tap', below: room });
    expect(body.formData).toEqual({ source: 'tap', below: room });
  });

  it('of an old ticket is not blocked by a later form', async () => {
    const { id } = (await create({ size: 3 }, { requestType: 'flood' })).body;
    const flood = { ...leak, requestType: 'flood' };
    await manager.put(CONFIGURATION, { ...forms, requestTypes: [leak, flood] });
    const path = `${REQUESTS}/${id}`;
    expect((await agent.get(path)).body.formData).toEqual({ size: 3 });
    expect((await agent.patch(path, { priority: 'low' })).status).toBe(200);
    expect(refusedAt(await agent.patch(path, { formData: { size: 4 } }))).toEqual([
      400,
      'formData.size',
      'formData.source',
    ]);
    const { body } = await agent.patch(path, { formData: { source: 'tap' } });
    expect(body.formData).toEqual({ size: 3, source: 'tap' });
    await manager.put(CONFIGURATION, forms);
  });

  it('of many tickets is judged for each', async () => {
    const { id: formed } = (await create({ source: 'tap' })).body;
    const { id: free } = (await create({}, { requestType: 'other' })).body;
    const action = { patch: { formData: { colour: 'red' } } };
    const { body } = await agent.post(`${REQUESTS}/bulk`, { tickets: [formed, free], action });
    expect(linesOf(body)).toMatchObject([
      { id: formed, status: 'refused', code: 'VALIDATION_FAILED' },
      { id: free, status: 'done' },
      { summary: { done: 1, refused: 1 } },
    ]);
  });
});

it('an import is judged line by line', async () => {
  const lines = [{ source: 'tap' }, { source: 'sea' }, { source: 'tap', below: otherRoom }].map(
    (formData) => JSON.stringify({ importKey: randomUUID(), ...ticketOf(formData) }),
  );
  const { body } = await agent.post(`${REQUESTS}/import?routing=off`, lines.join('\n'), NDJSON);
  expect(linesOf(body)).toMatchObject([
    { status: 'created' },
    { status: 'failed', code: 'VALIDATION_FAILED', detail: expect.stringContaining('source') },
    { status: 'failed', detail: expect.stringContaining('formData.below') },
    { summary: { created: 1, exists: 0, failed: 2 } },
  ]);
});

describe('a simulation', () => {
  const simulate = (formData: object, configuration?: object) =>
    agent.post(`${CONFIGURATION}/simulate`, { ticket: ticketOf(formData), configuration });

  it('answers and refuses as the create does', async () => {
    expect((await simulate({ source: 'tap', below: room })).body.ticket).toMatchObject({
      category: 'plumbing',
      priority: 'high',
    });
    expect(refusedAt(await simulate({ source: 'tap', below: otherRoom }))).toEqual([
      400,
      'formData.below',
    ]);
  });

  it('uses the request types in its body', async () => {
    const low = configured({ requestTypes: [{ ...leak, priority: 'low', fields: [] }] });
    expect((await simulate({}, low)).body.ticket.priority).toBe('low');
    expect(refusedAt(await simulate({ source: 'tap' }, low))).toEqual([400, 'formData.source']);
  });

  it('of a changed configuration on tickets that exist asks for no form', async () => {
    const { id } = (await create({ source: 'tap' })).body;
    const configuration = configured({ requestTypes: [{ ...leak, fields: [] }] });
    const tried = async () =>
      (await agent.post(`${CONFIGURATION}/try`, { configuration })).body.items.map(
        ({ ticketId }: { ticketId: string }) => ticketId,
      );
    await expect.poll(tried).toContain(id);
  });
});
