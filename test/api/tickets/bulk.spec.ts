/** One action on many tickets. contract.md sections 1 and 5. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { countRefusal } from '../../../src/api/tickets/bulk.ts';
import {
  TICKET_BULK_AT_ONCE,
  TICKET_BULK_MAX,
  TICKET_BULKS,
} from '../../../src/api/tickets/limits.ts';
import { LogUnavailable } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { postgresEventStore } from '../../../src/engine/log/postgres/store.ts';
import { ANSWERS } from '../../../src/projections/tickets/query/tables.ts';
import { testApi } from '../../support/api/api.ts';
import { callerOf } from '../../support/api/caller.ts';
import { letPass } from '../../support/until.ts';

const REQUESTS = '/api/service-desk/requests';
const BULK = `${REQUESTS}/bulk`;

const platform = testApi();
const agent = platform.as('agent@acme.test');
const viewer = platform.as('viewer@acme.test');
const stranger = platform.as('agent@globex.test');
let buildingId: string;

beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

interface Line {
  id: string;
  status: 'done' | 'refused';
  code?: string;
}
interface Outcome {
  lines: Line[];
  last: { summary?: { done: number; refused: number }; problem?: { code: string } };
}

const linesIn = (body: string): Outcome => {
  const lines = body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  return { last: lines.pop() as Outcome['last'], lines: lines as Line[] };
};
const acted = async (
  body: object,
  { caller = agent, key }: { caller?: typeof agent; key?: string } = {},
): Promise<Outcome> => {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await caller.post(BULK, body, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return linesIn(answer.body);
};
const raised = async (count: number, over: object = {}): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const made = await agent.post(REQUESTS, { buildingId, description: 'Cold', ...over });
      expect(made.status).toBe(201);
      return made.body.id as string;
    }),
  );
const ticketOf = async (id: string) => (await agent.get(`${REQUESTS}/${id}`)).body;

describe('a bulk', () => {
  it.each([
    [{ assign: { assignedTeamId: 'hvac', note: 'All of you' } }, { assignedTeamId: 'hvac' }],
    [{ transition: { state: 'triaged' } }, { state: 'triaged' }],
    [{ patch: { priority: 'critical', metadata: { a: 1 } } }, { priority: 'critical' }],
    [{ note: { body: 'Seen' } }, { state: 'new' }],
  ])('does %j to each ticket, and answers them in their order', async (action, after) => {
    const tickets = await raised(3);
    const { lines, last } = await acted({ tickets, action });
    expect(lines).toEqual(tickets.map((id) => ({ id, status: 'done' })));
    expect(last).toEqual({ summary: { done: 3, refused: 0 } });
    for (const id of tickets) expect(await ticketOf(id)).toMatchObject(after);
  });

  it('is immediately visible in the list', async () => {
    const category = randomUUID();
    const tickets = await raised(5);
    await acted({ tickets, action: { patch: { category } } });
    expect((await agent.get(`${REQUESTS}?category=${category}`)).body.total).toBe(5);
  });

  it('returns the code of each refusal, and continues', async () => {
    const [open, ended] = (await raised(2)) as [string, string];
    await agent.post(`${REQUESTS}/${ended}/transition`, { state: 'cancelled' });
    const unknown = randomUUID();
    const action = { transition: { state: 'triaged' } };
    const { lines, last } = await acted({ tickets: [ended, unknown, open], action });
    expect(lines).toMatchObject([
      { id: ended, status: 'refused', code: 'TRANSITION_NOT_ALLOWED' },
      { id: unknown, status: 'refused', code: 'NOT_FOUND' },
      { id: open, status: 'done' },
    ]);
    expect(last).toEqual({ summary: { done: 1, refused: 2 } });
    const location = { patch: { spaceId: randomUUID() } };
    const [line] = (await acted({ tickets: [open], action: location })).lines;
    expect(line).toMatchObject({ status: 'refused', code: 'REFERENCE_NOT_FOUND' });
  });

  it("answers for another organisation's ticket as for an unknown one", async () => {
    const [id] = (await raised(1)) as [string];
    const action = { note: { body: 'Mine' } };
    const of = async (ticket: string) =>
      (await acted({ tickets: [ticket], action }, { caller: stranger })).lines[0]!;
    const [theirs, none] = [await of(id), await of(randomUUID())];
    expect({ ...theirs, id: null }).toEqual({ ...none, id: null });
    expect(theirs).toMatchObject({ status: 'refused', code: 'NOT_FOUND' });
    expect((await ticketOf(id)).revision).toBe(0);
    expect((await viewer.post(BULK, { tickets: [id], action })).status).toBe(403);
  });

  it('answers the most tickets with the largest texts, line by line', async () => {
    const there = await raised(20);
    const none = Array.from({ length: TICKET_BULK_MAX - there.length }, () => randomUUID());
    const metadata = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, at]));
    const action = { patch: { description: '\u{fdfa}'.repeat(20_000), metadata } };
    const { lines, last } = await acted({ tickets: [...none, ...there], action });
    expect(lines.map(({ id }) => id)).toEqual([...none, ...there]);
    expect(last).toEqual({ summary: { done: there.length, refused: none.length } });
  });

  it('acts once on a ticket that is named twice', async () => {
    const [id] = (await raised(1)) as [string];
    const { lines } = await acted({ tickets: [id, id], action: { note: { body: 'Once' } } });
    expect(lines).toEqual([{ id, status: 'done' }]);
    expect((await ticketOf(id)).revision).toBe(1);
  });

  it.each([
    ['neither tickets nor filter', { action: { note: { body: 'x' } } }],
    ['no action', { tickets: [randomUUID()], action: {} }],
    [
      'two actions',
      { tickets: [randomUUID()], action: { note: { body: 'x' }, patch: { subject: 'x' } } },
    ],
    ['a filter without a count', { filter: {}, action: { note: { body: 'x' } } }],
    ['an action that its route refuses', { tickets: [randomUUID()], action: { assign: {} } }],
    [
      'too many tickets',
      {
        tickets: Array.from({ length: TICKET_BULK_MAX + 1 }, () => randomUUID()),
        action: { note: { body: 'x' } },
      },
    ],
  ])('is refused as a whole for %s', async (_, body) => {
    const { status, body: problem } = await agent.post(BULK, body);
    expect([status, problem.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('stores a number of metadata exactly, or is refused', async () => {
    const action = '{"patch":{"metadata":{"a":12345678901234567890}}}';
    const body = `{"tickets":["${randomUUID()}"],"action":${action}}`;
    const { status, body: problem } = await agent.post(BULK, body);
    expect([status, problem.errors[0].path]).toEqual([400, 'action.patch.metadata.a']);
  });
});

describe('a bulk of assignments', () => {
  it('warns of an unknown assignee at each ticket, as a single assignment does', async () => {
    const manager = platform.as('manager@acme.test');
    const path = '/api/service-desk/configuration';
    const configured = async (directory: object | undefined) => {
      const { body } = await manager.get(path);
      const { directory: _, ...others } = body;
      const put = await manager.put(path, { ...others, ...(directory ? { directory } : {}) });
      expect(put.status).toBe(200);
    };
    const teams = [{ teamId: 'hvac', name: 'HVAC', members: [] }];
    await configured({ users: [], teams });
    const tickets = await raised(2);
    const assign = { assignedTeamId: 'hvca' };
    const single = await agent.post(`${REQUESTS}/${tickets[0]!}/assign`, assign);
    expect(single.body.warnings).toHaveLength(1);
    const { lines } = await acted({ tickets: [...tickets, randomUUID()], action: { assign } });
    const { warnings } = single.body;
    expect(lines).toMatchObject([{ warnings }, { warnings }, { status: 'refused' }]);
    expect(lines[2]).not.toHaveProperty('warnings');
    const known = await acted({ tickets, action: { assign: { assignedTeamId: 'hvac' } } });
    expect(known.lines).toEqual(tickets.map((id) => ({ id, status: 'done' })));
    await configured(undefined);
  });
});

describe('a bulk by a filter', () => {
  it('acts on a whole search up to the limit, and refuses more', async () => {
    const word = randomUUID();
    const lines = Array.from({ length: TICKET_BULK_MAX }, (_, at) =>
      JSON.stringify({ importKey: `${word} ${at}`, buildingId, description: `Cold ${word}` }),
    );
    const imported = await agent.post(`${REQUESTS}/import`, lines.join('\n'), {
      'content-type': 'application/x-ndjson',
    });
    expect(imported.body).toContain(`"created":${TICKET_BULK_MAX}`);
    const action = { patch: { category: word } };
    const filter = { search: word };
    const { last } = await acted({ filter, expected: TICKET_BULK_MAX, action });
    expect(last).toEqual({ summary: { done: TICKET_BULK_MAX, refused: 0 } });
    expect((await agent.get(`${REQUESTS}?category=${word}`)).body.total).toBe(TICKET_BULK_MAX);
    await raised(1, { description: `Cold ${word}` });
    const more = await agent.post(BULK, { filter, expected: TICKET_BULK_MAX, action });
    expect([more.status, more.body.detail]).toEqual([
      409,
      'The filter matches 2001 tickets; a bulk request can change ' +
        'at most 2000 tickets: narrow the filter.',
    ]);
    const beyond = await agent.post(BULK, { filter, expected: TICKET_BULK_MAX + 1, action });
    expect([beyond.status, beyond.body.errors]).toEqual([
      400,
      [{ path: 'expected', message: 'a bulk acts on at most 2000 tickets' }],
    ]);
  });

  it.each([
    [{ total: 3, capped: false }, 3, null],
    [{ total: 3, capped: false }, 2, 'The filter matches 3 tickets, not 2.'],
    [
      { total: 10_000, capped: true },
      2_000,
      'The filter matches more than 10000 tickets; a bulk request can change ' +
        'at most 2000 tickets: narrow the filter.',
    ],
  ])('that finds %j where %i are expected: %s', (count, expected, refusal) =>
    expect(countRefusal(count, expected)).toBe(refusal),
  );

  it('acts on all that the filter finds, and only on the number that is expected', async () => {
    const category = randomUUID();
    const tickets = await raised(4, { category });
    const filter = { category, state: 'new,triaged' };
    const action = { transition: { state: 'triaged' } };
    const refused = await agent.post(BULK, { filter, expected: 3, action });
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    for (const id of tickets) expect((await ticketOf(id)).revision).toBe(0);
    const { lines, last } = await acted({ filter, expected: 4, action });
    expect(lines.map(({ id }) => id).sort()).toEqual(tickets.sort());
    expect(last).toEqual({ summary: { done: 4, refused: 0 } });
  });

  it('continues with its first tickets, whatever the filter matches by then', async () => {
    const category = randomUUID();
    const tickets = await raised(3, { category });
    const body = {
      filter: { category, state: 'new' },
      expected: 3,
      action: { transition: { state: 'triaged' } },
    };
    const key = randomUUID();
    const first = await acted(body, { key });
    expect(await acted(body, { key })).toEqual(first);
    for (const id of tickets) expect((await ticketOf(id)).revision).toBe(1);
    const again = await agent.post(BULK, body, { 'idempotency-key': randomUUID() });
    expect(again.status).toBe(409);
  });
});

describe('under an Idempotency-Key', () => {
  it('a bulk records nothing twice, and refuses another body', async () => {
    const tickets = await raised(3);
    const key = randomUUID();
    const action = { note: { body: 'Once' } };
    await acted({ tickets, action }, { key });
    const { lines } = await acted({ tickets, action }, { key });
    expect(lines.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    for (const id of tickets) expect((await ticketOf(id)).revision).toBe(1);
    const repeated = await agent.post(BULK, { tickets, action }, { 'idempotency-key': key });
    expect(repeated.headers['idempotent-replayed']).toBe('true');
    const fresh = await agent.post(BULK, { tickets, action }, { 'idempotency-key': randomUUID() });
    expect(fresh.headers['idempotent-replayed']).toBeUndefined();
    const other = { tickets, action: { note: { body: 'Twice' } } };
    const refused = await agent.post(BULK, other, { 'idempotency-key': key });
    expect([refused.status, refused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });
});

/** A bulk whose answer is read line by line. */
const opened = async (address: string, body: object, key: string) => {
  const token = await platform.issuer.tokenOf('agent@acme.test');
  const sent = httpRequest(`${address}${BULK}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
  });
  sent.end(JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { sent, answer, lines: createInterface({ input: answer })[Symbol.asyncIterator]() };
};

describe('a bulk that ends early', () => {
  it('continues at its position when the caller repeats it', async () => {
    const tickets = await raised(120);
    const body = { tickets, action: { note: { body: 'x'.repeat(1_000) } } };
    const key = randomUUID();
    const { sent, lines } = await opened(platform.address, body, key);
    await lines.next();
    sent.on('error', () => {});
    sent.destroy();
    // The permit of the caller is free again once all work of the first one has ended.
    await expect
      .poll(async () => (await agent.post(BULK, body, { 'idempotency-key': key })).status)
      .toBe(200);
    const { lines: answered } = await acted(body, { key });
    expect(answered).toEqual(tickets.map((id) => ({ id, status: 'done' })));
    for (const id of tickets) expect((await ticketOf(id)).revision).toBe(1);
  });

  it('reports a failure of the log as such, and not as a refusal of tickets', async () => {
    const tickets = await raised(40);
    const stored = postgresEventStore({ url: platform.databaseUrl });
    const failing = tickets[25]!;
    const log = logWith(stored, {
      async append(stream, expected, events, options) {
        const appended = await stored.append(stream, expected, events, options);
        // The event is stored, but its acknowledgement is lost.
        if (stream === `ticket-${failing}`) throw new LogUnavailable('no answer');
        return appended;
      },
    });
    const other = await platform.beside({ log });
    const body = { tickets, action: { note: { body: 'x' } } };
    const key = randomUUID();
    const cut = await acted(body, { key, caller: other.as('agent@acme.test') });
    expect(cut.last).toMatchObject({ problem: { code: 'UNAVAILABLE' } });
    expect(cut.lines).toEqual(tickets.slice(0, 25).map((id) => ({ id, status: 'done' })));
    const { lines } = await acted(body, { key });
    expect(lines).toEqual(tickets.map((id) => ({ id, status: 'done' })));
    for (const id of tickets) expect((await ticketOf(id)).revision).toBe(1);
  });
});

/** Of a program of the organisation: a further caller that may write tickets. */
const bridgeToken = async (organisation: string): Promise<string> => {
  const answer = await fetch(`${platform.issuer.url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${organisation}-bridge:atrium-demo`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'organization' }),
  });
  return ((await answer.json()) as { readonly access_token: string }).access_token;
};

describe('bulks at the same time', () => {
  it('are bounded per caller and organisation, with the most that each may have', async () => {
    const there = await raised(TICKET_BULK_AT_ONCE);
    const none = Array.from({ length: TICKET_BULK_MAX - there.length }, () => randomUUID());
    const stored = postgresEventStore({ url: platform.databaseUrl });
    const held = Promise.withResolvers<void>();
    let waiting = 0;
    const log = logWith(stored, {
      async append(stream, ...rest) {
        if (stream.startsWith('ticket-')) {
          waiting += 1;
          await held.promise;
        }
        return stored.append(stream, ...rest);
      },
    });
    const other = await platform.beside({ log });
    const metadata = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, at]));
    const action = { patch: { description: '\u{fdfa}'.repeat(20_000), metadata } };
    const body = { tickets: [...there, ...none], action };
    const of = (email: string) => other.as(email).post(BULK, body);
    const agents = ['agent@acme.test', 'manager@acme.test'];
    expect(TICKET_BULKS).toMatchObject({ ofCaller: 1, ofOrganisation: agents.length });
    try {
      const begun: ReturnType<typeof of>[] = [];
      for (const email of agents) {
        begun.push(of(email));
        const all = begun.length * TICKET_BULK_AT_ONCE;
        await expect.poll(() => waiting).toBe(all);
        const again = await of(email);
        expect([again.status, again.body.code]).toEqual([429, 'RATE_LIMITED']);
        expect(again.headers['retry-after']).toBeDefined();
      }
      const third = await callerOf(
        () => other.address,
        () => bridgeToken('acme'),
      ).post(BULK, body);
      expect([third.status, third.body.code]).toEqual([429, 'RATE_LIMITED']);
      // Another organisation has its own slots, and all other requests are served.
      expect((await of('agent@globex.test')).status).toBe(200);
      expect((await other.as('agent@acme.test').get(REQUESTS)).status).toBe(200);
      held.resolve();
      for (const { status, body: answer } of await Promise.all(begun)) {
        expect(status).toBe(200);
        expect(linesIn(answer).last.summary).toEqual({ done: there.length, refused: none.length });
      }
    } finally {
      held.resolve();
    }
  });
});

// The last one, because the read models are late for a while afterwards.
describe('a bulk by answers of forms', () => {
  it('waits for those that its caller has written, as the list does', async () => {
    const answers = new Client({ connectionString: platform.databaseUrl });
    await answers.connect();
    await answers.query(`begin; lock table ${ANSWERS} in exclusive mode`);
    const formData = { batch: randomUUID() };
    const made = await agent.post(REQUESTS, { buildingId, description: 'Cold', formData });
    const position = { 'x-atrium-position': made.headers['x-atrium-position']! };
    const filter = { 'field.batch': formData.batch };
    const body = { filter, expected: 1, action: { note: { body: 'Seen' } } };
    const acting = agent.post(BULK, body, position);
    await letPass(300, 'the bulk reads, or waits for the answers');
    await answers.end();
    expect((await acting).status).toBe(200);
  });
});
