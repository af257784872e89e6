/** Presence at tickets, over HTTP and in two processes. contract.md section 5. */
import { beforeAll, describe, expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';

const REQUESTS = '/api/service-desk/requests';
const platform = testApi();
const agent = platform.as('agent@acme.test');
const viewer = platform.as('viewer@acme.test');
const stranger = platform.as('agent@globex.test');
let path: string;
let buildingId: string;

beforeAll(async () => {
  buildingId = await platform.importBuilding();
});
/** A new ticket's presence. */
const raised = async () => {
  const { body } = await agent.post(REQUESTS, { buildingId, description: 'Too warm' });
  path = `${REQUESTS}/${body.id}/presence`;
};

describe('presence at a ticket', () => {
  it('is shown to others, in another process too, until the caller leaves', async () => {
    await raised();
    const other = await platform.beside();
    const here = await agent.post(path, { state: 'editing' });
    expect(here).toMatchObject({
      status: 200,
      body: { items: [{ actor: { kind: 'user', name: 'Acme Agent' }, state: 'editing' }] },
    });
    const beside = other.as('viewer@acme.test');
    expect((await beside.get(path)).body).toEqual(here.body);
    expect((await beside.post(path, { state: 'viewing' })).body.items).toHaveLength(2);
    expect((await agent.get(path)).body.items).toMatchObject([
      { state: 'editing', actor: { name: 'Acme Agent' } },
      { state: 'viewing', actor: { name: 'Acme Viewer' } },
    ]);
    for (let times = 0; times < 2; times += 1) {
      const left = await other.as('agent@acme.test').post(path, { state: 'left' });
      expect(left.body.items).toMatchObject([{ actor: { name: 'Acme Viewer' } }]);
    }
    expect((await agent.get(path)).body).toEqual((await viewer.get(path)).body);
  });

  it('records nothing: neither the ticket nor the log moves', async () => {
    await raised();
    const before = await agent.get(path.replace('/presence', ''));
    const head = await platform.log.head();
    await agent.post(path, { state: 'viewing' });
    await viewer.post(path, { state: 'editing' });
    expect(await platform.log.head()).toEqual(head);
    expect((await agent.get(path.replace('/presence', ''))).body).toEqual(before.body);
  });

  it("is a 404 at another organisation's ticket, and at none", async () => {
    await raised();
    const none = `${REQUESTS}/00000000-0000-4000-8000-000000000000/presence`;
    for (const answer of [
      await stranger.get(path),
      await stranger.post(path, { state: 'viewing' }),
      await stranger.post(path, { state: 'left' }),
      await agent.get(none),
      await agent.post(none, { state: 'viewing' }),
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await agent.get(path)).body).toEqual({ items: [] });
  });

  it('requires the permission to read tickets', async () => {
    await raised();
    expect((await platform.as('developer@acme.test').get(path)).status).toBe(403);
    expect((await platform.as(null).post(path, { state: 'viewing' })).status).toBe(401);
    expect((await agent.post(path, { state: 'sleeping' })).status).toBe(400);
  });
});
