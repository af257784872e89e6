import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { Client } from 'pg';
import { v5 as uuidFrom } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoBuilding } from '../../../src/demo/building.ts';
import { ticketStates, type TicketState } from '../../../src/domain/tickets/graph.ts';
import { schemaOf } from '../../../src/engine/projections/projection.ts';
import { ticketSearch } from '../../../src/projections/tickets/search.ts';
import { testApi } from '../../support/api/api.ts';

const REQUESTS = '/api/service-desk/requests';

const platform = testApi();
const agent = platform.as('agent@acme.test');
const viewer = platform.as('viewer@acme.test');
const stranger = platform.as('agent@globex.test');
let buildingId: string;
let spaces: { id: string; code: string; storey: { id: string } }[];

beforeAll(async () => {
  const made = await platform
    .as('manager@acme.test')
    .post('/api/v1/buildings/import', demoBuilding());
  ({ buildingId } = made.body);
  spaces = (await agent.get(`/api/v1/buildings/${buildingId}/spaces`)).body.items;
});

const draft = (over: object = {}) => ({ buildingId, description: 'Water under the sink', ...over });
const raise = async (over: object = {}, headers: Record<string, string> = {}) => {
  const answer = await agent.post(REQUESTS, draft(over), headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body as { id: string; number: string; updatedAt: string; revision: number };
};
const move = (id: string, state: string, over: object = {}) =>
  agent.post(`${REQUESTS}/${id}/transition`, { state, ...over });

describe('raising a ticket', () => {
  it('answers 201 with the whole ticket, its Location and its revision', async () => {
    const answer = await agent.post(REQUESTS, draft({ spaceId: spaces[0]!.id }));
    expect(answer).toMatchObject({
      status: 201,
      headers: { location: `${REQUESTS}/${answer.body.id}`, etag: '"0"' },
      body: {
        buildingId,
        organisationId: 'acme',
        spaceId: spaces[0]!.id,
        storeyId: spaces[0]!.storey.id,
        elementId: null,
        requestType: 'general',
        subject: null,
        priority: 'medium',
        channel: 'portal',
        state: 'new',
        formData: {},
        metadata: {},
        assignedUserId: null,
        workOrderId: null,
        workOrderIds: [],
        revision: 0,
        createdBy: { kind: 'user', name: 'Acme Agent' },
      },
    });
    expect(answer.body.number).toMatch(/^SR-\d{6,}$/);
    expect(answer.headers['x-atrium-position']).toBeTruthy();
    expect(answer.headers['x-request-id']).toBeTruthy();
    expect(Object.keys(answer.body)).not.toContain('slaFirstResponseEndedAt');
  });

  it('computes both due times from the priority at creation', async () => {
    const { body } = await agent.post(REQUESTS, draft({ priority: 'critical' }));
    const minutes = (due: string) => (Date.parse(due) - Date.parse(body.createdAt)) / 60_000;
    expect(minutes(body.slaFirstResponseDueAt)).toBe(15);
    expect(minutes(body.slaResolutionDueAt)).toBe(240);
  });

  it('makes two tickets of two identical posts', async () => {
    const [one, two] = [await raise(), await raise()];
    expect(two.id).not.toBe(one.id);
    expect(two.number).not.toBe(one.number);
  });

  it('is immediately visible in the list', async () => {
    const { id } = await raise({ category: 'seen-at-once' });
    const { body } = await agent.get(`${REQUESTS}?category=seen-at-once`);
    expect(body.items.map((item: { id: string }) => item.id)).toEqual([id]);
  });

  it('answers the list with the very ticket that GET answers', async () => {
    const { id } = await raise({ category: 'same', metadata: { 'äö"': [1, { x: null }] } });
    await move(id, 'triaged');
    const one = (await agent.get(`${REQUESTS}/${id}`)).body;
    const list = (await agent.get(`${REQUESTS}?category=same`)).body;
    expect(list.items).toEqual([one]);
  });

  it('gives 200 concurrent creates 200 different numbers', async () => {
    const all = await Promise.all(Array.from({ length: 200 }, () => raise()));
    expect(new Set(all.map(({ number }) => number)).size).toBe(200);
    expect(new Set(all.map(({ id }) => id)).size).toBe(200);
  });

  it.each([
    ['an unknown building', () => ({ buildingId: randomUUID() }), 'REFERENCE_NOT_FOUND'],
    ['an unknown space', () => ({ spaceId: randomUUID() }), 'REFERENCE_NOT_FOUND'],
    ['an externalId', () => ({ spaceId: '2O2Fr$t4X7Zf8NOew3FNr2' }), 'VALIDATION_FAILED'],
    [
      'a space of another storey',
      () => {
        const other = spaces.find(({ storey }) => storey.id !== spaces[0]!.storey.id)!;
        return { spaceId: spaces[0]!.id, storeyId: other.storey.id };
      },
      'LOCATION_CONTRADICTION',
    ],
    ['no description', () => ({ description: undefined }), 'VALIDATION_FAILED'],
    ['a blank description', () => ({ description: ' \n ' }), 'VALIDATION_FAILED'],
    ['a subject of 301 characters', () => ({ subject: 'x'.repeat(301) }), 'VALIDATION_FAILED'],
    ['an unknown priority', () => ({ priority: 'urgent' }), 'VALIDATION_FAILED'],
    ['an unknown channel', () => ({ channel: 'fax' }), 'VALIDATION_FAILED'],
    ['a state', () => ({ state: 'triaged' }), 'VALIDATION_FAILED'],
    ['a list as metadata', () => ({ metadata: [] }), 'VALIDATION_FAILED'],
    ['17 KiB of metadata', () => ({ metadata: { x: 'y'.repeat(17_000) } }), 'VALIDATION_FAILED'],
  ])('refuses %s', async (_what, over, code) => {
    const answer = await agent.post(REQUESTS, draft(over()));
    expect(answer).toMatchObject({ status: 400, body: { code, status: 400 } });
    expect(answer.headers['content-type']).toContain('application/problem+json');
  });

  it("answers for another organisation's building as for an unknown one", async () => {
    const theirs = await stranger.post(REQUESTS, draft());
    const nobodys = await agent.post(REQUESTS, draft({ buildingId: randomUUID() }));
    expect(theirs.status).toBe(400);
    const { requestId: _, ...problem } = theirs.body;
    const { requestId: __, ...other } = nobodys.body;
    expect(problem).toEqual(other);
  });
});

describe('words of a ticket', () => {
  const refused = async (over: object) => {
    const { status, body } = await agent.post(REQUESTS, { buildingId, description: 'x', ...over });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    return body.errors.map(({ path }: { path: string }) => path);
  };

  it('are found again with any blanks around them', async () => {
    const words = { category: 'lifts', requestType: 'broken' };
    const made = await raise({ category: ' lifts\t', requestType: ' broken ' });
    expect(made).toMatchObject(words);
    const { id } = made;
    const to = { assignedUserId: ' ana ', assignedTeamId: ' crew ' };
    const { body } = await agent.post(`${REQUESTS}/${id}/assign`, to);
    expect(body).toMatchObject({ assignedUserId: 'ana', assignedTeamId: 'crew' });
    const found = await agent.get(
      `${REQUESTS}?category=other,lifts&assignedUserId=ana&assignedTeamId=%20crew`,
    );
    expect(found.body.items.map((one: { id: string }) => one.id)).toEqual([id]);
    const { revision } = (await agent.patch(`${REQUESTS}/${id}`, { category: 'lifts ' })).body;
    expect(revision).toBe(body.revision);
  });

  it('have no comma in a category, and something to read', async () => {
    const { id } = await raise();
    expect(await refused({ category: 'a,b' })).toEqual(['category']);
    expect(await refused({ category: ' ' })).toEqual(['category']);
    expect(await refused({ category: '\u2060' })).toEqual(['category']);
    expect(await refused({ description: '\u00ad' })).toEqual(['description']);
    expect((await agent.patch(`${REQUESTS}/${id}`, { category: 'a,b' })).status).toBe(400);
    expect(
      (await agent.post(`${REQUESTS}/${id}/assign`, { assignedTeamId: ' ' })).body.errors[0].path,
    ).toBe('assignedTeamId');
  });

  it.each([
    'ana',
    'ana@acme',
    '@acme.test',
    'ana@',
    'a@b@acme.test',
    'a b@acme.test',
    'a@b..c',
    '',
  ])('must be an address in reporterEmail, unlike %j', async (reporterEmail) =>
    expect(await refused({ reporterEmail })).toEqual(['reporterEmail']),
  );

  it.each(['ana@acme.test', "o'neil+lift@mail.acme.test", 'änne@straße.example', null])(
    'may be %j in reporterEmail',
    async (reporterEmail) =>
      expect(await raise({ reporterEmail })).toMatchObject({ reporterEmail }),
  );
});

describe('numbers of formData and metadata', () => {
  const of = (source: string) =>
    `{"buildingId":"${buildingId}","description":"x","metadata":{"erp":{"ids":[1,${source}]}}}`;

  it.each(['12345678901234567890', '1.00000000000000000001', '1e400'])(
    '%s would be altered: it is refused, with the way out',
    async (source) => {
      const { status, body } = await agent.post(REQUESTS, of(source));
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(body.errors).toEqual([
        { path: 'metadata.erp.ids[1]', message: expect.stringContaining('send it as text') },
      ]);
      const { id } = await raise();
      const patch = `{"formData":{"a":${source}}}`;
      expect((await agent.patch(`${REQUESTS}/${id}`, patch)).body.errors[0].path).toBe(
        'formData.a',
      );
      const tried = await agent.post(
        '/api/service-desk/configuration/simulate',
        `{"ticket":${of(source)}}`,
      );
      expect(tried.body.errors[0].path).toBe('ticket.metadata.erp.ids[1]');
    },
  );

  it.each(['0.1', '1.0', '9007199254740992', '1e2', '"12345678901234567890"'])(
    '%s is returned unchanged',
    async (source) => {
      const { status, body } = await agent.post(REQUESTS, of(source));
      expect(status).toBe(201);
      expect(body.metadata.erp.ids[1]).toBe(JSON.parse(source));
    },
  );
});

describe('an Idempotency-Key', () => {
  it('makes one ticket of a command, ten others, and the same command again', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await agent.post(REQUESTS, draft({ category: 'once' }), key);
    await Promise.all(Array.from({ length: 10 }, () => raise()));
    await move(first.body.id, 'triaged');
    const again = await agent.post(REQUESTS, draft({ category: 'once' }), key);
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect((await agent.get(`${REQUESTS}?category=once`)).body.total).toBe(1);
  });

  it('makes one ticket of twenty posts at the same moment', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const all = await Promise.all(
      Array.from({ length: 20 }, () => agent.post(REQUESTS, draft({ category: 'race' }), key)),
    );
    const { body } = await agent.get(`${REQUESTS}?category=race`);
    expect(body.total).toBe(1);
    expect(all.map((answer) => answer.body)).toEqual(all.map(() => body.items[0]));
    expect((await agent.get(`${REQUESTS}/${body.items[0].id}`)).body).toEqual(body.items[0]);
    expect(all.filter(({ headers }) => headers['idempotent-replayed'] !== 'true')).toHaveLength(1);
  });

  it('refuses the other body even at the same moment', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        agent.post(REQUESTS, draft({ subject: `s${index % 2}` }), key),
      ),
    );
    const made = all.filter(({ status }) => status === 201);
    expect(made).toHaveLength(10);
    expect(new Set(made.map(({ body }) => body.subject)).size).toBe(1);
    expect(all.filter(({ status }) => status === 422)).toHaveLength(10);
  });

  it('does not mind the order of members, but another body', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const { body } = await agent.post(REQUESTS, { buildingId, description: 'a' }, key);
    const turned = await agent.post(REQUESTS, { description: 'a', buildingId }, key);
    expect(turned.body.id).toBe(body.id);
    const other = await agent.post(REQUESTS, { buildingId, description: 'b' }, key);
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  it('is a key of its caller alone, and of one path', async () => {
    const key = { 'idempotency-key': 'shared-by-chance' };
    const mine = await agent.post(REQUESTS, draft(), key);
    const theirs = await platform.as('manager@acme.test').post(REQUESTS, draft(), key);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it('answers a repeated transition as the first one was, wherever the ticket is', async () => {
    const { id } = await raise();
    const key = { 'idempotency-key': randomUUID() };
    const transition = () => agent.post(`${REQUESTS}/${id}/transition`, { state: 'triaged' }, key);
    const first = await transition();
    await move(id, 'in_progress');
    const again = await transition();
    expect(again.body).toEqual(first.body);
    expect((await agent.get(`${REQUESTS}/${id}`)).body.state).toBe('in_progress');
  });

  /** `fetch` sends only the path of a URL. */
  const postTo = async (target: string, body: object, key: string) => {
    const token = await platform.issuer.tokenOf('agent@acme.test');
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    };
    const sent = httpRequest(platform.address, { method: 'POST', path: target, headers });
    sent.end(JSON.stringify(body));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, body: (await json(answer)) as { id: string } };
  };

  it('names one command, however its path is spelled', async () => {
    const { id } = await raise();
    const path = `${REQUESTS}/${id}/updates`;
    const key = randomUUID();
    const spellings = [
      path,
      path.replace('requests', '%72equests'),
      path.replaceAll('-', '%2d'),
      path.replace(id, id.toUpperCase()),
      `${platform.address}${path}`,
      `http://elsewhere.test${path}`,
      `${path}#`,
    ];
    for (const target of spellings)
      expect((await postTo(target, { body: 'once' }, key)).status, target).toBe(201);
    expect((await agent.get(path)).body.items).toHaveLength(1);
  });

  it('makes the ids that it made in earlier releases', async () => {
    const key = randomUUID();
    const { body } = await agent.post(REQUESTS, draft(), { 'idempotency-key': key });
    const parts = ['acme', `user:${body.createdBy.id}`, 'POST', REQUESTS, key];
    const commandId = uuidFrom(JSON.stringify(parts), 'b51c7f5e-6f0f-4d5e-9a3c-0f8f3b1c9d27');
    expect(body.id).toBe(uuidFrom('made', commandId));
  });

  it('of a refused command leaves no trace', async () => {
    const { id } = await raise();
    const key = { 'idempotency-key': randomUUID() };
    const resolve = () => agent.post(`${REQUESTS}/${id}/transition`, { state: 'resolved' }, key);
    expect((await resolve()).status).toBe(400);
    await move(id, 'triaged');
    expect((await resolve()).body.state).toBe('resolved');
  });

  it.each(['', ' ', 'with space', 'x'.repeat(256), 'ä'])('refuses %j', async (key) =>
    expect(await agent.post(REQUESTS, draft(), { 'idempotency-key': key })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ path: 'Idempotency-Key' }] },
    }),
  );
});

describe('the state graph', () => {
  /** Copied from the interface: borrowing the code's own table would prove nothing. */
  const table = `
    new          triaged cancelled
    triaged      in_progress waiting resolved cancelled
    in_progress  waiting resolved cancelled
    waiting      in_progress resolved cancelled
    resolved     closed reopened
    reopened     in_progress resolved
    closed
    cancelled`
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/)) as [TicketState, ...TicketState[]][];
  const ways: Record<TicketState, TicketState[]> = {
    new: [],
    triaged: ['triaged'],
    in_progress: ['triaged', 'in_progress'],
    waiting: ['triaged', 'waiting'],
    resolved: ['triaged', 'resolved'],
    reopened: ['triaged', 'resolved', 'reopened'],
    closed: ['triaged', 'resolved', 'closed'],
    cancelled: ['cancelled'],
  };

  it.each(table)('allows from %s exactly the transitions of the interface', async (from, ...to) => {
    for (const target of ticketStates) {
      const { id } = await raise();
      for (const step of ways[from]) expect((await move(id, step)).status).toBe(200);
      const { status, body } = await move(id, target);
      const allowed = { status: 200, body: { state: target } };
      const refusal = { code: 'TRANSITION_NOT_ALLOWED', from, to: target, allowed: to };
      expect({ status, body }).toMatchObject(
        to.includes(target) ? allowed : { status: 400, body: refusal },
      );
    }
    const { id } = await raise();
    for (const step of ways[from]) await move(id, step);
    const { body } = await agent.get(`${REQUESTS}/${id}/transitions`);
    expect(body).toEqual({ from, allowed: to });
  });
});

describe('assigning', () => {
  it('counts as the first response, once, and keeps absent members', async () => {
    const { id } = await raise();
    const assign = (body: object) => agent.post(`${REQUESTS}/${id}/assign`, body);
    expect((await assign({ assignedUserId: null })).body.firstRespondedAt).toBeNull();
    const first = (await assign({ assignedTeamId: 'plumbers' })).body;
    expect(first).toMatchObject({ assignedTeamId: 'plumbers', assignedUserId: null });
    expect(first.firstRespondedAt).toBe(first.updatedAt);
    const second = (await assign({ assignedUserId: 'ana', note: 'Over to Ana' })).body;
    expect(second).toMatchObject({
      assignedTeamId: 'plumbers',
      assignedUserId: 'ana',
      firstRespondedAt: first.firstRespondedAt,
    });
    expect((await assign({ assignedTeamId: null })).body.assignedTeamId).toBeNull();
  });

  it('requires an assignee, and a ticket that is not final', async () => {
    const { id } = await raise();
    expect((await agent.post(`${REQUESTS}/${id}/assign`, { note: 'x' })).status).toBe(400);
    await move(id, 'cancelled');
    expect(await agent.post(`${REQUESTS}/${id}/assign`, { assignedUserId: 'ana' })).toMatchObject({
      status: 409,
      body: { code: 'TICKET_CLOSED' },
    });
  });
});

describe('PATCH', () => {
  it('merges objects, clears with null, and leaves the rest', async () => {
    const { id } = await raise({ subject: 'a', metadata: { keep: 1, drop: 2, in: { x: 1 } } });
    const { body } = await agent.patch(`${REQUESTS}/${id}`, {
      subject: null,
      priority: 'high',
      metadata: { drop: null, in: { y: 2 } },
    });
    expect(body).toMatchObject({
      subject: null,
      priority: 'high',
      description: expect.any(String),
    });
    expect(body.metadata).toEqual({ keep: 1, in: { x: 1, y: 2 } });
  });

  it('without changes moves neither updatedAt nor the revision', async () => {
    const { id, updatedAt, revision } = await raise({ subject: 'same' });
    const { body } = await agent.patch(`${REQUESTS}/${id}`, { subject: 'same', metadata: {} });
    expect(body).toMatchObject({ updatedAt, revision });
  });

  it('never moves a due time', async () => {
    const before = await agent.post(REQUESTS, draft());
    const { body } = await agent.patch(`${REQUESTS}/${before.body.id}`, { priority: 'critical' });
    expect(body.slaResolutionDueAt).toBe(before.body.slaResolutionDueAt);
  });

  it('resolves the finest location, clears finer ones, and refuses a contradiction', async () => {
    const [space] = spaces;
    const { id } = await raise();
    const patch = (body: object) => agent.patch(`${REQUESTS}/${id}`, body);
    expect((await patch({ spaceId: space!.id })).body).toMatchObject({
      spaceId: space!.id,
      storeyId: space!.storey.id,
    });
    expect((await patch({ spaceId: null })).body).toMatchObject({
      spaceId: null,
      storeyId: space!.storey.id,
    });
    expect((await patch({ storeyId: null, spaceId: space!.id })).body.code).toBe(
      'LOCATION_CONTRADICTION',
    );
    expect((await patch({ elementId: randomUUID() })).body.code).toBe('REFERENCE_NOT_FOUND');
    expect((await patch({ storeyId: null })).body.storeyId).toBeNull();
  });

  it('is allowed in every state', async () => {
    const { id } = await raise();
    await move(id, 'cancelled');
    expect((await agent.patch(`${REQUESTS}/${id}`, { subject: 'late' })).body.subject).toBe('late');
  });

  it.each([{ state: 'triaged' }, { number: 'SR-1' }, { buildingId: 'x' }, { description: null }])(
    'refuses %j',
    async (body) => {
      const { id } = await raise();
      expect(await agent.patch(`${REQUESTS}/${id}`, body)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED' },
      });
    },
  );
});

describe('If-Match', () => {
  it('accepts the write at its revision, and refuses it at any other', async () => {
    const { id } = await raise();
    const read = await agent.get(`${REQUESTS}/${id}`);
    const tag = { 'if-match': read.headers['etag']! };
    const write = (subject: string) => agent.patch(`${REQUESTS}/${id}`, { subject }, tag);
    expect((await write('mine')).status).toBe(200);
    expect(await write('late')).toMatchObject({
      status: 412,
      body: { code: 'PRECONDITION_FAILED' },
    });
    expect((await agent.patch(`${REQUESTS}/${id}`, { subject: 'naive' })).status).toBe(200);
  });

  it.each<[string, (tag: string) => string, number]>([
    ['a list that names it', (tag) => `"7", ${tag},"8"`, 200],
    ['a list that names others', () => '"7", "8"', 412],
    ['whatever there is', () => '*', 200],
    ['a weak tag, which never matches here', (tag) => `W/${tag}`, 412],
    ['a weak tag in a list', (tag) => `W/${tag}, ${tag}`, 200],
    ['a tag that is none of ours', () => '"abc"', 412],
    ['no tag', (tag) => tag.replaceAll('"', ''), 412],
  ])('accepts %s', async (_, header, status) => {
    const { id } = await raise();
    const { headers } = await agent.get(`${REQUESTS}/${id}`);
    const write = { 'if-match': header(headers['etag']!) };
    expect((await agent.patch(`${REQUESTS}/${id}`, { subject: 'mine' }, write)).status).toBe(
      status,
    );
  });

  it('is ignored by a create, with a key or without', async () => {
    const tag = { 'if-match': '"0"' };
    await raise({}, tag);
    await raise({}, { ...tag, 'idempotency-key': randomUUID() });
  });
});

describe('If-None-Match', () => {
  it('answers 304 for an unchanged ticket', async () => {
    const { id } = await raise();
    const path = `${REQUESTS}/${id}`;
    const { headers } = await agent.get(path);
    const tag = headers['etag']!;
    const again = async (sent: string) => (await agent.get(path, { 'if-none-match': sent })).status;
    for (const sent of [tag, `W/${tag}`, `"x", ${tag}`, '*']) expect(await again(sent)).toBe(304);
    const unchanged = await agent.get(path, { 'if-none-match': tag });
    expect(unchanged).toMatchObject({ status: 304, body: '', headers: { etag: tag } });
    expect(await again('"7"')).toBe(200);
    await agent.patch(path, { subject: 'changed' });
    expect(await again(tag)).toBe(200);
  });
});

describe('notes and the timeline', () => {
  it('adds a note in any state and moves updatedAt', async () => {
    const { id, updatedAt } = await raise();
    await move(id, 'cancelled');
    const { status, body } = await agent.post(`${REQUESTS}/${id}/updates`, { body: 'Seen.' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ body: 'Seen.', visibility: 'internal', createdBy: {} });
    const after = (await agent.get(`${REQUESTS}/${id}`)).body.updatedAt;
    expect(after > updatedAt).toBe(true);
    const { items } = (await agent.get(`${REQUESTS}/${id}/updates`)).body;
    expect(items.at(-1)).toMatchObject({ id: body.id, kind: 'note', body: 'Seen.' });
  });

  it('accepts thirty concurrent notes on one ticket', async () => {
    const { id } = await raise();
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        agent.post(`${REQUESTS}/${id}/updates`, { body: `note ${index}` }),
      ),
    );
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 201));
    expect((await agent.get(`${REQUESTS}/${id}/updates`)).body.items).toHaveLength(30);
  });

  it('is ordered oldest first', async () => {
    const { id } = await raise();
    await move(id, 'triaged', { note: 'Looks real' });
    await agent.post(`${REQUESTS}/${id}/assign`, { assignedTeamId: 'plumbers' });
    await agent.patch(`${REQUESTS}/${id}`, { priority: 'high' });
    const { items } = (await agent.get(`${REQUESTS}/${id}/updates`)).body;
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual([
      'state',
      'note',
      'assignment',
      'fields',
    ]);
  });

  it('shows internal ones only with permission to write tickets or read the audit', async () => {
    const { id } = await raise();
    await agent.post(`${REQUESTS}/${id}/updates`, { body: 'Inside.' });
    await agent.post(`${REQUESTS}/${id}/updates`, { body: 'Outside.', visibility: 'public' });
    await move(id, 'triaged', { note: 'Looks real' });
    const seenBy = async (email: string) => {
      const { body } = await platform.as(email).get(`${REQUESTS}/${id}/updates`);
      return body.items.map((item: { kind: string; body?: string }) => item.body ?? item.kind);
    };
    for (const email of ['agent@acme.test', 'auditor@acme.test'])
      expect(await seenBy(email)).toEqual(['Inside.', 'Outside.', 'state', 'Looks real']);
    expect(await seenBy('viewer@acme.test')).toEqual(['Outside.', 'state']);
  });

  it('answers the same command with the same note', async () => {
    const { id } = await raise();
    const key = { 'idempotency-key': randomUUID() };
    const add = () => agent.post(`${REQUESTS}/${id}/updates`, { body: 'Once.' }, key);
    const [first, again] = [await add(), await add()];
    expect(again.body).toEqual(first.body);
    expect((await agent.get(`${REQUESTS}/${id}/updates`)).body.items).toHaveLength(1);
  });
});

describe('a search', () => {
  it('that exceeds its deadline is refused, and the plain list is not', async () => {
    await raise({ description: 'a leak' });
    const other = new Client({ connectionString: platform.databaseUrl });
    await other.connect();
    await other.query(`begin; lock table ${schemaOf(ticketSearch)}.ticket_search`);
    const refused = await agent.get(`${REQUESTS}?search=leak`);
    const plain = await agent.get(REQUESTS);
    await other.end();
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(refused.body.errors).toMatchObject([{ path: 'search' }]);
    expect(plain.status).toBe(200);
    expect((await agent.get(`${REQUESTS}?search=leak`)).body.total).toBe(1);
  });

  it('compares letters as routing does', async () => {
    const { id } = await raise({ description: 'Wasser auf der Straße' });
    const { body } = await agent.get(`${REQUESTS}?search=STRASSE`);
    expect(body.items.map((ticket: { id: string }) => ticket.id)).toEqual([id]);
  });
});

describe('permissions', () => {
  it('lets a viewer read and not write', async () => {
    const { id } = await raise();
    expect((await viewer.get(`${REQUESTS}/${id}`)).status).toBe(200);
    expect(await viewer.post(REQUESTS, draft())).toMatchObject({
      status: 403,
      body: { code: 'PERMISSION_DENIED' },
    });
  });

  it("make another organisation's ticket a 404 on every route", async () => {
    const { id } = await raise();
    const asked = await Promise.all([
      stranger.get(`${REQUESTS}/${id}`),
      stranger.get(`${REQUESTS}/${id}/updates`),
      stranger.get(`${REQUESTS}/${id}/transitions`),
      stranger.patch(`${REQUESTS}/${id}`, { subject: 'mine' }),
      stranger.post(`${REQUESTS}/${id}/transition`, { state: 'triaged' }),
      stranger.post(`${REQUESTS}/${id}/assign`, { assignedUserId: 'me' }),
      stranger.post(`${REQUESTS}/${id}/updates`, { body: 'hello' }),
      stranger.patch(`${REQUESTS}/${id}`, { subject: 'mine' }, { 'if-match': '"7"' }),
    ]);
    const never = await agent.get(`${REQUESTS}/${randomUUID()}`);
    for (const { status, body } of asked) {
      expect(status).toBe(404);
      expect({ ...body, requestId: 0 }).toEqual({ ...never.body, requestId: 0 });
    }
    expect((await stranger.get(REQUESTS)).body.total).toBe(0);
    expect((await agent.get(`${REQUESTS}/${id}`)).body.revision).toBe(0);
  });

  it('asks for a credential', async () =>
    expect(await platform.as(null).get(REQUESTS)).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      body: { code: 'UNAUTHENTICATED' },
    }));

  it('accepts no API key yet', async () =>
    expect(await platform.as(null).get(REQUESTS, { authorization: 'Bearer atr_x' })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED' },
    }));
});
