import { beforeAll, describe, expect, it } from 'vitest';
import { TicketBody } from '../../../src/api/tickets/schemas.ts';
import type { Role } from '../../../src/config/values.ts';
import { publicTicket } from '../../../src/domain/tickets/public-ticket.ts';
import type { Identity } from '../../../src/identity/caller.ts';
import { oidcIdentity } from '../../../src/identity/oidc/token-check.ts';
import { CHANGES_WAITING_OF_CALLER_MAX } from '../../../src/domain/tickets/limits.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { postgresEventStore } from '../../../src/engine/log/postgres/store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { testApi } from '../../support/api/api.ts';
import { opened, viewOf } from '../../support/domain/tickets.ts';
import { heldFor } from '../../support/until.ts';

const REQUESTS = '/api/service-desk/requests';
const CHANGES = '/api/service-desk/changes';

const platform = testApi();
const agent = platform.as('agent@acme.test');
const stranger = platform.as('agent@globex.test');
let buildingId: string;

beforeAll(async () => {
  buildingId = await platform.importBuilding();
});

const raise = async (over: object = {}, headers: Record<string, string> = {}) => {
  const body = { buildingId, description: 'Water under the sink', ...over };
  const answer = await agent.post(REQUESTS, body, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer;
};
const changes = async (query: string, caller = agent) => {
  const answer = await caller.get(`${CHANGES}?${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const end = async (): Promise<string> => (await changes('after=end')).nextCursor;

describe('GET /api/service-desk/changes', () => {
  it('has the effect of each command, with the ticket as answered to it', async () => {
    const start = await end();
    const made = (await raise({ subject: 'Sink' })).body;
    const path = `${REQUESTS}/${made.id}`;
    const moved = await agent.post(`${path}/transition`, { state: 'triaged', note: 'Seen' });
    const assigned = await agent.post(`${path}/assign`, { assignedTeamId: 'crew-7' });
    const patched = await agent.patch(path, { subject: 'Basin' });
    const noted = await agent.post(`${path}/updates`, { body: 'Called back.' });
    const { items, nextCursor, ...rest } = await changes(`after=${start}`);
    expect(rest).toEqual({ caughtUp: true });
    expect(items).toMatchObject([
      { change: 'created', ticket: made, at: made.createdAt, origin: 'api' },
      { change: 'state', ticket: moved.body },
      { change: 'assignment', ticket: assigned.body },
      { change: 'fields', ticket: patched.body },
      { change: 'note', at: noted.body.createdAt },
    ]);
    for (const { ticketId, actor, at, ticket } of items) {
      expect(ticketId).toBe(made.id);
      expect(actor).toEqual(made.createdBy);
      expect(at).toBe(ticket.updatedAt);
    }
    expect(items.at(-1).ticket).toEqual((await agent.get(path)).body);
    expect(items.map((item: { position: string }) => item.position).at(-1)).toBe(
      noted.headers['x-atrium-position'],
    );
    expect(await changes(`after=${nextCursor}`)).toEqual({
      items: [],
      nextCursor,
      caughtUp: true,
    });
  });

  it('has no item for a command without effect, a refused or a repeated one', async () => {
    const start = await end();
    const key = { 'idempotency-key': `once-${start}` };
    const { body } = await raise({ subject: 'Sink' }, key);
    await raise({ subject: 'Sink' }, key);
    const path = `${REQUESTS}/${body.id}`;
    await agent.patch(path, { subject: 'Sink' });
    await agent.post(`${path}/transition`, { state: 'closed' });
    await agent.post(`${path}/assign`, { assignedTeamId: null });
    const { items } = await changes(`after=${start}`);
    expect(items).toHaveLength(1);
  });

  it('starts at the beginning, and pages are as long as asked', async () => {
    for (let n = 0; n < 3; n += 1) await raise();
    const first = await changes('limit=1');
    expect(first.items).toHaveLength(1);
    expect(first.caughtUp).toBe(false);
    const second = await changes(`limit=1&after=${first.nextCursor}`);
    expect([...first.items, ...second.items]).toEqual((await changes('limit=2')).items);
  });

  it('returns for `after=end` the cursor at which a full read ends', async () => {
    const none = { items: [], nextCursor: '0', caughtUp: true };
    expect(await changes('after=end', platform.as('agent@globex.test'))).toEqual(none);
    await raise();
    let { nextCursor, caughtUp } = await changes('limit=500');
    while (!caughtUp) ({ nextCursor, caughtUp } = await changes(`after=${nextCursor}&limit=500`));
    expect(await changes('after=end&wait=25')).toEqual({ ...none, nextCursor });
  });

  it('is separate per organisation, and others do not move its cursor', async () => {
    const before = await changes('', stranger);
    await raise();
    const after = await changes(`after=${before.nextCursor}`, stranger);
    expect(after).toEqual({ ...before, items: [], caughtUp: true });
  });

  it('has the notes of a change, internal ones only with permission', async () => {
    const start = await end();
    const { id } = (await raise()).body;
    const path = `${REQUESTS}/${id}`;
    const inside = (await agent.post(`${path}/updates`, { body: 'Inside.' })).body;
    const outside = (
      await agent.post(`${path}/updates`, { body: 'Outside.', visibility: 'public' })
    ).body;
    expect(inside.visibility).toBe('internal');
    await agent.post(`${path}/transition`, { state: 'triaged', note: 'Seen.' });
    await agent.post(`${path}/assign`, { assignedTeamId: 'crew', note: 'Yours.' });
    const notesFor = async (email: string) => {
      const { items } = await changes(`after=${start}`, platform.as(email));
      expect(items).toHaveLength(5);
      return items.map(({ notes }: { notes?: { body: string }[] }) => notes);
    };
    const noted = (body: string) => [
      { id: expect.any(String), body, visibility: 'internal', createdAt: expect.any(String) },
    ];
    for (const email of ['agent@acme.test', 'manager@acme.test', 'auditor@acme.test'])
      expect(await notesFor(email)).toMatchObject([
        undefined,
        [inside],
        [outside],
        noted('Seen.'),
        noted('Yours.'),
      ]);
    expect(await notesFor('viewer@acme.test')).toEqual([
      undefined,
      undefined,
      [outside],
      undefined,
      undefined,
    ]);
  });

  it('is narrowed to a building', async () => {
    const start = await end();
    const { id } = (await raise()).body;
    const of = async (building: string) =>
      (await changes(`after=${start}&buildingId=${building}`)).items;
    expect(await of(buildingId.toUpperCase())).toMatchObject([{ ticketId: id }]);
    expect(await of('00000000-0000-4000-8000-000000000000')).toEqual([]);
  });

  it.each([
    'limit=0',
    'limit=501',
    'wait=26',
    'wait=-1',
    'since=0',
    'after=x',
    'after=',
    'after=-1',
    'buildingId=north',
  ])('refuses ?%s', async (query) => {
    const answer = await agent.get(`${CHANGES}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('VALIDATION_FAILED');
  });

  it('refuses a cursor that it has never given', async () => {
    const answer = await agent.get(`${CHANGES}?after=999999999`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      { path: 'after', message: 'is not a cursor of this feed' },
    ]);
  });

  it('needs the permission to read tickets', async () => {
    expect((await platform.as('developer@acme.test').get(CHANGES)).status).toBe(403);
    expect((await platform.as('operator@atrium.test').get(CHANGES)).status).toBe(403);
    expect((await platform.as('viewer@acme.test').get(CHANGES)).status).toBe(200);
  });
});

describe('waiting', () => {
  it('is over with the first change', async () => {
    const start = await end();
    const held = changes(`after=${start}&wait=25`);
    expect(await heldFor(held, 300)).toBe('held');
    const { body } = await raise();
    expect((await held).items).toMatchObject([{ ticketId: body.id, change: 'created' }]);
  });

  it('is over after as many seconds as asked, without a change', async () => {
    const start = await end();
    const held = changes(`after=${start}&wait=1`);
    expect(await heldFor(held, 500)).toBe('held');
    expect((await held).items).toEqual([]);
  });

  it('longer than any other request is no lateness', async () => {
    const start = await end();
    const bound = 200;
    const other = await platform.beside({ roles: new Set<Role>(['api']), answerMaxMs: bound });
    const held = other.as('agent@acme.test').get(`${CHANGES}?after=${start}&wait=5`);
    // It is still held when the bound of every other request is over.
    expect(await heldFor(held, 2 * bound)).toBe('held');
    const { body } = await raise();
    expect((await held).body.items).toMatchObject([{ ticketId: body.id }]);
  });

  it('ends when the client disconnects, and releases its resources', async () => {
    const log = postgresEventStore({ url: platform.databaseUrl });
    let open = 0;
    const subscribe: EventStore['subscribe'] = async function* (...asked) {
      open += 1;
      try {
        yield* log.subscribe(...asked);
      } finally {
        open -= 1;
      }
    };
    const roles = new Set<Role>(['api']);
    const other = await platform.beside({ roles, log: logWith(log, { subscribe }) });
    const start = await end();
    const authorization = `Bearer ${await platform.issuer.tokenOf('agent@acme.test')}`;
    const gone = new AbortController();
    const asked = Array.from({ length: 20 }, () =>
      fetch(`${other.address}${CHANGES}?after=${start}&wait=25`, {
        headers: { authorization },
        signal: gone.signal,
      }),
    );
    await expect.poll(() => open).toBe(1);
    gone.abort();
    const answers = await Promise.allSettled(asked);
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    await expect.poll(() => open).toBe(0);
  });

  it('is bounded per caller, without effect on others of the organisation', async () => {
    const start = await end();
    const gone = new AbortController();
    const held = (email: string) => async () => {
      const authorization = `Bearer ${await platform.issuer.tokenOf(email)}`;
      const answer = await fetch(`${platform.address}${CHANGES}?after=${start}&wait=25`, {
        headers: { authorization },
        signal: gone.signal,
      });
      return answer.status;
    };
    const asked = Array.from({ length: CHANGES_WAITING_OF_CALLER_MAX + 5 }, () =>
      held('viewer@acme.test')().catch(() => 'gone'),
    );
    const turnedAway = async () => {
      const statuses = await Promise.all(
        asked.map((one) => Promise.race([one, Promise.resolve('held')])),
      );
      return statuses.filter((status) => status === 429).length;
    };
    await expect.poll(turnedAway).toBe(5);
    expect(
      await heldFor(
        held('agent@acme.test')().catch(() => 'gone'),
        300,
      ),
    ).toBe('held');
    gone.abort();
    // Their slots are free immediately.
    const { body } = await raise();
    const again = await platform.as('viewer@acme.test').get(`${CHANGES}?after=${start}&wait=25`);
    expect(again.body.items).toMatchObject([{ ticketId: body.id }]);
  });

  it('ends for a client that disconnects while its credential is checked', async () => {
    const checking = Promise.withResolvers<void>();
    const checked = Promise.withResolvers<void>();
    const identity = oidcIdentity({
      issuer: platform.issuer.url,
      audience: 'atrium',
      environment: 'development',
    });
    const slow: Identity = {
      ...identity,
      async callerOf(token) {
        checking.resolve();
        await checked.promise;
        return identity.callerOf(token);
      },
    };
    const log = postgresEventStore({ url: platform.databaseUrl });
    let subscribed = 0;
    const subscribe: EventStore['subscribe'] = (...asked) => {
      subscribed += 1;
      return log.subscribe(...asked);
    };
    const other = await platform.beside({
      roles: new Set<Role>(['api']),
      identity: slow,
      log: logWith(log, { subscribe }),
    });
    const before = subscribed;
    const authorization = `Bearer ${await platform.issuer.tokenOf('agent@acme.test')}`;
    const gone = new AbortController();
    const asked = fetch(`${other.address}${CHANGES}?after=${await end()}&wait=25`, {
      headers: { authorization },
      signal: gone.signal,
    }).catch(() => 'gone');
    await checking.promise;
    gone.abort();
    expect(await asked).toBe('gone');
    checked.resolve();
    // Otherwise its slot would still be held, and this request refused.
    expect(await other.as('agent@acme.test').get(CHANGES)).toMatchObject({ status: 200 });
    expect(subscribed).toBe(before);
  });

  it('does not hold up a server that stops', async () => {
    const other = await platform.beside();
    const start = await end();
    const held = other.as('agent@acme.test').get(`${CHANGES}?after=${start}&wait=25`);
    expect(await heldFor(held, 300)).toBe('held');
    const stopped = other.close().then(() => 'stopped');
    expect(await heldFor(stopped, 20_000)).toBe('stopped');
    expect(await held).toMatchObject({ status: 200, body: { items: [] } });
  });
});

it('every member that is shown is one of the interface, and the other way round', () => {
  const shown = Object.keys(publicTicket(viewOf([opened()])));
  expect(shown.toSorted()).toEqual(Object.keys(TicketBody.shape).toSorted());
});
