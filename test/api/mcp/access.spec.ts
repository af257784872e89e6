/** Permissions for tools, and requests that `/mcp` refuses before any tool is called. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../../packages/cli/src/mcp/server.ts';
import { MCP_BODY_BYTES_MAX, MCP_BODY_VALUES_MAX, MCP_CALLS } from '../../../src/api/mcp/limits.ts';
import { processPermits } from '../../../src/composition/process-permits.ts';
import { testApi } from '../../support/api/api.ts';
import { instantBuilder } from '../../support/api/instant-builder.ts';
import { configured } from '../../support/domain/service-desk.ts';
import { httpAgent } from '../../support/mcp/agent.ts';

const permits = processPermits();
const calls = permits(MCP_CALLS);
const api = testApi(() => ({
  permits,
  servesMcp: true,
  timeTravel: true,
  sandboxBuilder: instantBuilder(),
}));
const manager = api.as('manager@acme.test');
let buildingId: string;
let keyToken: string;
let keyId: string;
beforeAll(async () => {
  buildingId = await api.importBuilding();
  const { body } = await manager.post('/api/v1/keys', { label: 'agent', scope: 'sandbox' });
  ({ token: keyToken, keyId } = body);
});

const everyRole = ['manager', 'developer', 'agent', 'auditor', 'viewer', 'requester'] as const;
type WhoCalls = (typeof everyRole)[number] | 'key';
const callers: readonly WhoCalls[] = [...everyRole, 'key'];

/** contract.md section 2: the roles that have each permission. */
const readsTickets = ['manager', 'agent', 'auditor', 'viewer'];
const writesTickets = ['manager', 'agent'];
const readsBuildings = ['manager', 'developer', 'agent', 'auditor', 'viewer'];
const sandboxes = ['manager', 'developer', 'key'];

const ticketId = randomUUID();
const sandboxId = `sbx_${'0'.repeat(16)}`;
/** Tool → permitted callers and arguments. No ticket and no sandbox has these ids. */
const matrix = (): Readonly<Record<string, readonly [readonly string[], object]>> => ({
  search_tickets: [readsTickets, {}],
  get_ticket: [readsTickets, { ticketId }],
  raise_ticket: [writesTickets, { buildingId, description: 'By role' }],
  add_note: [writesTickets, { ticketId, body: 'By role' }],
  transition_ticket: [writesTickets, { ticketId, state: 'triaged' }],
  list_buildings: [readsBuildings, {}],
  find_rooms: [readsBuildings, { buildingId, name: 'a' }],
  find_points: [readsBuildings, { buildingId, name: 'a' }],
  read_values: [readsBuildings, { buildingId, pointId: randomUUID() }],
  list_faults: [readsBuildings, { buildingId }],
  resolve_identifiers: [readsBuildings, { buildingId, codes: ['a'] }],
  list_sandboxes: [sandboxes, {}],
  create_sandbox: [sandboxes, { name: 'By role' }],
  extend_sandbox: [sandboxes, { sandboxId, days: 1 }],
  reset_sandbox: [sandboxes, { sandboxId }],
  delete_sandbox: [sandboxes, { sandboxId }],
  // Only operators of the server move its clock.
  read_clock: [[], {}],
  advance_clock: [[], { advance: 'PT1S' }],
});
const tokenOf = (who: WhoCalls) =>
  who === 'key' ? Promise.resolve(keyToken) : api.issuer.tokenOf(`${who}@acme.test`);

describe('a tool', () => {
  it('is in the matrix of permissions', () => {
    expect(Object.keys(matrix())).toEqual(tools.map(({ name }) => name));
  });

  it.each(callers)("called by a %s has the API's answer", async (who) => {
    const agent = await httpAgent(api.address, await tokenOf(who));
    const allowed: string[] = [];
    for (const [name, [, input]] of Object.entries(matrix())) {
      const { isError, problem } = await agent.call(name, input as Record<string, unknown>);
      const refused = /^(PERMISSION_DENIED|SCOPE_DENIED|REQUESTERS_OFF)$/;
      expect(isError, name).toBe(problem !== undefined);
      if (!problem || !refused.test(problem.code)) allowed.push(name);
    }
    const expected = Object.entries(matrix()).filter(([, [roles]]) => roles.includes(who));
    expect(allowed).toEqual(expected.map(([name]) => name));
  });

  it('is called by a key, and the audit shows the operation and the agent', async () => {
    const headers = { 'user-agent': 'my-agent/2.0' };
    const { call } = await httpAgent(api.address, keyToken, { headers });
    expect((await call('list_sandboxes')).isError).toBe(false);
    const shown = async () => {
      const { body } = await manager.get(`/api/v1/keys/audit?keyId=${keyId}&limit=100`);
      return (body.items as { route: string; userAgent: string; outcome: string }[])
        .filter(({ userAgent }) => userAgent === 'atrium-mcp (my-agent/2.0)')
        .map(({ route, outcome }) => `${route} ${outcome}`);
    };
    await expect.poll(shown).toContain('GET /api/v1/sandboxes allowed');
  });

  it("returns a requester's own tickets, if the service desk has requesters", async () => {
    const { status } = await manager.put(
      '/api/service-desk/configuration',
      configured({ requesterAccess: 'signed-in' }),
    );
    expect(status).toBe(200);
    const { body: foreign } = await manager.post('/api/service-desk/requests', {
      buildingId,
      description: 'Not theirs',
    });
    const { call, dataOf } = await httpAgent(api.address, await tokenOf('requester'));
    const { ticket } = await dataOf('raise_ticket', { buildingId, description: 'Theirs' });
    const noted = await dataOf('add_note', { ticketId: ticket.id, body: 'Any news?' });
    expect(noted).toMatchObject({ visibility: 'public' });
    const read = await dataOf('get_ticket', { ticketId: ticket.id });
    expect(read.ticket).toMatchObject({ description: 'Theirs' });
    expect((await call('get_ticket', { ticketId: foreign.id })).problem!.code).toBe('NOT_FOUND');
    const listed = async () =>
      (await dataOf('search_tickets', {})).items.map(({ id }: { id: string }) => id);
    await expect.poll(listed).toEqual([ticket.id]);
  });

  it('of another organisation has no results', async () => {
    const other = await httpAgent(api.address, await api.issuer.tokenOf('manager@globex.test'));
    const { body } = await manager.post('/api/service-desk/requests', {
      buildingId,
      description: 'Ours',
    });
    const { problem } = await other.call('get_ticket', { ticketId: body.id });
    expect(problem!.code).toBe('NOT_FOUND');
    const rooms = await other.call('find_rooms', { buildingId, name: 'a' });
    expect(rooms.problem!.code).toBe('NOT_FOUND');
  });
});

describe('POST /mcp', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const send = async (
    body: unknown,
    headers: Record<string, string> = {},
    address = api.address,
  ): Promise<{ status: number; code: string | undefined; body: Record<string, unknown> }> => {
    const answer = await fetch(`${address}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await tokenOf('manager')}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const read = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, code: read['code'] as string | undefined, body: read };
  };

  it('is not there unless it is switched on', async () => {
    const off = await api.beside({ roles: new Set(['api']) });
    expect(await send(list, {}, off.address)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await send(list)).toMatchObject({ status: 200 });
  });

  it('needs a credential, as every route does', async () => {
    const refused = { status: 401, code: 'UNAUTHENTICATED' };
    expect(await send(list, { authorization: '' })).toMatchObject(refused);
    expect(await send(list, { authorization: 'Bearer nonsense' })).toMatchObject(refused);
  });

  it('answers only pages of its own and the listed origins', async () => {
    const from = async (origin: string) => (await send(list, { origin })).status;
    expect(await from('http://portal.test')).toBe(200);
    expect(await from('http://atrium.test')).toBe(200);
    expect(await from('http://atrium.test.evil.example')).toBe(403);
    expect(await from('null')).toBe(403);
    expect(await send(list, { origin: 'http://evil.example' })).toMatchObject({
      code: 'CROSS_SITE',
    });
  });

  it('answers each message by itself: no session, no stream, no batch', async () => {
    for (const method of ['GET', 'DELETE']) {
      const authorization = `Bearer ${await tokenOf('manager')}`;
      const answer = await fetch(`${api.address}/mcp`, {
        method,
        headers: { authorization, accept: 'text/event-stream' },
      });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
    expect(await send([list, list])).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    const { body } = await send(list);
    expect(body).toMatchObject({ jsonrpc: '2.0', id: 1 });
  });

  it('refuses oversized and invalid messages before a tool is called', async () => {
    const long = { ...list, params: { text: 'x'.repeat(MCP_BODY_BYTES_MAX) } };
    expect(await send(long)).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    const many = { ...list, params: { values: Array(MCP_BODY_VALUES_MAX + 1).fill(0) } };
    expect(await send(many)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    const deep = '{"jsonrpc":"2.0","params":'.concat('['.repeat(5_000), ']'.repeat(5_000), '}');
    expect(await send(deep)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    expect(await send('{')).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    expect(await send({ hello: 'world' })).toMatchObject({ status: 400, body: { jsonrpc: '2.0' } });
    expect(await send(list, { accept: 'text/html' })).toMatchObject({ status: 406 });
  });

  it('has a concurrency limit per caller', async () => {
    const { body: me } = await manager.get('/api/v1/me');
    const holder = { caller: `${me.actor.kind}:${me.actor.id}`, organisation: me.organisation };
    const held: (() => void)[] = [];
    for (let call = 0; call < MCP_CALLS.ofCaller; call += 1) held.push(await calls.acquire(holder));
    expect(await send(list)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    const authorization = `Bearer ${await tokenOf('viewer')}`;
    expect(await send(list, { authorization })).toMatchObject({ status: 200 });
    for (const release of held) release();
    expect(await send(list)).toMatchObject({ status: 200 });
  });
});
