/** Reports without sign-in, over HTTP. contract.md section 5. */
import { randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { emptyConfiguration } from '../../../src/domain/service-desk/configuration.ts';
import {
  REPORT_WINDOW_MS,
  REPORTS_OF_ROOM_MAX,
  REPORTS_OF_SOURCE_MAX,
  REPORTS_UNPROVEN_MAX,
} from '../../../src/domain/public-reports/limits.ts';
import { virtualClock } from '../../../src/engine/time/clock.ts';
import { LogUnavailable } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { testApi } from '../../support/api/api.ts';
import { solved } from '../../support/api/proof.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { collectedTracing } from '../../support/tracing/collected.ts';

const REPORT = '/api/service-desk/report';
const REQUESTS = '/api/service-desk/requests';
const CONFIGURATION = '/api/service-desk/configuration';

const clock = virtualClock();
// The test itself is the proxy, so that it can be many sources.
const platform = testApi(() => ({ clock, trustedProxies: ['127.0.0.1'] }));
const anyone = platform.as(null);
const manager = platform.as('manager@acme.test');
const agent = platform.as('agent@acme.test');
let buildingId: string;
let foreignBuildingId: string;
let spaces: readonly { readonly id: string; readonly code: string; readonly name: string }[];

const switchTo = async (requesterAccess: string, email = 'manager@acme.test') => {
  const put = await platform
    .as(email)
    .put(CONFIGURATION, { ...emptyConfiguration, requesterAccess });
  expect(put.status).toBe(200);
};

let sources = 0;
/** A source that has reported nothing yet. */
const freshSource = () => {
  sources += 1;
  return { 'x-forwarded-for': `198.51.${sources >> 8}.${sources & 255}` };
};
const proven = async (headers: Record<string, string> = {}) => {
  const { body } = await anyone.get(`${REPORT}/challenge`, freshSource());
  return { ...headers, 'x-atrium-proof': solved(body) };
};
const report = (over: object = {}, headers: Record<string, string> = freshSource()) =>
  anyone.post(
    REPORT,
    { organisation: 'acme', buildingId, description: 'The radiator drips.', ...over },
    headers,
  );
const tokenIn = ({ body }: { readonly body: { readonly statusUrl: string } }) =>
  new URL(body.statusUrl).hash.slice(1);
const status = (token: string) =>
  anyone.get(`${REPORT}/status`, { 'x-atrium-status-token': token, ...freshSource() });
const ticketOf = async (number: string) => {
  const find = async () => (await agent.get(`${REQUESTS}?number=${number}`)).body.items;
  await expect.poll(find).toHaveLength(1);
  return (await find())[0];
};
const later = (ms: number) => clock.moveTo(clock.offsetMs + ms);

beforeAll(async () => {
  buildingId = await platform.importBuilding();
  foreignBuildingId = await platform.importBuilding('manager@globex.test');
  const found = await agent.get(`/api/v1/buildings/${buildingId}/spaces?limit=50`);
  spaces = found.body.items;
});
beforeEach(async () => {
  later(REPORT_WINDOW_MS);
  await switchTo('anyone');
});

describe('a report without sign-in', () => {
  it('is a ticket of type general, with the name and address of its reporter', async () => {
    const spaceId = spaces[0]!.id;
    const answer = await report({
      spaceId,
      subject: 'Radiator',
      reporterName: 'Kim',
      reporterEmail: 'kim@example.com',
    });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body)).toEqual(['number', 'statusUrl']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['set-cookie']).toBeUndefined();
    const position = answer.headers['x-atrium-position']!;
    const shown = await agent.get(`${REQUESTS}?spaceId=${spaceId}`, {
      'x-atrium-position': position,
    });
    expect([shown.headers['x-atrium-stale'], shown.body.total]).toEqual([undefined, 1]);
    expect(await ticketOf(answer.body.number)).toMatchObject({
      spaceId,
      subject: 'Radiator',
      description: 'The radiator drips.',
      requestType: 'general',
      channel: 'portal',
      reporterName: 'Kim',
      reporterEmail: 'kim@example.com',
      state: 'new',
      createdBy: { kind: 'system', id: 'anonymous' },
    });
  });

  it('is routed and has clocks', async () => {
    const rule = {
      ruleId: 'wet',
      name: 'Wet',
      match: { text: 'drips' },
      assignTeamId: 'plumbing',
    };
    const desk = { ...emptyConfiguration, requesterAccess: 'anyone', routingRules: [rule] };
    await manager.put(CONFIGURATION, desk);
    const ticket = await ticketOf((await report()).body.number);
    expect(ticket).toMatchObject({ assignedTeamId: 'plumbing' });
    expect(ticket.slaResolutionDueAt).not.toBeNull();
  });

  it('is accepted although its type has a form, which the page does not show', async () => {
    const field = { key: 'urgent', label: 'Urgent', kind: 'flag', required: true };
    const requestTypes = [{ requestType: 'general', name: 'General', fields: [field] }];
    await manager.put(CONFIGURATION, {
      ...emptyConfiguration,
      requesterAccess: 'anyone',
      requestTypes,
    });
    expect((await report()).status).toBe(201);
  });

  it('is not accepted while its type is for staff alone; earlier links stay', async () => {
    const token = tokenIn(await report());
    const requestTypes = [
      { requestType: 'general', name: 'General', fields: [], requester: false },
    ];
    const desk = { ...emptyConfiguration, requesterAccess: 'anyone', requestTypes };
    expect((await manager.put(CONFIGURATION, desk)).status).toBe(200);
    const place = `${REPORT}/place?building=${buildingId}`;
    const never = await report({ organisation: 'no-such' });
    for (const answer of [await report(), await anyone.get(place, freshSource())]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(answer.body.detail).toBe(never.body.detail);
    }
    expect((await status(token)).status).toBe(200);
    await switchTo('anyone');
    expect((await anyone.get(place, freshSource())).status).toBe(200);
  });

  it('is one under its key, with one number and one link, wherever it is repeated', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await report({}, { ...freshSource(), ...key });
    const again = await report({}, { ...freshSource(), ...key });
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await report({ description: 'Another' }, { ...freshSource(), ...key });
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    const all = await Promise.all(
      Array.from({ length: 6 }, async () =>
        report({}, { ...(await proven(freshSource())), ...key }),
      ),
    );
    expect(new Set(all.map(({ body }) => body.number))).toEqual(new Set([first.body.number]));
  });

  it('is one when its requests race in two processes', async () => {
    const other = await platform.beside({ clock, trustedProxies: ['127.0.0.1'] });
    const headers = { ...freshSource(), 'idempotency-key': randomUUID() };
    const body = { organisation: 'acme', buildingId, description: 'Twice' };
    const [here, there] = await Promise.all([
      anyone.post(REPORT, body, headers),
      other.as(null).post(REPORT, body, headers),
    ]);
    expect([here.status, there.status]).toEqual([201, 201]);
    expect(here.body).toEqual(there.body);
  });

  it('ignores cookies, tokens and the origin of the request', async () => {
    const session = { cookie: 'atrium=whatever', authorization: 'Bearer nonsense' };
    const cross = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    const answer = await report({}, { ...freshSource(), ...session, ...cross });
    expect(answer.status).toBe(201);
    expect((await ticketOf(answer.body.number)).createdBy.id).toBe('anonymous');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('is refused when the hidden honeypot field is filled in', async () => {
    const answer = await report({ website: 'https://spam.example' });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'website' }] } });
    expect((await report({ website: '' })).status).toBe(201);
  });

  it('is refused without a description, with unknown members and beyond 256 KiB', async () => {
    expect((await report({ description: ' ' })).status).toBe(400);
    expect((await report({ priority: 'critical' })).status).toBe(400);
    expect((await report({ reporterEmail: 'nobody' })).status).toBe(400);
    expect((await report({ description: 'x'.repeat(300_000) })).status).toBe(413);
  });
});

describe('an anonymous caller', () => {
  it.each(['off', 'signed-in'])(
    'cannot tell an organisation with reports %s from an unknown one',
    async (access) => {
      const unknown = await report({ organisation: 'nowhere' });
      await switchTo(access);
      const known = await report();
      const { requestId: _, ...problem } = known.body;
      expect(unknown.body).toMatchObject(problem);
      expect(known).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    },
  );

  it('is one problem for a building that is not of the organisation, wherever it is', async () => {
    const elsewhere = await report({ buildingId: foreignBuildingId });
    const nowhere = await report({ buildingId: randomUUID() });
    const { requestId: _, ...problem } = elsewhere.body;
    expect(elsewhere).toMatchObject({ status: 400, body: { code: 'REFERENCE_NOT_FOUND' } });
    expect(nowhere.body).toMatchObject(problem);
    expect(await report({ spaceId: randomUUID() })).toMatchObject({
      status: 400,
      body: { code: 'REFERENCE_NOT_FOUND', errors: [{ path: 'spaceId' }] },
    });
  });

  it('gets LOCATION_CONTRADICTION for a contradictory location', async () => {
    const { body } = await agent.get(`/api/v1/buildings/${buildingId}/elements?limit=50`);
    const element = body.items.find((one: { spaceId: string | null }) => one.spaceId !== null);
    const other = spaces.find(({ id }) => id !== element.spaceId)!;
    expect(await report({ spaceId: other.id, elementId: element.id })).toMatchObject({
      status: 400,
      body: { code: 'LOCATION_CONTRADICTION' },
    });
  });

  it('is the names of a label, and only where anyone reports', async () => {
    const space = spaces[0]!;
    const place = (query: string) => anyone.get(`${REPORT}/place?${query}`, freshSource());
    const label = `building=${buildingId}&space=${space.id}`;
    const found = await place(label);
    expect(found).toMatchObject({
      status: 200,
      body: {
        organisation: 'acme',
        building: { id: buildingId },
        place: { kind: 'space', id: space.id, code: space.code, name: space.name },
      },
    });
    expect(Object.keys(found.body.place)).toEqual(['kind', 'id', 'code', 'name', 'storey']);
    const renewed = `building=${buildingId}&space=${randomUUID()}&code=${space.code}`;
    expect((await place(renewed)).body.place.id).toBe(space.id);
    const gone = `building=${buildingId}&space=${randomUUID()}&code=none`;
    expect((await place(gone)).body.place).toBeNull();
    await switchTo('signed-in');
    const refused = await place(label);
    expect(refused.status).toBe(404);
    const { requestId: _, ...problem } = refused.body;
    expect((await place(`building=${randomUUID()}`)).body).toMatchObject(problem);
    expect((await place(`building=${foreignBuildingId}`)).body).toMatchObject(problem);
  });
});

describe('the limits of an hour', () => {
  it('are five reports per address over all processes', async () => {
    const other = await platform.beside({ clock, trustedProxies: ['127.0.0.1'] });
    const source = freshSource();
    for (let times = 0; times < REPORTS_OF_SOURCE_MAX; times += 1)
      expect((await report({ spaceId: spaces[times]!.id }, source)).status).toBe(201);
    const body = { organisation: 'acme', buildingId, description: 'Six' };
    for (const refused of [
      await report({}, source),
      await report({}, source),
      await other.as(null).post(REPORT, body, source),
    ]) {
      expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED', of: 'source' } });
      const wait = Number(refused.headers['retry-after']);
      expect(wait).toBeGreaterThan(REPORT_WINDOW_MS / 1_000 - 120);
      expect(wait).toBeLessThanOrEqual(REPORT_WINDOW_MS / 1_000);
    }
    later(REPORT_WINDOW_MS);
    expect((await report({}, source)).status).toBe(201);
  });

  it('do not count a repeat', async () => {
    const source = freshSource();
    const key = { 'idempotency-key': randomUUID() };
    const first = await report({}, { ...source, ...key });
    for (let times = 0; times < REPORTS_OF_SOURCE_MAX; times += 1)
      expect((await report({}, { ...source, ...key })).body).toEqual(first.body);
    for (let times = 1; times < REPORTS_OF_SOURCE_MAX; times += 1)
      expect((await report({}, source)).status).toBe(201);
    expect((await report({}, source)).status).toBe(429);
    expect((await report({}, { ...source, ...key })).body).toEqual(first.body);
  });

  it('do not count the retry of a report that the log did not take', async () => {
    let isAway = true;
    const log = logWith(platform.log, {
      append: async (...call) => {
        if (isAway) throw new LogUnavailable('it is away');
        return platform.log.append(...call);
      },
      // The first platform uses it on.
      close: async () => {},
    });
    const other = (await platform.beside({ clock, log, trustedProxies: ['127.0.0.1'] })).as(null);
    const source = freshSource();
    const send = (at: number, headers: object = {}) =>
      other.post(
        REPORT,
        { organisation: 'acme', buildingId, description: 'Wet', spaceId: spaces[at]!.id },
        { ...source, ...headers },
      );
    const first = { ...(await proven()), 'idempotency-key': randomUUID() };
    expect((await send(0, first)).status).toBe(503);
    isAway = false;
    for (let at = 1; at < REPORTS_OF_SOURCE_MAX; at += 1) expect((await send(at)).status).toBe(201);
    expect((await send(5)).status).toBe(429);
    later(600_000);
    expect((await send(0, first)).status).toBe(201);
  });

  it('accept five concurrent reports, and no sixth', async () => {
    const source = freshSource();
    const answered = async (at: number): Promise<number> => {
      const { status, body } = await report({ spaceId: spaces[at]!.id }, source);
      // On a slow machine a report may wait too long for its turn, and is not counted.
      return status === 429 && body.of !== 'source' ? answered(at) : status;
    };
    const statuses = await Promise.all(Array.from({ length: 12 }, (_, at) => answered(at)));
    expect(statuses.filter((one) => one === 201)).toHaveLength(REPORTS_OF_SOURCE_MAX);
    expect(new Set(statuses)).toEqual(new Set([201, 429]));
  });

  it('do not count refused reports', async () => {
    const source = freshSource();
    for (let times = 0; times < 8; times += 1) {
      expect((await report({ spaceId: randomUUID() }, source)).status).toBe(400);
      expect((await report({ organisation: 'nowhere' }, source)).status).toBe(404);
    }
    expect((await report({}, source)).status).toBe(201);
  });

  it('count a /64 of IPv6 as one address', async () => {
    for (let times = 1; times <= REPORTS_OF_SOURCE_MAX; times += 1) {
      const headers = { 'x-forwarded-for': `2001:db8:7:8:${times}::1` };
      expect((await report({ spaceId: spaces[times]!.id }, headers)).status).toBe(201);
    }
    const sixth = { 'x-forwarded-for': '2001:db8:7:8:ffff::1' };
    expect((await report({}, sixth)).status).toBe(429);
    expect((await report({}, { 'x-forwarded-for': '2001:db8:7:9::1' })).status).toBe(201);
  });

  it('are twenty reports per room, from any addresses', async () => {
    const spaceId = spaces[0]!.id;
    for (let times = 0; times < REPORTS_OF_ROOM_MAX; times += 1)
      expect((await report({ spaceId }, await proven(freshSource()))).status).toBe(201);
    expect(await report({ spaceId }, await proven(freshSource()))).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED', of: 'room' },
    });
    expect((await report({ spaceId: spaces[1]!.id })).status).toBe(201);
  });

  it('ignore forwarded addresses when no proxy is trusted', async () => {
    const direct = await platform.beside({ clock });
    const body = { organisation: 'acme', buildingId, description: 'Spoofed' };
    const send = () =>
      direct.as(null).post(REPORT, body, { ...freshSource(), forwarded: 'for=1.2.3.4' });
    for (let times = 0; times < REPORTS_OF_SOURCE_MAX; times += 1)
      expect((await send()).status).toBe(201);
    expect((await send()).status).toBe(429);
  });

  it('store no address, and delete counts after the hour', async () => {
    const pool = poolOf(platform.databaseUrl);
    onTestFinished(() => pool.end());
    await report({}, { 'x-forwarded-for': '203.0.113.77' });
    const { rows } = await pool.query<{ row: string }>(
      `select encode(source, 'escape') || a::text as row from public_report.admitted a`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ row }) => row.includes('203.0.113.77'))).toEqual([]);
    later(REPORT_WINDOW_MS);
    await report();
    const left = await pool.query('select from public_report.admitted');
    expect(left.rowCount).toBe(1);
  });
});

describe('a storm', () => {
  /** Requests of the storm under way at the same time. */
  const AT_ONCE = 50;

  it.each([
    [1, 5, 429],
    [40, REPORTS_UNPROVEN_MAX, 403],
  ])(
    'of 2,000 reports of %i addresses is %i tickets, and leaves a signed-in caller alone',
    async (addresses, tickets, refused) => {
      const from = Array.from({ length: addresses }, freshSource);
      const spaceOf = (at: number) => spaces[at % spaces.length]!.id;
      const statuses = new Map<number, number>();
      const unanswered = Array.from({ length: 2_000 }, (_, at) => at).values();
      const attack = async () => {
        for (const at of unanswered) {
          const answer = await report({ spaceId: spaceOf(at) }, from[at % addresses]);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        }
      };
      const answered = () => [...statuses.values()].reduce((sum, count) => sum + count, 0);
      const attacked = Promise.all(Array.from({ length: AT_ONCE }, attack));
      let read = 0;
      while (answered() < 2_000) {
        expect((await agent.get(`${REQUESTS}?limit=1`)).status).toBe(200);
        read += 1;
      }
      await attacked;
      expect(read).toBeGreaterThan(3);
      // Fewer where a busy machine has no capacity for the first ones.
      expect(statuses.get(201)).toBeGreaterThan(0);
      expect(statuses.get(201)).toBeLessThanOrEqual(tickets);
      expect(statuses.get(refused)).toBeGreaterThan(1_000);
      const others = [...statuses.keys()].filter((one) => ![201, 403, 429].includes(one));
      expect(others).toEqual([]);
    },
  );
});

describe('a proof of work', () => {
  it('is asked for after thirty reports of an hour without one', async () => {
    for (let times = 0; times < REPORTS_UNPROVEN_MAX; times += 1)
      expect((await report({ spaceId: spaces[times % 10]!.id })).status).toBe(201);
    const key = { 'idempotency-key': randomUUID() };
    const source = freshSource();
    expect(await report({}, { ...source, ...key })).toMatchObject({
      status: 403,
      body: { code: 'PROOF_REQUIRED', reason: 'missing' },
    });
    expect((await report({}, { ...(await proven(source)), ...key })).status).toBe(201);
  });

  it('is valid for one report and its repeats', async () => {
    const headers = { ...(await proven()), 'idempotency-key': randomUUID() };
    const first = await report({}, { ...freshSource(), ...headers });
    expect((await report({}, { ...freshSource(), ...headers })).body).toEqual(first.body);
    const other = { ...freshSource(), ...headers, 'idempotency-key': randomUUID() };
    expect(await report({}, other)).toMatchObject({
      status: 403,
      body: { code: 'PROOF_REQUIRED', reason: 'used' },
    });
  });

  it('is valid for exactly one of many concurrent reports', async () => {
    const proof = await proven();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => report({}, { ...freshSource(), ...proof })),
    );
    expect(answers.filter((one) => one.status === 201)).toHaveLength(1);
    expect(new Set(answers.map((one) => one.status))).toEqual(new Set([201, 403]));
  });

  it('is refused when it is wrong or old, although none was needed', async () => {
    const proof = await proven();
    const forged = { ...freshSource(), 'x-atrium-proof': `${proof['x-atrium-proof']}7` };
    expect((await report({}, forged)).body).toMatchObject({ reason: 'invalid' });
    later(600_000);
    const old = await report({}, { ...freshSource(), ...proof });
    expect(old).toMatchObject({ status: 403, body: { reason: 'expired' } });
  });
});

describe('a status link', () => {
  it('returns only number, state, times and public notes', async () => {
    const made = await report({ subject: 'Radiator', reporterName: 'Kim' });
    const ticket = await ticketOf(made.body.number);
    const path = `${REQUESTS}/${ticket.id}`;
    await agent.post(`${path}/updates`, { body: 'Between us' });
    await agent.post(`${path}/updates`, { body: 'We are coming.', visibility: 'public' });
    await agent.post(`${path}/assign`, { assignedUserId: 'ana', note: 'For Ana' });
    await agent.post(`${path}/transition`, { state: 'triaged' });
    const shown = await status(tokenIn(made));
    expect(shown).toMatchObject({
      status: 200,
      body: {
        number: made.body.number,
        subject: 'Radiator',
        state: 'triaged',
        createdAt: ticket.createdAt,
        notes: [{ body: 'We are coming.' }],
      },
    });
    expect(shown.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(Object.keys(shown.body.notes[0])).toEqual(['at', 'body']);
    expect(JSON.stringify(shown.body)).not.toMatch(/Kim|Agent|ana|Between|priority|sla/i);
  });

  it('is revoked by the desk, of its organisation alone, twice as once', async () => {
    const made = await report();
    const { id } = await ticketOf(made.body.number);
    const link = `${REQUESTS}/${id}/status-link`;
    expect((await agent.get(link)).body).toMatchObject({ revokedAt: null });
    expect((await platform.as('agent@globex.test').delete(link)).status).toBe(404);
    expect((await platform.as('agent@globex.test').get(link)).status).toBe(404);
    expect((await platform.as('viewer@acme.test').delete(link)).status).toBe(403);
    expect((await anyone.delete(link)).status).toBe(401);
    expect((await status(tokenIn(made))).status).toBe(200);
    for (let times = 0; times < 2; times += 1) {
      const { status: deleted, headers } = await agent.delete(link);
      expect([deleted, headers['x-atrium-position']]).toEqual([204, expect.any(String)]);
    }
    expect((await status(tokenIn(made))).status).toBe(404);
    expect((await agent.get(link)).body.revokedAt).not.toBeNull();
  });

  it('stays revoked when its report is repeated', async () => {
    const headers = { ...freshSource(), 'idempotency-key': randomUUID() };
    const made = await report({}, headers);
    const { id } = await ticketOf(made.body.number);
    await agent.delete(`${REQUESTS}/${id}/status-link`);
    expect((await report({}, headers)).body).toEqual(made.body);
    expect((await status(tokenIn(made))).status).toBe(404);
  });

  it('is shut while the organisation does not accept reports of anyone', async () => {
    const made = await report();
    await switchTo('signed-in');
    expect((await status(tokenIn(made))).status).toBe(404);
    await switchTo('anyone');
    expect((await status(tokenIn(made))).status).toBe(200);
  });

  it('does not exist for a ticket of a signed-in reporter', async () => {
    const raised = await agent.post(REQUESTS, { buildingId, description: 'Signed in' });
    const link = `${REQUESTS}/${raised.body.id}/status-link`;
    expect((await agent.get(link)).status).toBe(404);
    expect((await agent.delete(link)).status).toBe(404);
  });

  it('is a 404 with another code, another ticket or no token', async () => {
    const [one, other] = [tokenIn(await report()), tokenIn(await report())];
    const mixed = one.slice(0, 22) + other.slice(22);
    const changed = one.slice(0, -1) + (one.endsWith('A') ? 'Q' : 'A');
    for (const token of [mixed, changed, 'x', 'A'.repeat(54)])
      expect(await status(token)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await anyone.get(`${REPORT}/status`, freshSource())).status).toBe(404);
    expect((await status(one)).status).toBe(200);
  });

  it('ends after 90 days, and 14 days after its ticket was closed', async () => {
    const made = await report();
    const closed = await report();
    const { id } = await ticketOf(closed.body.number);
    for (const state of ['triaged', 'in_progress', 'resolved', 'closed']) {
      const path = `${REQUESTS}/${id}/transition`;
      expect((await agent.post(path, { state })).status).toBe(200);
    }
    const day = 86_400_000;
    later(13 * day);
    expect((await status(tokenIn(closed))).status).toBe(200);
    later(day);
    expect((await status(tokenIn(closed))).status).toBe(404);
    later(75 * day);
    expect((await status(tokenIn(made))).status).toBe(200);
    later(day);
    expect((await status(tokenIn(made))).status).toBe(404);
  });

  it('is in no line and no span of the server', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const { collected, tracing, close } = await collectedTracing();
    onTestFinished(close);
    const other = await platform.beside({ clock, logger, tracing });
    const body = { organisation: 'acme', buildingId, description: 'Logged' };
    const made = await other.as(null).post(REPORT, body);
    const token = tokenIn(made);
    const traceId = randomBytes(16).toString('hex');
    const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
    const headers = { 'x-atrium-status-token': token, traceparent };
    expect((await other.as(null).get(`${REPORT}/status`, headers)).status).toBe(200);
    await expect.poll(() => lines.join()).toContain(`${REPORT}/status`);
    expect(lines.join()).not.toContain(token);
    await collected.span(traceId, `GET ${REPORT}/status`);
    expect(JSON.stringify(collected.of(traceId))).not.toContain(token);
  });

  it('is in the log as a hash alone', async () => {
    const made = await report();
    const { id } = await ticketOf(made.body.number);
    const events = await platform.log.readStream(`statusLink-${id}`, { from: 0, limit: 10 });
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events)).not.toContain(tokenIn(made));
  });
});
