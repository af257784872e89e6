import { beforeAll, describe, expect, it } from 'vitest';
import { configured, rule } from '../../support/domain/service-desk.ts';
import { testApi } from '../../support/api/api.ts';

const CONFIGURATION = '/api/service-desk/configuration';
const TRY = `${CONFIGURATION}/try`;
const REQUESTS = '/api/service-desk/requests';

const platform = testApi();
const manager = platform.as('manager@acme.test');
const stranger = platform.as('manager@globex.test');
let buildingId: string;
/** The latest first. */
const raised: { id: string; number: string; slaResolutionDueAt: string }[] = [];

beforeAll(async () => {
  buildingId = await platform.importBuilding();
  await manager.put(
    CONFIGURATION,
    configured({
      routingRules: [rule('water', { match: { text: 'water' }, assignTeamId: 'old' })],
    }),
  );
  for (const description of ['Water under the sink', 'A smell of gas', 'Something else']) {
    const { status, body } = await manager.post(REQUESTS, { buildingId, description });
    expect(status).toBe(201);
    raised.unshift(body);
  }
});

const proposed = configured({
  slaPolicies: [
    { name: 'gas', match: { text: 'gas' }, firstResponseMinutes: 5, resolutionMinutes: 10 },
  ],
  routingRules: [
    rule('water', { match: { text: 'water' }, assignTeamId: 'new' }),
    rule('gas', { match: { text: 'gas' }, raisePriorityTo: 'critical', triage: true }),
  ],
});

describe('a configuration tried on the latest tickets', () => {
  it('reports per ticket what would have changed, and writes nothing', async () => {
    const before = await Promise.all(raised.map(({ id }) => manager.get(`${REQUESTS}/${id}`)));
    const { status, body } = await manager.post(TRY, { configuration: proposed });
    expect(status).toBe(200);
    const [other, gas, water] = raised;
    expect(body.items).toMatchObject([
      { ticketId: other!.id, isChanged: false, title: 'Something else' },
      {
        number: gas!.number,
        isChanged: true,
        before: { priority: 'medium', state: 'new', slaPolicy: null, ruleIds: [] },
        after: { priority: 'critical', state: 'triaged', slaPolicy: 'gas', ruleIds: ['gas'] },
      },
      {
        ticketId: water!.id,
        isChanged: true,
        before: { assignedTeamId: 'old' },
        after: { assignedTeamId: 'new' },
      },
    ]);
    // Evaluated at the ticket's creation time: unchanged clocks keep their due times.
    expect(body.items[0].after.slaResolutionDueAt).toBe(other!.slaResolutionDueAt);
    const after = await Promise.all(raised.map(({ id }) => manager.get(`${REQUESTS}/${id}`)));
    expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
    expect((await manager.get(CONFIGURATION)).body.routingRules[0].assignTeamId).toBe('old');
  });

  it('evaluates tickets as they were opened, regardless of later changes', async () => {
    const [, , water] = raised;
    await manager.patch(`${REQUESTS}/${water!.id}`, { description: 'A smell of gas' });
    const { body } = await manager.post(TRY, { configuration: proposed });
    expect(body.items[2].after).toMatchObject({ assignedTeamId: 'new', priority: 'medium' });
  });

  it('is bounded, and shows the tickets of the organisation alone', async () => {
    const one = await manager.post(TRY, { configuration: proposed, limit: 1 });
    expect(one.body.items).toHaveLength(1);
    expect((await manager.post(TRY, { configuration: proposed, limit: 101 })).status).toBe(400);
    expect((await stranger.post(TRY, { configuration: proposed })).body.items).toEqual([]);
  });

  it('is refused where a PUT of the configuration is, and warns as it does', async () => {
    const workflows = [{ requestType: 'general', transitions: { new: ['closed' as const] } }];
    const refused = await manager.post(TRY, { configuration: configured({ workflows }) });
    expect(refused).toMatchObject({ status: 400, body: { code: 'EDGE_NOT_IN_GRAPH' } });
    const among = await stranger.post(TRY, { configuration: configured({ workflows }) });
    expect(among.status).toBe(400);
    const shadowed = configured({
      routingRules: [rule('first', { stop: true }), rule('second', { note: 'never' })],
    });
    const { body } = await manager.post(TRY, { configuration: shadowed });
    expect(body.warnings).toEqual([expect.stringContaining('never runs')]);
  });

  it('shortens a title only to well-formed text', async () => {
    const description = `a${'😀'.repeat(100)}`;
    const { body } = await manager.post(REQUESTS, { buildingId, description });
    const tried = await manager.post(TRY, { configuration: proposed, limit: 1 });
    const [{ ticketId, title }] = tried.body.items;
    expect(ticketId).toBe(body.id);
    expect(title.isWellFormed()).toBe(true);
  });
});
