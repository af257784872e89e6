/** Tickets of faults: raised by hand and by rules, offered again, and following their faults. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  FAULTS_OF_POINT_AN_HOUR_MAX,
  FAULT_TICKETS_OF_RULE_AN_HOUR_MAX,
  RULES_OF_POINT_MAX,
} from '../../../src/domain/telemetry/limits.ts';
import { oidcIdentity } from '../../../src/identity/oidc/token-check.ts';
import { permissionTable } from '../../../src/identity/permissions.ts';
import { configured } from '../../support/domain/service-desk.ts';
import { testApi } from '../../support/api/api.ts';
import { buildingWith, importMetered, type MeteredBuilding } from '../../support/api/telemetry.ts';

const api = testApi();
const manager = api.as('manager@acme.test');
const agent = api.as('agent@acme.test');
const REQUESTS = '/api/service-desk/requests';

const CLASS = 'Zone_Air_Temperature_Sensor';
const POINTS = { A: { pointClass: CLASS, unit: '°C' } } as const;
const tooWarm = { title: 'Too warm', severity: 'High', comparison: 'gt', threshold: 25 };
const raising = { ...tooWarm, raiseTicket: { priority: 'critical', category: 'climate' } };

const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 12, minute)).toISOString();
const watch = async (building: MeteredBuilding, rule: object = tooWarm) => {
  const path = `${building.path}/diagnostic-rules`;
  const { status, body } = await manager.post(path, { pointClass: CLASS, ...rule });
  expect(status).toBe(201);
  return body;
};
const send = async (
  building: MeteredBuilding,
  ...samples: readonly (readonly [minute: number, value: number])[]
) => {
  const pointId = await building.idOf('A');
  const observations = samples.map(([minute, value]) => ({
    pointId,
    value,
    timestamp: at(minute),
  }));
  const { status } = await manager.post(`${building.path}/observations`, { observations });
  expect(status).toBe(200);
};
const faults = async ({ path }: MeteredBuilding) =>
  (await agent.get(`${path}/faults?limit=1000`)).body.items;
/** A building with a fault of point A, by default open since minute 1. */
const faulty = async (rule: object = tooWarm, samples = [[1, 30]] as [number, number][]) => {
  const building = await importMetered(manager, POINTS);
  const { ruleId } = await watch(building, rule);
  await send(building, ...samples);
  await expect.poll(async () => (await faults(building)).length).toBeGreaterThan(0);
  const [{ faultId }] = await faults(building);
  return { building, ruleId, faultId, path: `${building.path}/faults/${faultId}` };
};
const ticketsOf = async ({ buildingId }: MeteredBuilding) =>
  (await agent.get(`${REQUESTS}?buildingId=${buildingId}&sort=createdAt&limit=200`)).body.items;
/** `state: notes`, as the timeline has them. */
const story = async (ticketId: string) => {
  const { items } = (await agent.get(`${REQUESTS}/${ticketId}/updates`)).body;
  return items.map(({ kind, to, body }: { kind: string; to?: string; body?: string }) =>
    kind === 'state' ? to : body,
  );
};
const raisedOf = async (building: MeteredBuilding) => {
  await expect.poll(async () => (await ticketsOf(building)).length).toBe(1);
  return (await ticketsOf(building))[0];
};
const closedNote = (minute: number) =>
  `The fault closed at ${at(minute)}: its condition no longer holds.`;

describe('the ticket of a fault, raised by hand', () => {
  it('is filled in from the fault, and each shows the other', async () => {
    const { building, faultId, path } = await faulty();
    expect((await agent.get(path)).body.ticket).toBeNull();
    const { status, headers, body } = await agent.post(`${path}/ticket`, {});
    expect(status).toBe(201);
    const [element] = (await agent.get(`${building.path}/elements`)).body.items;
    expect(body).toMatchObject({
      faultId,
      buildingId: building.buildingId,
      elementId: element.id,
      storeyId: element.storeyId,
      subject: 'Too warm',
      priority: 'high',
      category: null,
      requestType: 'general',
      channel: 'system',
      state: 'new',
      createdBy: { kind: 'user' },
    });
    expect(body.description).toBe(
      [
        `The diagnostic rule "Too warm" opened a fault of severity High at ${at(1)}.`,
        `Point: Point A (A, ${CLASS})`,
        'Value: 30 °C',
        'Condition: above 25 °C',
      ].join('\n'),
    );
    expect(headers['location']).toBe(`${REQUESTS}/${body.id}`);
    expect((await agent.get(`${REQUESTS}/${body.id}`)).body).toEqual(body);
    const ticket = { ticketId: body.id, number: body.number, state: 'new' };
    expect((await agent.get(path)).body).toMatchObject({ faultId, ticket });
    expect(await faults(building)).toMatchObject([{ faultId, ticket }]);
    const [listed] = await ticketsOf(building);
    expect(listed).toEqual(body);
  });

  it('takes the members of the request', async () => {
    const { path } = await faulty();
    const said = {
      priority: 'low',
      category: 'climate',
      requestType: 'hvac',
      subject: 'Hot',
      description: 'Very.',
    };
    expect((await agent.post(`${path}/ticket`, said)).body).toMatchObject(said);
  });

  it('of a severity that is not a priority has the default', async () => {
    const { path } = await faulty({ ...tooWarm, severity: 'urgent' });
    expect((await agent.post(`${path}/ticket`, {})).body.priority).toBe('medium');
  });

  it.each([
    ['no body', {}],
    ['an empty JSON body', { 'content-type': 'application/json' }],
  ])('takes everything from the fault where the request has %s', async (_, headers) => {
    const { path } = await faulty({ ...tooWarm, severity: 'high' });
    const { status, body } = await agent.post(`${path}/ticket`, undefined, headers);
    expect([status, body.priority]).toEqual([201, 'high']);
  });

  it('is one per fault, for repeated and concurrent requests, in any state', async () => {
    const { building, path } = await faulty();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => agent.post(`${path}/ticket`, { priority: 'low' })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 201]);
    const [{ id }] = answers.map(({ body }) => body);
    expect(answers.map(({ body }) => body.id)).toEqual(answers.map(() => id));
    await agent.post(`${REQUESTS}/${id}/transition`, { state: 'cancelled' });
    const again = await manager.post(`${path}/ticket`, { priority: 'high' });
    expect([again.status, again.body.id, again.body.state]).toEqual([200, id, 'cancelled']);
    expect((await ticketsOf(building)).length).toBe(1);
  });

  it('is one command under one key', async () => {
    const { path } = await faulty();
    const key = { 'idempotency-key': 'fault-1' };
    const first = await agent.post(`${path}/ticket`, { priority: 'low' }, key);
    const again = await agent.post(`${path}/ticket`, { priority: 'low' }, key);
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await agent.post(`${path}/ticket`, { priority: 'high' }, key);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const offered = await agent.post(`${path}/ticket`, {}, { 'idempotency-key': 'fault-2' });
    expect([offered.status, offered.body.id]).toEqual([200, first.body.id]);
  });

  it('follows its fault too', async () => {
    const { building, path } = await faulty();
    const { id } = (await agent.post(`${path}/ticket`, {})).body;
    await send(building, [5, 20]);
    await expect.poll(() => story(id)).toEqual(['triaged', 'resolved', closedNote(5)]);
  });

  it('of a closed fault is not changed', async () => {
    const { building, path } = await faulty(tooWarm, [
      [1, 30],
      [2, 20],
    ]);
    await expect.poll(async () => (await agent.get(path)).body.closedAt).toBe(at(2));
    const { id } = (await agent.post(`${path}/ticket`, {})).body;
    await send(building, [3, 30]);
    await expect.poll(async () => (await faults(building)).length).toBe(2);
    expect(await story(id)).toEqual([]);
  });

  it.each([
    [{ priority: 'top' }, 'priority'],
    [{ category: 'a,b' }, 'category'],
    [{ description: ' ' }, 'description'],
    [{ faultId: randomUUID() }, 'faultId'],
  ])('refuses %o', async (body, path) => {
    const answer = await agent.post(
      `/api/v1/buildings/${randomUUID()}/faults/${randomUUID()}/ticket`,
      body,
    );
    expect([answer.status, answer.body.errors?.[0].path]).toEqual([400, path]);
  });

  it('requires the permissions to read the building and to raise tickets', async () => {
    const { path } = await faulty();
    for (const role of ['developer', 'auditor', 'viewer'])
      expect((await api.as(`${role}@acme.test`).post(`${path}/ticket`, {})).status).toBe(403);
    expect((await api.as('operator@atrium.test').post(`${path}/ticket`, {})).status).toBe(403);
    for (const caller of ['manager@globex.test', 'agent@globex.test'].map((who) => api.as(who))) {
      expect((await caller.post(`${path}/ticket`, {})).status).toBe(404);
      expect((await caller.get(path)).status).toBe(404);
    }
    const { buildingId } = await importMetered(manager, POINTS);
    const faultId = path.split('/').at(-1);
    const elsewhere = `/api/v1/buildings/${buildingId}/faults/${faultId}`;
    expect((await agent.post(`${elsewhere}/ticket`, {})).status).toBe(404);
    // Reads the building, and no tickets.
    expect((await api.as('developer@acme.test').get(path)).body).not.toHaveProperty('ticket');
    const list = await api.as('developer@acme.test').get(path.slice(0, path.lastIndexOf('/')));
    expect(list.body.items[0]).not.toHaveProperty('ticket');
    expect((await api.as('viewer@acme.test').get(path)).body.ticket).toBeNull();
    expect((await agent.post(`${path}/ticket`, {})).status).toBe(201);
  });
});

describe('a rule that raises tickets', () => {
  it('raises one for each fault, and resolves it with a note when the fault closes', async () => {
    const { building, faultId, path } = await faulty(raising);
    const ticket = await raisedOf(building);
    expect(ticket).toMatchObject({
      faultId,
      priority: 'critical',
      category: 'climate',
      requestType: 'general',
      channel: 'system',
      subject: 'Too warm',
      createdBy: { kind: 'system' },
    });
    const offered = await agent.post(`${path}/ticket`, {});
    expect([offered.status, offered.body.id]).toEqual([200, ticket.id]);
    await send(building, [2, 31], [3, 20]);
    await expect.poll(() => story(ticket.id)).toEqual(['triaged', 'resolved', closedNote(3)]);
    expect((await agent.get(path)).body.ticket.state).toBe('resolved');
    await send(building, [4, 30], [5, 20], [6, 30]);
    await expect.poll(async () => (await ticketsOf(building)).length).toBe(3);
    const states = async () =>
      (await ticketsOf(building)).map(({ state }: { state: string }) => state).toSorted();
    await expect.poll(states).toEqual(['new', 'resolved', 'resolved']);
  });

  it('only adds a note to tickets that were moved on', async () => {
    const { building } = await faulty(raising);
    const { id } = await raisedOf(building);
    await agent.post(`${REQUESTS}/${id}/assign`, { assignedUserId: 'ana' });
    await send(building, [4, 20]);
    await expect.poll(async () => (await story(id)).at(-1)).toBe(closedNote(4));
    expect((await agent.get(`${REQUESTS}/${id}`)).body).toMatchObject({
      state: 'new',
      assignedUserId: 'ana',
    });
  });

  it('may use a request type, whose form is not required then', async () => {
    const alarm = {
      requestType: 'alarm',
      name: 'Alarm',
      category: 'alarms',
      fields: [{ key: 'who', label: 'Who is there?', kind: 'person' as const, required: true }],
    };
    const path = '/api/service-desk/configuration';
    expect((await manager.put(path, configured({ requestTypes: [alarm] }))).status).toBe(200);
    const raiseTicket = { priority: 'low', requestType: 'alarm' };
    const { building } = await faulty({ ...tooWarm, raiseTicket });
    await expect
      .poll(() => ticketsOf(building))
      .toMatchObject([{ requestType: 'alarm', category: 'alarms', priority: 'low', formData: {} }]);
    await manager.put(path, configured({}));
  });

  it('that is deleted resolves the tickets of its open faults, with the reason', async () => {
    const { building, ruleId } = await faulty(raising);
    const { id } = await raisedOf(building);
    const deleted = await manager.delete(`${building.path}/diagnostic-rules/${ruleId}`);
    expect(deleted.status).toBe(204);
    await expect
      .poll(() => story(id))
      .toEqual([
        'triaged',
        'resolved',
        expect.stringMatching(/^The fault closed at .*: its diagnostic rule was deleted or no /),
      ]);
  });

  it.each([false, true])(
    'of a class that the point leaves by an import resolves its ticket (replace=%s)',
    async (replace) => {
      const { building, path } = await faulty(raising);
      const { id } = await raisedOf(building);
      const moved = await manager.post(
        `${building.path}/import?replace=${replace}`,
        buildingWith({ A: { ...POINTS.A, pointClass: 'Other_Sensor' } }),
      );
      expect(moved.status).toBe(200);
      expect((await agent.get(path)).body.closedAt).not.toBeNull();
      await expect
        .poll(async () => (await story(id)).filter((entry?: string) => entry !== undefined))
        .toEqual([
          'triaged',
          'resolved',
          expect.stringMatching(/^The fault closed at .*: .* no longer watches the point\.$/),
        ]);
    },
  );

  it('raises none for a rule without it', async () => {
    const { building } = await faulty();
    await watch(building, { ...raising, threshold: 28 });
    await send(building, [2, 31]);
    await expect.poll(async () => (await ticketsOf(building)).length).toBe(1);
    expect((await faults(building)).map((one: { ticket: object | null }) => one.ticket)).toEqual([
      expect.anything(),
      null,
    ]);
  });

  it('of a fault that flaps has one ticket, which is reopened with it', async () => {
    const flaps = Array.from({ length: 24 }, (_, minute): [number, number] => [
      minute,
      minute % 2 === 0 ? 30 : 20,
    ]);
    const { building } = await faulty(raising, flaps);
    await expect.poll(async () => (await ticketsOf(building)).length).toBe(12);
    const latest = async () =>
      (await ticketsOf(building)).find(({ description }: { description: string }) =>
        description.includes(at(22)),
      );
    await expect.poll(async () => (await latest()).state).toBe('resolved');
    // The thirteenth opening in an hour.
    await send(building, [24, 30]);
    const { id } = await latest();
    await expect
      .poll(() => story(id))
      .toEqual([
        'triaged',
        'resolved',
        closedNote(23),
        'reopened',
        'The fault is open again, because it is flapping.',
      ]);
    await send(building, [25, 20]);
    await expect.poll(async () => (await story(id)).slice(5)).toEqual(['resolved', closedNote(25)]);
    expect((await ticketsOf(building)).length).toBe(12);
  });

  it('raises no more than its bound in an hour; further faults have none', async () => {
    const codes = Array.from({ length: FAULT_TICKETS_OF_RULE_AN_HOUR_MAX + 5 }, (_, n) => `P${n}`);
    const building = await importMetered(
      manager,
      Object.fromEntries(codes.map((code) => [code, { pointClass: CLASS }])),
    );
    await watch(building, raising);
    const ids = Object.values(await building.ids());
    const ingest = (minute: number, some: readonly string[]) =>
      manager.post(`${building.path}/observations`, {
        observations: some.map((pointId) => ({ pointId, value: 30, timestamp: at(minute) })),
      });
    await ingest(0, ids.slice(0, 15));
    await ingest(1, ids.slice(15));
    await expect.poll(async () => (await faults(building)).length).toBe(codes.length);
    const count = async () => (await ticketsOf(building)).length;
    await expect.poll(count).toBe(FAULT_TICKETS_OF_RULE_AN_HOUR_MAX);
    // Another rule has a bound of its own; its ticket shows that all earlier faults were handled.
    await watch(building, { ...raising, title: 'Other', pointClass: undefined, pointId: ids[0] });
    await ingest(2, ids.slice(0, 1));
    await expect.poll(count).toBe(FAULT_TICKETS_OF_RULE_AN_HOUR_MAX + 1);
    const without = (await faults(building)).filter(
      ({ ticket }: { ticket: object | null }) => ticket === null,
    );
    expect(without.length).toBe(5);
    const byHand = await agent.post(`${building.path}/faults/${without[0].faultId}/ticket`, {});
    expect(byHand.status).toBe(201);
  });

  it('raises and resolves one for each fault of a storm, with all rules of a point', async () => {
    const building = await importMetered(manager, POINTS);
    for (let made = 0; made < RULES_OF_POINT_MAX; made += 1)
      await watch(building, { ...raising, title: `Rule ${made}` });
    await send(
      building,
      ...Array.from({ length: 2 * FAULTS_OF_POINT_AN_HOUR_MAX }, (_, minute): [number, number] => [
        minute,
        minute % 2 === 0 ? 30 : 20,
      ]),
    );
    const raised = RULES_OF_POINT_MAX * FAULTS_OF_POINT_AN_HOUR_MAX;
    const path = `${REQUESTS}?buildingId=${building.buildingId}&limit=1`;
    const total = async (state: string) => (await agent.get(`${path}&state=${state}`)).body.total;
    await expect.poll(() => total('resolved')).toBe(raised);
    expect((await agent.get(path)).body.total).toBe(raised);
    const all = await faults(building);
    const ticketIds = all.map(({ ticket }: { ticket: { ticketId: string } }) => ticket.ticketId);
    expect([all.length, new Set(ticketIds).size]).toEqual([raised, raised]);
  });

  it('requires the permission to raise tickets', async () => {
    const building = await importMetered(manager, POINTS);
    const other = await api.beside({
      identity: oidcIdentity({
        issuer: api.issuer.url,
        audience: 'atrium',
        environment: 'development',
        permissions: { ...permissionTable, 'service-desk.tickets:write': [] },
      }),
    });
    const path = `${building.path}/diagnostic-rules`;
    const made = (rule: object) =>
      other.as('manager@acme.test').post(path, { pointClass: CLASS, ...rule });
    const denied = await made(raising);
    expect([denied.status, denied.body.code]).toEqual([403, 'PERMISSION_DENIED']);
    expect((await made(tooWarm)).status).toBe(201);
  });
});
