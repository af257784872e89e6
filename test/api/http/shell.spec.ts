/** Guarantees for every request: a clear problem for each bad one, never a 500, nothing lost. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { problems, problemPath, type ProblemCode } from '../../../src/api/http/problems.ts';
import { release } from '../../../src/compose.ts';
import type { Role } from '../../../src/config/values.ts';
import { COMMAND_VISIBLE_WAIT_MS, READ_YOUR_WRITES_WAIT_MS } from '../../../src/limits.ts';
import { testApi } from '../../support/api/api.ts';
import { testPlatform } from '../../support/api/platform.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { letPass, until } from '../../support/until.ts';

const REQUESTS = '/api/service-desk/requests';

const platform = testApi();
const agent = platform.as('agent@acme.test');
let buildingId: string;
let ticketId: string;

beforeAll(async () => {
  buildingId = await platform.importBuilding();
  ticketId = (await agent.post(REQUESTS, { buildingId, description: 'x' })).body.id;
});

/** Sends requests that `fetch` refuses to send. */
const raw = async (head: readonly string[], body: string | Buffer = '') => {
  const token = await platform.issuer.tokenOf('agent@acme.test');
  const { hostname, port } = new URL(platform.address);
  const socket = connect(Number(port), hostname);
  const lines = head.map((line) => line.replace('$TOKEN', token));
  socket.write(`${lines.join('\r\n')}\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
  socket.write(body);
  const answer = await textOf(socket);
  const status = Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]);
  return { status, answer };
};

describe('a body', () => {
  const post = (body: string | Uint8Array, type = 'application/json') =>
    agent.post(REQUESTS, body, { 'content-type': type });

  it.each([
    ['malformed JSON', '{"buildingId": '],
    ['no JSON at all', 'hello'],
    ['a list', '[]'],
    ['a number', '1'],
    ['null', 'null'],
    ['nothing', ''],
    ['a member that no ticket has', '{"buildingId":"x","description":"x","externalId":"1"}'],
    ['text with U+0000', '{"description":"a\\u0000b"}'],
    ['text with a lone surrogate', '{"description":"a\\ud800b"}'],
    ['a member name with U+0000', '{"metadata":{"a\\u0000":1}}'],
    ['a member called __proto__', '{"metadata":{"__proto__":{"a":1}}}'],
    ['bytes that are no UTF-8', Uint8Array.from([0x22, 0xff, 0xfe, 0x22])],
    ['a thousand levels', `${'{"metadata":'.repeat(1000)}1${'}'.repeat(1000)}`],
    ['half a million brackets', '['.repeat(500_000)],
    ['half a million closed brackets', '['.repeat(500_000) + ']'.repeat(500_000)],
  ])('of %s is a 400 that says so', async (_what, body) => {
    const before = (await agent.get(REQUESTS)).body.total;
    expect(await post(body)).toMatchObject({
      status: 400,
      headers: { 'content-type': expect.stringContaining('application/problem+json') },
      body: { code: 'VALIDATION_FAILED', status: 400, errors: expect.any(Array) },
    });
    expect((await agent.get(REQUESTS)).body.total).toBe(before);
  });

  it('names the member that no object may have', async () => {
    const { body } = await post('{"metadata":{"__proto__":{"a":1}}}');
    const message = 'must not have a member `__proto__`';
    expect(body.errors).toEqual([{ path: 'metadata', message }]);
  });

  it('names each place that does not fit', async () => {
    const { body } = await agent.post(REQUESTS, { description: 1, priority: 'urgent', foo: 2 });
    const paths = body.errors.map(({ path }: { path: string }) => path);
    expect(paths.toSorted()).toEqual(['buildingId', 'description', 'foo', 'priority']);
  });

  it('names members that are unknown further down by their whole path', async () => {
    const { body } = await platform.as('manager@acme.test').put('/api/service-desk/configuration', {
      slaPolicies: [],
      calendars: {},
      routingRules: [{ ruleId: 'a', name: 'a', match: { colour: 'red' }, stopp: true }],
      workflows: [],
      rules: [],
    });
    const paths = body.errors.map(({ path }: { path: string }) => path);
    expect(paths.toSorted()).toEqual([
      'routingRules[0].match.colour',
      'routingRules[0].stopp',
      'rules',
    ]);
  });

  it('may have 1 MiB, and not a byte more', async () => {
    const draft = { buildingId, description: 'x', subject: '' };
    const of = (bytes: number) => {
      const rest = bytes - JSON.stringify(draft).length;
      return JSON.stringify({ ...draft, subject: 'x'.repeat(rest) });
    };
    expect((await post(of(1024 * 1024))).body.code).toBe('VALIDATION_FAILED');
    expect(await post(of(1024 * 1024 + 1))).toMatchObject({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE' },
    });
  });

  const TYPES = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense'];
  const typed = (type: string | undefined): Record<string, string> =>
    type === undefined ? {} : { 'content-type': type };

  it.each(TYPES)('of type %s is a 415', async (type) =>
    expect(await post('{}', type)).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
    }),
  );

  it('that is compressed is a 415', async () => {
    const draft = JSON.stringify({ buildingId, description: 'x' });
    const encoded = (body: string | Uint8Array, encoding: string) =>
      agent.post(REQUESTS, body, {
        'content-type': 'application/json',
        'content-encoding': encoding,
      });
    expect((await encoded(gzipSync(draft), 'gzip')).status).toBe(415);
    expect((await encoded(draft, 'gzip')).status).toBe(415);
    expect((await encoded(draft, 'identity')).status).toBe(201);
  });

  it('may be missing where a route takes none, with any Content-Type', async () => {
    const manager = platform.as('manager@acme.test');
    const { keyId } = (await manager.post('/api/v1/keys', { label: 'short-lived' })).body;
    for (const type of [...TYPES, 'application/json'])
      expect((await manager.delete(`/api/v1/keys/${keyId}`, typed(type))).status).toBe(204);
  });

  it.each([...TYPES, 'application/json', undefined])(
    'is missing where a route needs one, whatever the Content-Type: %s',
    async (type) => {
      const { status, body } = await agent.post(REQUESTS, '', typed(type));
      expect([status, body.errors]).toEqual([400, [{ path: '', message: 'The body is empty.' }]]);
    },
  );

  it('is not read for a caller without permission to write', async () =>
    expect(await platform.as('viewer@acme.test').post(REQUESTS, 'nonsense')).toMatchObject({
      status: 403,
      body: { code: 'PERMISSION_DENIED' },
    }));

  it('that ends early changes nothing', async () => {
    const { hostname, port } = new URL(platform.address);
    const token = await platform.issuer.tokenOf('agent@acme.test');
    const before = (await agent.get(REQUESTS)).body.total;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = httpRequest({ hostname, port, method: 'POST', path: REQUESTS, headers });
    sent.on('error', () => {});
    sent.write(`{"buildingId":"${buildingId}","description":"cut`);
    await letPass(50, 'the server has the beginning of the request');
    sent.destroy();
    expect((await agent.get(REQUESTS)).body.total).toBe(before);
  });
});

describe('a query', () => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=', 'limit'],
    ['limit=10&limit=20', 'limit'],
    ['page=0', 'page'],
    ['page=99999999999', 'page'],
    ['state=flying', 'state'],
    ['state=new,flying', 'state'],
    ['priority=urgent', 'priority'],
    ['buildingId=HQ', 'buildingId'],
    ['spaceId=2O2Fr$t4X7Zf8NOew3FNr2', 'spaceId'],
    ['overdue=yes', 'overdue'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['search=%00', 'search'],
    ['search=%c3', 'search'],
    ['search=100%', 'search'],
    ['search=a&category=%ff%fe', 'category'],
    ['%73earch=%e2%82', 'search'],
    ['%ff=1', '%ff'],
    ['assignedUserId=', 'assignedUserId'],
    ['updatedSince=2026-01-01', 'updatedSince'],
    ['foo=1&bar=2', 'foo'],
    ['foo=1&bar=2', 'bar'],
  ])('%s is a 400 that names it', async (query, path) => {
    const { status, body } = await agent.get(`${REQUESTS}?${query}`);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
    expect(body.errors.some((error: { path: string }) => error.path.startsWith(path))).toBe(true);
  });

  it.each(['T%C3%BCr 100%25+%2B', 'T%c3%bcr+100%25+%2b', '%54ür%20100%25%20%2B'])(
    'may be written in each way of percent-encoding: %s',
    async (category) => {
      const whole = { buildingId, description: 'x', category: 'Tür 100% +' };
      expect((await agent.post(REQUESTS, whole)).status).toBe(201);
      const { body } = await agent.get(`${REQUESTS}?limit=1&category=${category}`);
      expect(body.items).toMatchObject([{ category: whole.category }]);
    },
  );

  it('that a route does not have is a 400 on every route, and changes nothing', async () => {
    const before = (await agent.get(`${REQUESTS}/${ticketId}`)).body;
    const answers = await Promise.all([
      ...['', '/updates', '/transitions'].map((path) =>
        agent.get(`${REQUESTS}/${ticketId}${path}?foo=1`),
      ),
      agent.post(`${REQUESTS}?foo=1`, { buildingId, description: 'a' }),
      agent.patch(`${REQUESTS}/${ticketId}?foo=1`, { subject: 'changed' }),
      agent.post(`${REQUESTS}/${ticketId}/transition?dry=1`, { state: 'cancelled' }),
      agent.post(`${REQUESTS}/${ticketId}/assign?foo=1`, { assignedTeamId: 'a' }),
      agent.post(`${REQUESTS}/${ticketId}/updates?foo=1`, { body: 'a' }),
      platform.as('operator@atrium.test').get('/api/v1/operations/projections?foo=1'),
    ]);
    expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 'VALIDATION_FAILED'));
    expect((await agent.get(`${REQUESTS}/${ticketId}`)).body).toEqual(before);
  });

  it('beyond the last page is an empty page with the total', async () => {
    const { status, body } = await agent.get(`${REQUESTS}?page=1000`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ items: [], page: 1000, limit: 50 });
    expect(body.total).toBeGreaterThan(0);
  });

  it('for an unknown building is an empty list, not an error', async () => {
    const other = '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22';
    expect((await agent.get(`${REQUESTS}?buildingId=${other}`)).body.total).toBe(0);
  });

  it('finds a ticket by an id in capital letters', async () => {
    const shouted = buildingId.toUpperCase();
    expect((await agent.get(`${REQUESTS}?buildingId=${shouted}`)).body.total).toBeGreaterThan(0);
    expect((await agent.get(`${REQUESTS}/${ticketId.toUpperCase()}`)).status).toBe(200);
  });
});

describe('a path', () => {
  it.each([
    `${REQUESTS}/not-a-uuid`,
    `${REQUESTS}/%00`,
    `${REQUESTS}/%E0%A4%A`,
    `${REQUESTS}/${'x'.repeat(500)}`,
    '/api/service-desk',
    '/api/v1',
    '/nothing',
  ])('%s is a 404', async (path) =>
    expect(await agent.get(path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } }),
  );
});

describe('a target that is no path', () => {
  const json = ['authorization: Bearer $TOKEN', 'content-type: application/json'];

  it.each(['GET *', 'HEAD *', 'GET */', `GET *${REQUESTS.slice(1)}`, 'GET *health/live'])(
    '%s is a 404',
    async (target) => expect((await raw([`${target} HTTP/1.1`, ...json])).status).toBe(404),
  );

  it('changes nothing', async () => {
    const before = (await agent.get(REQUESTS)).body.total;
    const draft = JSON.stringify({ buildingId, description: 'x' });
    const length = `content-length: ${draft.length}`;
    const { status } = await raw([`POST *${REQUESTS.slice(1)} HTTP/1.1`, ...json, length], draft);
    expect(status).toBe(404);
    expect((await agent.get(REQUESTS)).body.total).toBe(before);
  });

  it('may be that of OPTIONS, which asks for the whole server', async () =>
    expect((await raw(['OPTIONS * HTTP/1.1'])).status).toBe(204));
});

describe('a method that a path does not support', () => {
  it.each([
    ['DELETE', REQUESTS, 'GET, HEAD, POST, OPTIONS'],
    ['PUT', `${REQUESTS}/0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22`, 'GET, HEAD, PATCH, OPTIONS'],
    ['GET', `${REQUESTS}/x/transition?a=b`, 'POST, OPTIONS'],
    ['POST', `${REQUESTS}/lookup`, 'GET, HEAD, OPTIONS'],
    ['PATCH', `${REQUESTS}/lookup`, 'GET, HEAD, OPTIONS'],
    ['GET', `${REQUESTS}/import`, 'POST, OPTIONS'],
    ['GET', '/api/v1/buildings/import', 'POST, OPTIONS'],
    ['DELETE', '/api/v1/keys/audit?limit=1', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/api/v1/buildings/x/diagnostic-rules/dry-run', 'POST, OPTIONS'],
    ['PATCH', '/api/v1/keys', 'POST, GET, HEAD, OPTIONS'],
    ['POST', '/health/live', 'GET, HEAD, OPTIONS'],
    ['POST', '/docs/js/scalar.js', 'GET, HEAD, OPTIONS'],
    ['QUERY', REQUESTS, 'GET, HEAD, POST, OPTIONS'],
    ['TRACE', REQUESTS, 'GET, HEAD, POST, OPTIONS'],
    ['PROPFIND', REQUESTS, 'GET, HEAD, POST, OPTIONS'],
  ])('%s %s is a 405 that names the allowed ones', async (method, path, allow) => {
    const { status, answer } = await raw([`${method} ${path} HTTP/1.1`], '');
    expect(status).toBe(405);
    const named = /^allow: (.*)\r$/im.exec(answer)?.[1]?.split(', ');
    expect(named?.toSorted()).toEqual(allow.split(', ').toSorted());
    expect(answer).toContain('"METHOD_NOT_ALLOWED"');
  });

  it('is refused before the body is validated', async () => {
    const put = (path: string) => agent.put(path, 'text', { 'content-type': 'text/plain' });
    expect((await put(REQUESTS)).status).toBe(405);
    expect((await put('/nothing')).status).toBe(404);
  });
});

describe('what is barely HTTP', () => {
  it('gets a problem, and the server lives', async () => {
    expect((await raw(['NONSENSE'])).status).toBe(400);
    const long = await raw(['GET / HTTP/1.1', `x-long: ${'x'.repeat(20_000)}`]);
    expect(long.status).toBe(431);
    expect(long.answer).toMatch(/^content-type: application\/problem\+json\r$/m);
    expect(JSON.parse(long.answer.split('\r\n\r\n')[1]!)).toMatchObject({
      status: 431,
      code: 'HEADERS_TOO_LARGE',
      requestId: /^x-request-id: (.*)\r$/m.exec(long.answer)?.[1],
    });
    const two = ['authorization: Bearer $TOKEN', 'authorization: Bearer $TOKEN'];
    const doubled = await raw([`GET ${REQUESTS} HTTP/1.1`, ...two]);
    expect(doubled.status).toBe(401);
    expect((await raw([`GET ${REQUESTS} HTTP/1.1`, 'authorization: Basic eDp5'])).status).toBe(401);
    expect((await agent.get(REQUESTS)).status).toBe(200);
  });
});

it('commands sent on one connection without waiting are executed in their order', async () => {
  const token = await platform.issuer.tokenOf('agent@acme.test');
  const { hostname, port } = new URL(platform.address);
  const socket = connect(Number(port), hostname);
  const subjects = Array.from({ length: 20 }, (_, n) => `subject ${n}`);
  const patches = subjects.map((subject, n) => {
    const body = JSON.stringify({ subject });
    const ends = n === subjects.length - 1 ? 'connection: close\r\n' : '';
    return (
      `PATCH ${REQUESTS}/${ticketId} HTTP/1.1\r\nhost: ${hostname}\r\n${ends}` +
      `authorization: Bearer ${token}\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`
    );
  });
  socket.write(patches.join(''));
  const answered = (await textOf(socket)).match(/(?<="subject":")subject \d+/g);
  expect(answered).toEqual(subjects);
  expect((await agent.get(`${REQUESTS}/${ticketId}`)).body.subject).toBe(subjects.at(-1));
});

it('has no deadline for a start, which a busy machine may hold up', async () => {
  const other = await platform.beside({ roles: new Set<Role>(['api']) });
  onTestFinished(() => other.close());
  expect(other.app.initialConfig.pluginTimeout).toBe(0);
});

describe('a server that stops', () => {
  it('answers further requests over an open connection, and closes it', async () => {
    const other = await platform.beside({ roles: new Set<Role>(['api']) });
    const { hostname, port } = new URL(other.address);
    const { server } = other.app;
    const arrived = once(server, 'connection');
    const socket = connect(Number(port), hostname);
    socket.write(`GET /health/live HTTP/1.1\r\nhost: ${hostname}\r\n`);
    await arrived;
    const closed = other.close();
    await until(() => !server.listening, 'the beginning of the stop');
    socket.write('\r\n');
    const answer = await textOf(socket);
    await closed;
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).toMatch(/^x-request-id: \S+\r$/im);
    expect(answer).toContain('"alive"');
  });
});

describe('the request id', () => {
  const idOf = async (sent?: string) =>
    (await agent.get(REQUESTS, sent === undefined ? {} : { 'x-request-id': sent })).headers[
      'x-request-id'
    ];

  it('is the caller’s where it is a sane one', async () => {
    expect(await idOf('trace-42/a')).toBe('trace-42/a');
    expect(await idOf()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf('a b"<')).toMatch(/^[0-9a-f-]{36}$/);
    // A key sent in the wrong header does not reach the log.
    expect(await idOf(`atr_${'a'.repeat(22)}_${'b'.repeat(49)}`)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    [
      'of a long path, which needs a credential',
      `GET ${REQUESTS}/${'x'.repeat(500)} HTTP/1.1`,
      401,
    ],
    ['of a path that is none', `GET ${REQUESTS}/%E0%A4%A HTTP/1.1`, 404],
    ['of a request line that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1`, 431],
    ['of what is no HTTP', 'NONSENSE', 400],
    ['of what expects too much', `GET ${REQUESTS} HTTP/1.1\r\nexpect: gold`, 417],
  ])('%s is in header and problem alike', async (_, line, expected) => {
    const { status, answer } = await raw([line]);
    expect(status).toBe(expected);
    const id = /^x-request-id: (\S+)\r$/im.exec(answer)?.[1];
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer).toContain(`"requestId":"${id}"`);
  });

  it('is there where the request names no host', async () => {
    const { hostname, port } = new URL(platform.address);
    const socket = connect(Number(port), hostname);
    socket.write('GET /health/live HTTP/1.1\r\nconnection: close\r\n\r\n');
    const answer = await textOf(socket);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toMatch(/^x-request-id: \S+\r$/im);
    expect(answer).toContain('"path":"Host"');
  });

  it('is in the problem too', async () => {
    const { body, headers } = await agent.get(`${REQUESTS}/x`, { 'x-request-id': 'abc' });
    expect(body.requestId).toBe('abc');
    expect(headers['x-request-id']).toBe('abc');
  });
});

const plan = (id: string, storeyId: string) =>
  `/api/v1/buildings/${id}/plan/colours?storeyId=${storeyId}`;

describe('X-Atrium-Position', () => {
  it('holds a read until the list shows the command', async () => {
    const made = await agent.post(REQUESTS, { buildingId, description: 'x', category: 'held' });
    const position = made.headers['x-atrium-position']!;
    const { body, headers } = await agent.get(`${REQUESTS}?category=held`, {
      'x-atrium-position': position,
    });
    expect(body.total).toBe(1);
    expect(headers['x-atrium-stale']).toBeUndefined();
  });

  it('of the future is answered stale, in bounded time', async () => {
    const waits = { commandMs: COMMAND_VISIBLE_WAIT_MS, readMs: READ_YOUR_WRITES_WAIT_MS };
    const other = await platform.beside({ roles: new Set<Role>(['api']), waits });
    const { status, headers } = await other
      .as('agent@acme.test')
      .get(REQUESTS, { 'x-atrium-position': '999999999' });
    expect(status).toBe(200);
    expect(headers['x-atrium-stale']).toBe('true');
  });

  it.each([
    ['faults', (id: string) => `/api/v1/buildings/${id}/faults`],
    ['people', () => '/api/service-desk/people'],
    ['a plan', (id: string, storey: string) => `${plan(id, storey)}&colour=tickets`],
  ])('holds %s, which read the ticket list', async (_, pathOf) => {
    const waits = { commandMs: 0, readMs: 1 };
    const other = (await platform.beside({ roles: new Set<Role>(['api']), waits })).as(
      'agent@acme.test',
    );
    const [storey] = (await agent.get(`/api/v1/buildings/${buildingId}/storeys`)).body.items;
    const read = (position: string) =>
      other.get(pathOf(buildingId, storey.id), { 'x-atrium-position': position });
    expect((await read('abc')).status).toBe(400);
    const { status, headers } = await read('999999999');
    expect([status, headers['x-atrium-stale']]).toEqual([200, 'true']);
  });

  it.each(['abc', '-1', '1e9', '1.5'])('of %s is a 400', async (position) =>
    expect(await agent.get(REQUESTS, { 'x-atrium-position': position })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    }),
  );
});

describe('problems', () => {
  it.each(Object.keys(problems) as ProblemCode[])('%s has a page at its type', async (code) => {
    const { status, body, headers } = await platform.as(null).get(problemPath(code));
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/html');
    expect(body).toContain(problems[code].title);
  });

  it('never expose internal errors', async () => {
    const { body } = await agent.get(`${REQUESTS}/x`);
    expect(JSON.stringify(body)).not.toMatch(/stack|node_modules|select /i);
  });
});

describe('operations', () => {
  it('says that it lives and is ready', async () => {
    const anonymous = platform.as(null);
    expect((await anonymous.get('/health/live')).body).toEqual({ status: 'alive' });
    await expect
      .poll(async () => (await anonymous.get('/health/ready')).body)
      .toEqual({ status: 'ready' });
  });

  it('returns Retry-After when it is not ready', async () => {
    const { url, drop } = await freshDatabase();
    onTestFinished(drop);
    // No process of it builds read models.
    const roles = new Set<Role>(['api']);
    const other = await testPlatform({ databaseUrl: url, roles });
    onTestFinished(() => other.close());
    const { status, headers, body } = await other.as(null).get('/health/ready');
    expect([status, body.status]).toEqual([503, 'not_ready']);
    expect(headers['retry-after']).toMatch(/^\d+$/);
    expect(headers['x-request-id']).toBeDefined();
  });

  it('shows the state of the read models to operators only', async () => {
    const path = '/api/v1/operations/projections';
    expect((await agent.get(path)).body.code).toBe('PERMISSION_DENIED');
    const { body } = await platform.as('operator@atrium.test').get(path);
    const names = body.items.map(({ name }: { name: string }) => name).sort();
    expect(names).toEqual(release.projections.map(({ name }) => name).sort());
    expect(names).toContain('ticket-list');
    expect(body.items[0]).toMatchObject({ owner: 'this', parked: 0 });
  });

  it('an operator belongs to no organisation and has no tickets to see', async () =>
    expect(await platform.as('operator@atrium.test').get(REQUESTS)).toMatchObject({ status: 403 }));

  it('prints its measurements by route, not by path', async () => {
    await agent.get(`${REQUESTS}/${ticketId}`);
    const scraped = async () => (await platform.as(null).get('/metrics')).body as string;
    expect(await scraped()).toContain('route="/api/service-desk/requests/:id"');
    expect(await scraped()).not.toContain(ticketId);
    // A scrape has a short deadline, which a busy machine may exceed.
    await expect
      .poll(scraped)
      .toMatch(/atrium_projection_lag_events\{projection="ticket-list",version="\d+"\} 0/);
    await expect.poll(scraped).toMatch(/atrium_projection_lag_seconds\{projection="ticket-list"/);
  });

  it('shows the API reference without requests to other hosts', async () => {
    const { status, body } = await platform.as(null).get('/docs/');
    expect(status).toBe(200);
    expect(body).not.toMatch(/(src|href)="https?:/);
  });

  it('lets a listed origin read, and no other', async () => {
    const from = (origin: string) => platform.as(null).get('/health/live', { origin });
    expect((await from('http://portal.test')).headers['access-control-allow-origin']).toBe(
      'http://portal.test',
    );
    expect((await from('http://evil.test')).headers['access-control-allow-origin']).not.toBe(
      'http://evil.test',
    );
  });
});

describe('a browser', () => {
  const ask = (method: string, headers: Record<string, string> = {}) =>
    fetch(`${platform.address}${REQUESTS}/${ticketId}`, { method, headers });

  it.each(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])(
    'of a listed origin may %s',
    async (method) => {
      const { status, headers } = await ask('OPTIONS', {
        origin: 'http://portal.test',
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type,idempotency-key,if-match',
      });
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe('http://portal.test');
      expect(headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
      expect(headers.get('access-control-allow-headers')).toContain('idempotency-key');
    },
  );

  it('gets no text that is no problem for OPTIONS without an origin', async () => {
    const answer = await ask('OPTIONS');
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 204, body: '' });
  });
});

it('shows its measurements to no caller where they have a port of their own', async () => {
  const there = await platform.beside({ roles: new Set(['api']), showsMetrics: false });
  expect((await fetch(`${there.address}/metrics`)).status).toBe(404);
  expect((await fetch(`${there.address}/health/live`)).status).toBe(200);
});

it('documents the page of spaces that the deployment serves', async () => {
  const capped = await platform.beside({ roles: new Set(['api']), spacesPageMax: 100 });
  const { body } = await capped.as(null).get('/openapi.json');
  const { parameters } = body.paths['/api/v1/buildings/{buildingId}/spaces'].get;
  expect(parameters.find(({ name }: { name: string }) => name === 'limit')).toMatchObject({
    schema: { maximum: 100, default: 100 },
    description: 'Number of items in the page, 1 to 100. Default 100.',
  });
});

describe('two platforms in one process', () => {
  it("cannot see each other's data", async () => {
    const other = await testPlatform();
    onTestFinished(() => other.close());
    const there = other.as('agent@acme.test');
    expect((await there.get(REQUESTS)).body.total).toBe(0);
    expect((await there.get(`${REQUESTS}/${ticketId}`)).status).toBe(404);
    expect((await there.get('/api/v1/buildings')).body.total).toBe(0);
    const { body } = await other.as(null).get('/metrics');
    expect(body).not.toContain('route="/api/service-desk/requests/:id/updates"');
    expect((await agent.get(REQUESTS)).status).toBe(200);
  });
});
