/** Requesters and their own tickets. contract.md section 5. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RequestType } from '../../../src/domain/service-desk/request-types.ts';
import { directoryStores } from '../../../src/files/directory-store.ts';
import { testApi } from '../../support/api/api.ts';
import { formHeaders, formOf } from '../../support/api/form.ts';
import { liveRefusal } from '../../support/api/live-client.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';

const CONFIGURATION = '/api/service-desk/configuration';
const REQUESTS = '/api/service-desk/requests';

const root = temporaryDirectory('requesters');
afterAll(() => rmSync(root, { recursive: true, force: true }));
const api = testApi(() => ({ files: directoryStores(root).of('main') }));
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
  it.each(['off', undefined])('%s admits no requesters', async (requesterAccess) => {
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

  it("is raised once under one Idempotency-Key, separate from other callers' keys", async () => {
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
  it('requesters see only their own members', async () => {
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

  it('the timeline says that the desk did what its rules did', async () => {
    const triage = rule('triage', { triage: true });
    await manager.put(CONFIGURATION, { ...open, routingRules: [triage] });
    const { id } = await raised();
    expect((await requester.get(`${REQUESTS}/${id}/updates`)).body.items).toMatchObject([
      { kind: 'state', to: 'triaged', actor: { kind: 'system', id: 'service-desk' } },
    ]);
  });

  it('the tag is their own: no cache answers them what staff has read', async () => {
    const { id } = await raised();
    const path = `${REQUESTS}/${id}`;
    const byStaff = (await agent.get(path)).headers['etag']!;
    const read = await requester.get(path, { 'if-none-match': byStaff });
    expect(read).toMatchObject({ status: 200, body: { assignedTeamId: null } });
    const own = { 'if-none-match': read.headers['etag']! };
    expect((await agent.get(path, own)).body.assignedTeamId).toBe('plumbers');
    const again = await requester.get(path, own);
    for (const { headers } of [read, again]) {
      expect(headers['cache-control']).toBe('private, no-cache');
      expect(headers['vary']).toMatch(/\bauthorization, cookie\b/);
    }
    expect(again).toMatchObject({ status: 304, body: '' });
  });

  it('the tag changes with what the desk shows of the answers', async () => {
    const { id } = await raised({ requestType: 'leak', formData: { since: '2026-01-02' } });
    const path = `${REQUESTS}/${id}`;
    const tag = { 'if-none-match': (await requester.get(path)).headers['etag']! };
    await manager.put(CONFIGURATION, { ...open, routingRules: [] });
    expect((await requester.get(path, tag)).status).toBe(304);
    const hidden = [{ ...requestTypes[0]!, requester: false }];
    await manager.put(CONFIGURATION, { ...open, requestTypes: hidden });
    const now = await requester.get(path, tag);
    expect(now).toMatchObject({ status: 200, body: { formData: {} } });
  });

  it('the tag is for If-Match, as the plain revision is', async () => {
    const { id, revision } = await raised();
    const path = `${REQUESTS}/${id}`;
    const note = (tag: string) =>
      requester.post(`${path}/updates`, { body: 'Still wet' }, { 'if-match': tag });
    const first = (await requester.get(path)).headers['etag']!;
    expect((await note(first)).status).toBe(201);
    expect((await note(first)).status).toBe(412);
    expect((await note(`"${revision}"`)).status).toBe(412);
    const now = (await requester.get(path)).body.revision;
    expect((await note(`"${now}"`)).status).toBe(201);
    const cancelled = await requester.post(`${path}/transition`, { state: 'cancelled' });
    expect(cancelled.headers['etag']).toBe((await requester.get(path)).headers['etag']);
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

  it('are cancelling a new ticket', async () => {
    const { id } = await raised();
    expect(await allowed(id)).toEqual(['cancelled']);
    expect((await move(id, 'cancelled')).body.state).toBe('cancelled');
    expect(await allowed(id)).toEqual([]);
  });

  it('are closing and reopening a resolved ticket, with a public note', async () => {
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
  it('is a 404 for a requester, on every route', async () => {
    const { id, number } = await raised({}, other);
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
    'search=plumbing',
    'overdue=true',
    'sort=dueAt',
    'sort=-dueAt',
  ])('a list by %s is for staff', async (query) => {
    const answer = await requester.get(`${REQUESTS}?${query}`);
    expect(refusedAt(answer)).toEqual([400, query.split('=')[0]]);
  });
});

describe('attachments of their tickets', () => {
  const text = (content: string) => ({ name: 'file', fileName: 'leak.txt', content });
  const shownTo = (readers: string) => ({ name: 'visibility', content: readers });
  const attach = (id: string, by = requester, readers?: string) =>
    by.post(
      `${REQUESTS}/${id}/attachments`,
      formOf(text(randomUUID()), ...(readers ? [shownTo(readers)] : [])),
      formHeaders,
    );
  const listed = async (id: string, by = requester) =>
    (await by.get(`${REQUESTS}/${id}/attachments`)).body.items;

  it('are public when a requester adds them, and never internal', async () => {
    const { id } = await raised();
    const made = await attach(id);
    expect(made).toMatchObject({ status: 201, body: { visibility: 'public' } });
    expect((await attach(id, requester, 'public')).status).toBe(201);
    expect(refusedAt(await attach(id, requester, 'internal'))).toEqual([400, 'visibility']);
    expect(await listed(id, agent)).toHaveLength(2);
  });

  it('are shown where they are public, without names of staff', async () => {
    const { id } = await raised();
    const own = (await attach(id)).body;
    const hidden = (await attach(id, agent)).body;
    const shown = (await attach(id, agent, 'public')).body;
    const serviceDesk = { kind: 'system', id: 'service-desk' };
    expect(await listed(id)).toEqual([own, { ...shown, createdBy: serviceDesk }]);
    const path = `${REQUESTS}/${id}/attachments`;
    expect((await requester.get(`${path}/${shown.attachmentId}`)).status).toBe(200);
    expect((await requester.get(`${path}/${hidden.attachmentId}`)).status).toBe(404);
    const { items } = (await requester.get(`${REQUESTS}/${id}/updates`)).body;
    expect(items.map((item: { to: { attachmentId: string } }) => item.to.attachmentId)).toEqual([
      own.attachmentId,
      shown.attachmentId,
    ]);
  });

  it('are removed only by their author, and internal ones are a 404', async () => {
    const { id } = await raised();
    const own = (await attach(id)).body;
    const hidden = (await attach(id, agent)).body;
    const shown = (await attach(id, agent, 'public')).body;
    const path = `${REQUESTS}/${id}/attachments`;
    expect((await requester.delete(`${path}/${shown.attachmentId}`)).status).toBe(403);
    expect((await requester.delete(`${path}/${hidden.attachmentId}`)).status).toBe(404);
    expect((await requester.delete(`${path}/${own.attachmentId}`)).status).toBe(204);
    expect(await listed(id, agent)).toHaveLength(2);
  });

  it("of another's ticket do not exist, not even through a ticket of their own", async () => {
    const mine = await raised();
    const { id } = await raised({}, other);
    const { attachmentId, sha256 } = (await attach(id, other)).body;
    const cached = { 'if-none-match': `"${sha256}"` };
    for (const ticket of [id, mine.id]) {
      const path = `${REQUESTS}/${ticket}/attachments/${attachmentId}`;
      expect((await requester.get(path)).status).toBe(404);
      expect((await requester.get(path, cached)).status).toBe(404);
      expect((await requester.get(`${path}/preview`)).status).toBe(404);
      expect((await requester.delete(path)).status).toBe(404);
    }
    expect((await attach(id)).status).toBe(404);
    expect(await listed(id, other)).toHaveLength(1);
  });
});

describe('a rating', () => {
  const rate = (id: string, body: object, by = requester, headers = {}) =>
    by.post(`${REQUESTS}/${id}/rating`, body, headers);
  const resolved = async () => {
    const { id } = await raised();
    for (const state of ['triaged', 'resolved'])
      await agent.post(`${REQUESTS}/${id}/transition`, { state });
    return id as string;
  };
  const five = { score: 5, comment: 'Warm again' };

  it('is shown to staff and to the requester', async () => {
    const id = await resolved();
    const { status, body } = await rate(id, five);
    expect(status).toBe(200);
    expect(body.rating).toEqual({ ...five, ratedAt: body.updatedAt });
    for (const by of [requester, agent]) {
      expect((await by.get(`${REQUESTS}/${id}`)).body.rating).toEqual(body.rating);
      expect((await by.get(REQUESTS)).body.items[0].rating).toEqual(body.rating);
      const { items } = (await by.get(`${REQUESTS}/${id}/updates`)).body;
      expect(items.at(-1)).toMatchObject({ kind: 'rating', to: five });
    }
    const { items } = (await agent.get('/api/service-desk/changes?limit=500')).body;
    expect(items.at(-1)).toMatchObject({ change: 'rating', ticket: { rating: body.rating } });
  });

  it('is given once: again, the same is no change, and another is refused', async () => {
    const id = await resolved();
    const headers = { 'idempotency-key': randomUUID() };
    const one = await rate(id, five, requester, headers);
    const again = await rate(id, five, requester, headers);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(one.body);
    expect((await rate(id, five)).body).toEqual(one.body);
    expect(await rate(id, { score: 1 })).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_RATED' },
    });
    const { items } = (await agent.get(`${REQUESTS}/${id}/updates`)).body;
    expect(items.filter(({ kind }: { kind: string }) => kind === 'rating')).toHaveLength(1);
  });

  it('waits for the end of the work', async () => {
    const { id } = await raised();
    expect(await rate(id, five)).toMatchObject({
      status: 409,
      body: { code: 'RATING_NOT_ALLOWED', state: 'new' },
    });
  });

  it.each([{ score: 0 }, { score: 6 }, { score: 1.5 }, {}, { score: 5, comment: ' ' }])(
    'is no %j',
    async (body) => expect((await rate(await resolved(), body)).status).toBe(400),
  );

  it('is not for staff', async () => {
    const id = await resolved();
    for (const by of [agent, manager])
      expect(await rate(id, five, by)).toMatchObject({
        status: 403,
        body: { code: 'PERMISSION_DENIED' },
      });
  });
});

describe('request types', () => {
  it('are those that requesters may choose, without staff members', async () => {
    const [leak] = requestTypes;
    const { category: _, priority: __, ...shown } = leak!;
    const path = '/api/service-desk/request-types';
    expect((await requester.get(path)).body).toEqual({ items: [shown] });
    expect((await agent.get(path)).body).toEqual({ items: requestTypes });
    expect((await stranger.get(path)).body).toEqual({ items: [] });
  });
});

describe('of buildings', () => {
  const BUILDINGS = '/api/v1/buildings';

  it('requesters see plans without colours', async () => {
    const { items } = (await requester.get(`${BUILDINGS}/${buildingId}/storeys`)).body;
    const picture = `${BUILDINGS}/${buildingId}/storeys/${items[0].id}/plan.svg`;
    expect((await requester.get(picture)).status).toBe(200);
    for (const colour of ['tickets', 'faults', 'layer:occupancy', 'point:x']) {
      expect(await requester.get(`${picture}?colour=${colour}`)).toMatchObject({ status: 403 });
    }
    const plan = await requester.get(`${BUILDINGS}/${buildingId}/plan?storeyId=${items[0].id}`);
    expect(plan.body.spaces[0]).toHaveProperty('name');
  });

  it('they see the members of an element that its label names', async () => {
    const element = (await agent.get(`${BUILDINGS}/${buildingId}/elements?limit=1`)).body.items[0];
    const seen = (await requester.get(`${BUILDINGS}/${buildingId}/elements/${element.id}`)).body;
    expect(seen).toEqual({ ...element, externalId: null, sourceSystem: null, model: null });
  });
});

describe('elsewhere', () => {
  it('requesters do not listen to a building', async () => {
    const token = await api.issuer.tokenOf('requester@acme.test');
    const { data } = await liveRefusal(api.address, { token });
    expect(data?.code).toBe('PERMISSION_DENIED');
  });

  it('they are not among the people whom tickets are assigned to', async () => {
    await requester.get(REQUESTS);
    await agent.get(REQUESTS);
    const found = async () => {
      const { items } = (await agent.get('/api/service-desk/people')).body;
      return items.map(({ name }: { name: string }) => name);
    };
    await expect.poll(found).toContain('Acme Agent');
    expect(await found()).not.toContain('Acme Requester');
  });
});
