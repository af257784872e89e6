/** Requesters and their own tickets. contract.md section 5. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RequestType } from '../../../src/domain/service-desk/request-types.ts';
import { testApi } from '../../support/api/api.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';

const CONFIGURATION = '/api/service-desk/configuration';
const REQUESTS = '/api/service-desk/requests';

const api = testApi();
const manager = api.as('manager@acme.test');
const agent = api.as('agent@acme.test');
const requester = api.as('requester@acme.test');
const other = api.as('requester2@acme.test');
const stranger = api.as('requester@globex.test');

const type = (parts: Partial<RequestType>): RequestType => ({
  requestType: 'leak',
  name: 'Leak',
  fields: [],
  ...parts,
});
const requestTypes = [
  type({
    priority: 'high',
    category: 'plumbing',
    fields: [{ key: 'since', label: 'Since when?', kind: 'date' }],
  }),
  type({ requestType: 'audit', name: 'Audit', requester: false }),
];
const routingRules = [
  rule('all', {
    assignTeamId: 'plumbers',
    assignUserId: 'anna@acme.test',
    note: 'Look at work order 4711.',
  }),
];
const open = configured({ requesterAccess: 'signed-in', requestTypes, routingRules });

let buildingId: string;

beforeAll(async () => {
  buildingId = await api.importBuilding();
  expect(
    (
      await api
        .as('manager@globex.test')
        .put(CONFIGURATION, configured({ requesterAccess: 'anyone' }))
    ).status,
  ).toBe(200);
});
beforeEach(async () => {
  expect((await manager.put(CONFIGURATION, open)).status).toBe(200);
});

const raised = async (over: object = {}, by = requester) => {
  const made = await by.post(REQUESTS, { buildingId, description: 'Water on the floor', ...over });
  expect(made.status).toBe(201);
  return made.body;
};
const refusedAt = ({ status, body }: { status: number; body: { errors: { path: string }[] } }) => [
  status,
  ...body.errors.map(({ path }) => path),
];

describe('requesterAccess', () => {
  it.each(['off', undefined])('%s lets no requester in', async (requesterAccess) => {
    const ticket = await raised();
    const { requesterAccess: _, ...rest } = open;
    const closed = requesterAccess === undefined ? rest : { ...open, requesterAccess };
    expect((await manager.put(CONFIGURATION, closed)).status).toBe(200);
    for (const answer of [
      await requester.get(REQUESTS),
      await requester.get(`${REQUESTS}/${ticket.id}`),
      await requester.post(REQUESTS, { buildingId, description: 'x' }),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'REQUESTERS_OFF' } });
    }
    expect((await requester.get('/api/v1/me')).body.permissions).toEqual([
      'service-desk.own:read',
      'service-desk.own:write',
    ]);
  });

  it('does not matter to staff', async () => {
    await manager.put(CONFIGURATION, configured({ requesterAccess: 'off' }));
    expect((await agent.get(REQUESTS)).status).toBe(200);
  });

  it('is one of three', async () => {
    const put = await manager.put(CONFIGURATION, { ...open, requesterAccess: 'some' });
    expect(refusedAt(put)).toEqual([400, 'requesterAccess']);
  });
});

describe('a ticket that a requester raises', () => {
  it('is theirs, in the words of their request type', async () => {
    const ticket = await raised({ requestType: 'leak', formData: { since: '2026-01-02' } });
    const seen = (await agent.get(`${REQUESTS}/${ticket.id}`)).body;
    expect(seen).toMatchObject({
      priority: 'high',
      category: 'plumbing',
      channel: 'portal',
      reporterName: 'Acme Requester',
      reporterEmail: 'requester@acme.test',
      formData: { since: '2026-01-02' },
      createdBy: { kind: 'user', name: 'Acme Requester' },
    });
  });

  it('may name another way to be called', async () => {
    const given = {
      reporterName: 'Rita',
      reporterPhone: '12',
      reporterEmail: 'Requester@acme.test',
    };
    expect(await raised(given)).toMatchObject(given);
  });

  it.each([
    ['priority', 'critical'],
    ['category', 'doors'],
    ['channel', 'phone'],
    ['metadata', { externalId: '1' }],
    ['reporterEmail', 'manager@acme.test'],
    ['requestType', 'audit'],
    ['requestType', 'made-up'],
    ['formData', { since: '2026-01-02' }],
  ])('cannot have a %s of %j', async (member, value) => {
    const before = (await requester.get(REQUESTS)).body.total;
    const body = { buildingId, description: 'x', [member]: value };
    expect(refusedAt(await requester.post(REQUESTS, body))).toEqual([400, member]);
    expect((await requester.get(REQUESTS)).body.total).toBe(before);
  });

  it('is in a building of their organisation', async () => {
    const foreign = await stranger.post(REQUESTS, { buildingId, description: 'x' });
    expect(foreign).toMatchObject({ status: 400, body: { code: 'REFERENCE_NOT_FOUND' } });
  });

  it('is raised once under one Idempotency-Key, whoever else uses the key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { buildingId, description: 'Once' };
    const [one, again] = [
      await requester.post(REQUESTS, body, headers),
      await requester.post(REQUESTS, body, headers),
    ];
    expect(again).toMatchObject({ status: 201, body: { id: one.body.id } });
    expect((await other.post(REQUESTS, body, headers)).body.id).not.toBe(one.body.id);
  });
});

describe('of their ticket', () => {
  it('requesters see what concerns them, and of the rest nothing', async () => {
    const { id } = await raised({ requestType: 'leak', formData: { since: '2026-01-02' } });
    await agent.patch(`${REQUESTS}/${id}`, { metadata: { source: 'cafm' }, category: 'secret' });
    const staff = (await agent.get(`${REQUESTS}/${id}`)).body;
    const seen = (await requester.get(`${REQUESTS}/${id}`)).body;
    expect(seen).toEqual({
      ...staff,
      category: null,
      metadata: {},
      assignedUserId: null,
      assignedTeamId: null,
      slaFirstResponseDueAt: null,
      slaResolutionDueAt: null,
      firstRespondedAt: null,
    });
    expect(staff).toMatchObject({ assignedTeamId: 'plumbers', category: 'secret' });
    expect(staff.firstRespondedAt).not.toBeNull();
    expect((await requester.get(REQUESTS)).body.items[0]).toEqual(seen);
  });

  it('answers to a form are shown as long as the form is for requesters', async () => {
    const { id } = await raised({ requestType: 'leak', formData: { since: '2026-01-02' } });
    const hidden = [{ ...requestTypes[0]!, requester: false }];
    await manager.put(CONFIGURATION, { ...open, requestTypes: hidden });
    expect((await requester.get(`${REQUESTS}/${id}`)).body.formData).toEqual({});
  });

  it('the timeline has states and public notes, without names of staff', async () => {
    const { id } = await raised();
    await agent.post(`${REQUESTS}/${id}/updates`, {
      body: 'Bring a bucket',
      visibility: 'internal',
    });
    await agent.post(`${REQUESTS}/${id}/updates`, { body: 'We come', visibility: 'public' });
    await requester.post(`${REQUESTS}/${id}/updates`, { body: 'Thanks' });
    await agent.post(`${REQUESTS}/${id}/transition`, { state: 'triaged', note: 'internal too' });
    const { items } = (await requester.get(`${REQUESTS}/${id}/updates`)).body;
    const serviceDesk = { kind: 'system', id: 'service-desk' };
    expect(items).toMatchObject([
      { kind: 'note', body: 'We come', actor: serviceDesk },
      { kind: 'note', body: 'Thanks', actor: { kind: 'user', name: 'Acme Requester' } },
      { kind: 'state', from: 'new', to: 'triaged', actor: serviceDesk },
    ]);
    expect(items[0].actor).toEqual(serviceDesk);
    const page = (await requester.get(`${REQUESTS}/${id}/updates?limit=1`)).body;
    expect(page.items).toEqual(items.slice(0, 1));
    const next = `${REQUESTS}/${id}/updates?after=${page.nextCursor}`;
    expect((await requester.get(next)).body.items).toEqual(items.slice(1));
  });
});

describe('notes of requesters', () => {
  it('are public, and never internal', async () => {
    const { id } = await raised();
    const note = await requester.post(`${REQUESTS}/${id}/updates`, { body: 'Still wet' });
    expect(note).toMatchObject({ status: 201, body: { visibility: 'public' } });
    const internal = { body: 'x', visibility: 'internal' };
    expect(refusedAt(await requester.post(`${REQUESTS}/${id}/updates`, internal))).toEqual([
      400,
      'visibility',
    ]);
  });

  it('are the same command with and without the word public', async () => {
    const { id } = await raised();
    const headers = { 'idempotency-key': randomUUID() };
    const path = `${REQUESTS}/${id}/updates`;
    const [one, again] = [
      await requester.post(path, { body: 'Wet' }, headers),
      await requester.post(path, { body: 'Wet', visibility: 'public' }, headers),
    ];
    expect(again.body).toEqual(one.body);
    expect((await requester.get(path)).body.items).toHaveLength(1);
  });
});

describe('moves of requesters', () => {
  const move = (id: string, state: string, by = requester, note?: string) =>
    by.post(`${REQUESTS}/${id}/transition`, { state, ...(note ? { note } : {}) });
  const allowed = async (id: string) =>
    (await requester.get(`${REQUESTS}/${id}/transitions`)).body.allowed;

  it('are cancelling what is new', async () => {
    const { id } = await raised();
    expect(await allowed(id)).toEqual(['cancelled']);
    expect((await move(id, 'cancelled')).body.state).toBe('cancelled');
    expect(await allowed(id)).toEqual([]);
  });

  it('are closing and reopening what is resolved, with a public note', async () => {
    const { id } = await raised();
    await move(id, 'triaged', agent);
    expect(await allowed(id)).toEqual([]);
    const refused = await move(id, 'cancelled');
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'TRANSITION_NOT_ALLOWED', from: 'triaged', allowed: [] },
    });
    await move(id, 'resolved', agent);
    expect(await allowed(id)).toEqual(['closed', 'reopened']);
    expect((await move(id, 'reopened', requester, 'Wet again')).body.state).toBe('reopened');
    const { items } = (await requester.get(`${REQUESTS}/${id}/updates`)).body;
    expect(items.at(-1)).toMatchObject({ kind: 'note', body: 'Wet again', visibility: 'public' });
    await move(id, 'resolved', agent);
    expect((await move(id, 'closed')).body.state).toBe('closed');
    expect(await allowed(id)).toEqual([]);
  });

  it('are recorded once under one Idempotency-Key', async () => {
    const { id } = await raised();
    const headers = { 'idempotency-key': randomUUID() };
    const cancel = () =>
      requester.post(`${REQUESTS}/${id}/transition`, { state: 'cancelled' }, headers);
    const [one, again] = [await cancel(), await cancel()];
    expect(again).toMatchObject({ status: 200, body: one.body });
    expect((await requester.get(`${REQUESTS}/${id}/updates`)).body.items).toHaveLength(1);
  });
});

describe("another's ticket", () => {
  it('does not exist for a requester, whatever they ask of it', async () => {
    const { id, number } = await raised({ subject: 'Unmistakable' }, other);
    const body = { body: 'x' };
    for (const by of [requester, stranger]) {
      const path = `${REQUESTS}/${id}`;
      const answers = [
        await by.get(path),
        await by.get(path, { 'if-none-match': '"0"' }),
        await by.get(`${path}/updates`),
        await by.get(`${path}/transitions`),
        await by.post(`${path}/updates`, body),
        await by.post(`${path}/updates`, body, { 'if-match': '"999"' }),
        await by.post(`${path}/transition`, { state: 'cancelled' }),
      ];
      const never = await by.get(`${REQUESTS}/${randomUUID()}`);
      for (const { status, body: problem } of answers) {
        expect([status, problem.code, problem.detail]).toEqual([
          404,
          'NOT_FOUND',
          never.body.detail,
        ]);
      }
      expect((await by.get(`${REQUESTS}?number=${number}`)).body.total).toBe(0);
      expect((await by.get(`${REQUESTS}?search=Unmistakable`)).body.total).toBe(0);
    }
    expect((await agent.get(`${REQUESTS}/${id}`)).body.state).toBe('new');
  });

  it('is in no list', async () => {
    await raised({}, other);
    await agent.post(REQUESTS, {
      buildingId,
      description: 'By staff',
      reporterEmail: 'requester@acme.test',
    });
    const { items, total } = (await requester.get(`${REQUESTS}?limit=100`)).body;
    expect(total).toBe(items.length);
    expect(
      new Set(items.map((item: { createdBy: { name: string } }) => item.createdBy.name)),
    ).toEqual(new Set(['Acme Requester']));
  });

  it.each([
    'assignedUserId=anna@acme.test',
    'assignedTeamId=plumbers',
    'assigned=me',
    'reporterUserId=x',
    'category=plumbing',
    'overdue=true',
    'sort=dueAt',
    'sort=-dueAt',
  ])('a list by %s is for staff', async (query) => {
    const answer = await requester.get(`${REQUESTS}?${query}`);
    expect(refusedAt(answer)).toEqual([400, query.split('=')[0]]);
  });
});
