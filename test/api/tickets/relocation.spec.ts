import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { demoBuilding } from '../../../src/demo/building.ts';
import type { ImportDocument } from '../../../src/domain/buildings/document.ts';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import { LogUnavailable } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { postgresEventStore } from '../../../src/engine/log/postgres/store.ts';
import { testApi } from '../../support/api/api.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';
import { addUnreadableNote } from '../../support/log/unreadable.ts';
import { poolOf } from '../../support/postgres/pool.ts';

const REQUESTS = '/api/service-desk/requests';
const DESK = '/api/service-desk/configuration';

const platform = testApi();
const agent = platform.as('agent@acme.test');
const manager = platform.as('manager@acme.test');

interface Space {
  id: string;
  externalId: string;
  code: string;
  storey: { id: string };
}

const spacesOf = async (buildingId: string): Promise<Space[]> =>
  (await agent.get(`/api/v1/buildings/${buildingId}/spaces?limit=1000`)).body.items;

const imported = async () => {
  const { body } = await manager.post('/api/v1/buildings/import', demoBuilding());
  return body.buildingId as string;
};

const importAgain = async (buildingId: string, document: ImportDocument, replace: boolean) => {
  const path = `/api/v1/buildings/${buildingId}/import?replace=${replace}`;
  expect((await manager.post(path, document)).status).toBe(200);
};

/** The building without a room. */
const without = (roomCode: string): ImportDocument => {
  const document = demoBuilding();
  const storeys = document.building.storeys!.map((storey) => ({
    ...storey,
    spaces: (storey.spaces ?? []).filter(({ code }) => code !== roomCode),
  }));
  return { ...document, building: { ...document.building, storeys } };
};

const raisedIn = async (buildingId: string, spaceId: string) => {
  const { body } = await agent.post(REQUESTS, { buildingId, spaceId, description: 'x' });
  return body as { id: string; revision: number };
};

const ticket = async (id: string) => (await agent.get(`${REQUESTS}/${id}`)).body;

describe('after a building was replaced', () => {
  it('an open ticket is in the same room under its new id; a closed one stays', async () => {
    const buildingId = await imported();
    const [room] = await spacesOf(buildingId);
    const [open, closed] = [
      await raisedIn(buildingId, room!.id),
      await raisedIn(buildingId, room!.id),
    ];
    await agent.post(`${REQUESTS}/${closed.id}/transition`, { state: 'cancelled' });

    await importAgain(buildingId, demoBuilding(), true);
    const again = (await spacesOf(buildingId)).find(
      ({ externalId }) => externalId === room!.externalId,
    )!;
    expect(again.id).not.toBe(room!.id);
    await expect.poll(async () => (await ticket(open.id)).spaceId).toBe(again.id);
    expect(await ticket(open.id)).toMatchObject({ storeyId: again.storey.id, revision: 1 });
    const listedIn = async () => (await agent.get(`${REQUESTS}?spaceId=${again.id}`)).body.total;
    await expect.poll(listedIn).toBe(1);
    expect((await ticket(closed.id)).spaceId).toBe(room!.id);

    await importAgain(buildingId, demoBuilding(), true);
    const third = (await spacesOf(buildingId)).find(
      ({ externalId }) => externalId === room!.externalId,
    )!;
    await expect.poll(async () => (await ticket(open.id)).spaceId).toBe(third.id);
  });

  it('an unreadable ticket keeps no other one at its former place', async () => {
    const buildingId = await imported();
    const [room] = await spacesOf(buildingId);
    const tickets = [
      await raisedIn(buildingId, room!.id),
      await raisedIn(buildingId, room!.id),
    ] as const;
    const [{ id: broken }, { id }] = tickets;
    await addUnreadableNote(platform.log, broken);
    await importAgain(buildingId, demoBuilding(), true);
    const after = (await spacesOf(buildingId)).find(
      ({ externalId }) => externalId === room!.externalId,
    )!;
    await expect.poll(async () => (await ticket(id)).spaceId).toBe(after.id);
    const pool = poolOf(platform.databaseUrl);
    onTestFinished(() => pool.end());
    const parked = async () => {
      const { rows } = await pool.query(
        `select from consumers.parked
         where consumer = 'process/ticket-relocation' and lane like $1`,
        [`building-${buildingId}%`],
      );
      return rows.length;
    };
    await expect.poll(parked).toBe(1);
  });

  it('a ticket of a removed room keeps the storey, with a note', async () => {
    const buildingId = await imported();
    const [room] = await spacesOf(buildingId);
    const { id } = await raisedIn(buildingId, room!.id);
    await importAgain(buildingId, without(room!.code), true);
    await expect.poll(async () => (await ticket(id)).spaceId).toBeNull();
    expect((await ticket(id)).storeyId).not.toBeNull();
    const { items } = (await agent.get(`${REQUESTS}/${id}/updates`)).body;
    expect(items.at(-1)).toMatchObject({ kind: 'system', actor: { kind: 'system' } });
    expect(items.at(-1).body).toContain('no longer exists');
  });

  it('rules and policies that name its rooms and storeys apply to new tickets', async () => {
    const buildingId = await imported();
    const [room] = await spacesOf(buildingId);
    const before = await raisedIn(buildingId, room!.id);
    const byStorey = { match: { storeyId: room!.storey.id } };
    const configuration = configured({
      routingRules: [
        rule('room', { match: { spaceId: [room!.id] }, assignTeamId: 'plumbers', triage: true }),
        rule('storey', { ...byStorey, assignUserId: 'ana' }),
      ],
      slaPolicies: [{ name: 'here', firstResponseMinutes: 7, resolutionMinutes: 8, ...byStorey }],
    });
    expect((await manager.put(DESK, configuration)).status).toBe(200);
    await importAgain(buildingId, demoBuilding(), true);
    await importAgain(buildingId, demoBuilding(), true);
    const again = (await spacesOf(buildingId)).find(
      ({ externalId }) => externalId === room!.externalId,
    )!;
    const routed = { assignedTeamId: 'plumbers', assignedUserId: 'ana', state: 'triaged' };
    const ticket = { buildingId, spaceId: again.id, description: 'x' };
    const simulated = (await agent.post(`${DESK}/simulate`, { ticket })).body;
    expect(simulated).toMatchObject({ ticket: routed, sla: { policy: 'here' }, warnings: [] });
    const { body: raised } = await agent.post(REQUESTS, ticket);
    expect(raised).toMatchObject(routed);
    expect(Date.parse(raised.slaFirstResponseDueAt) - Date.parse(raised.createdAt)).toBe(420_000);

    // Tried on tickets from before and after the imports, by the former ids and by the new ones.
    const renewed = {
      ...configuration,
      routingRules: [rule('new', { match: { spaceId: again.id } })],
    };
    const { body: tried } = await manager.post(`${DESK}/try`, { configuration: renewed });
    const both = tried.items.filter(({ ticketId }: { ticketId: string }) =>
      [before.id, raised.id].includes(ticketId),
    );
    expect(both).toHaveLength(2);
    for (const item of both)
      expect(item).toMatchObject({
        before: { ruleIds: ['room', 'storey'], slaPolicy: 'here' },
        after: { ruleIds: ['new'], slaPolicy: 'here' },
      });
    expect((await manager.put(DESK, configuration)).body.warnings).toEqual([]);
    const routingRules = [
      rule('former', { match: { spaceId: room!.id }, stop: true }),
      rule('current', { match: { spaceId: again.id } }),
    ];
    const { warnings } = (await manager.put(DESK, configured({ routingRules }))).body;
    expect(warnings).toEqual([expect.stringContaining('"current" never runs')]);
    await manager.put(DESK, configured({}));
  });

  it('a repeated create or import changes no ticket that has ended', async () => {
    const buildingId = await imported();
    const [room] = await spacesOf(buildingId);
    const body = { buildingId, spaceId: room!.id, description: 'x' };
    const key = { 'idempotency-key': `ended-${buildingId}` };
    const line = JSON.stringify({ importKey: `ended-${buildingId}`, ...body });
    const importLine = async () => {
      const type = { 'content-type': 'application/x-ndjson' };
      const answer = await agent.post(`${REQUESTS}/import`, line, type);
      return JSON.parse(answer.body.split('\n')[0]) as { id: string; status: string };
    };
    const { id: raised } = (await agent.post(REQUESTS, body, key)).body;
    const { id: broughtIn } = await importLine();
    const ids = [raised, broughtIn];
    for (const id of ids) await agent.post(`${REQUESTS}/${id}/transition`, { state: 'cancelled' });
    const marker = await raisedIn(buildingId, room!.id);
    await importAgain(buildingId, without(room!.code), true);
    await expect.poll(async () => (await ticket(marker.id)).spaceId).toBeNull();
    const before = await Promise.all(ids.map(ticket));

    const again = await agent.post(REQUESTS, body, key);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await importLine()).toMatchObject({ status: 'exists', id: broughtIn });
    expect(await Promise.all(ids.map(ticket))).toEqual(before);
  });

  it('an import without moved nodes does not change tickets', async () => {
    const buildingId = await imported();
    const [room] = await spacesOf(buildingId);
    const { id, revision } = await raisedIn(buildingId, room!.id);
    await importAgain(buildingId, demoBuilding(), false);
    const marker = await raisedIn(buildingId, room!.id);
    await importAgain(buildingId, demoBuilding(), true);
    await expect
      .poll(async () => (await ticket(marker.id)).revision)
      .toBeGreaterThan(marker.revision);
    // One relocation, by the second import: the first one moved nothing.
    await expect.poll(async () => (await ticket(id)).revision).toBeGreaterThan(revision);
    expect((await ticket(id)).revision).toBe(revision + 1);
  });
});

describe('a command whose location is re-imported before it is recorded', () => {
  /**
   * Another server on the same database, whose writes to tickets wait until they are released.
   *
   * @param writesMax The number of writes stored; the next one fails as if the server were killed.
   */
  const held = async ({ writesMax = Number.POSITIVE_INFINITY } = {}) => {
    let writes = 0;
    const logger = pino({ level: 'silent' });
    const log = postgresEventStore({ url: platform.databaseUrl, logger });
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const slow: typeof log.append = async (stream, ...call) => {
      if (stream.startsWith('ticket-')) {
        reached.resolve();
        await gate.promise;
        if ((writes += 1) > writesMax) throw new LogUnavailable('killed');
      }
      return log.append(stream, ...call);
    };
    const roles: ReadonlySet<'api'> = new Set(['api']);
    const other = await platform.beside({ log: logWith(log, { append: slow }), roles });
    return { as: other.as('agent@acme.test'), reached: reached.promise, open: gate.resolve };
  };

  /** Imports anew, and waits until the tickets that the list shows have been moved. */
  const moved = async (buildingId: string, roomExternalId: string) => {
    const of = async () =>
      (await spacesOf(buildingId)).find(({ externalId }) => externalId === roomExternalId)!;
    const marker = await raisedIn(buildingId, (await of()).id);
    await importAgain(buildingId, demoBuilding(), true);
    const after = await of();
    await expect.poll(async () => (await ticket(marker.id)).spaceId).toBe(after.id);
    return after;
  };

  it('is a ticket in the room under its new id', async () => {
    const buildingId = await imported();
    const [room] = await spacesOf(buildingId);
    const slow = await held();
    const body = { buildingId, spaceId: room!.id, description: 'x' };
    const raising = slow.as.post(REQUESTS, body);
    await slow.reached;
    const after = await moved(buildingId, room!.externalId);
    slow.open();
    const { status, body: raised } = await raising;
    expect([status, raised.spaceId]).toEqual([201, after.id]);
    expect(await ticket(raised.id)).toMatchObject({
      spaceId: after.id,
      storeyId: after.storey.id,
    });
  });

  /** Waits until the followers of the log have processed a ticket raised now. */
  const followed = async (buildingId: string) => {
    const room = (await spacesOf(buildingId))[0]!;
    const marker = await raisedIn(buildingId, room.id);
    await importAgain(buildingId, demoBuilding(), true);
    await expect.poll(async () => (await ticket(marker.id)).spaceId).not.toBe(room.id);
  };

  it('is relocated once, by the first process to do so', async () => {
    const buildingId = await imported();
    const [room] = await spacesOf(buildingId);
    const slow = await held();
    const raising = slow.as.post(REQUESTS, { buildingId, spaceId: room!.id, description: 'x' });
    await slow.reached;
    await moved(buildingId, room!.externalId);
    slow.open();
    const { id } = (await raising).body;
    await agent.post(`${REQUESTS}/${id}/transition`, { state: 'cancelled' });
    await followed(buildingId);
    const { items } = (await agent.get(`/api/service-desk/changes?buildingId=${buildingId}`)).body;
    const its = items.filter(({ ticketId }: { ticketId: string }) => ticketId === id);
    expect(its.map(({ change }: { change: string }) => change)).toEqual([
      'created',
      'fields',
      'state',
    ]);
  });

  it('is a ticket in the room under its new id, though its server is killed', async () => {
    const buildingId = await imported();
    const [room] = await spacesOf(buildingId);
    const slow = await held({ writesMax: 1 });
    const key = { 'idempotency-key': `killed-${buildingId}` };
    const body = { buildingId, spaceId: room!.id, description: 'x' };
    const raising = slow.as.post(REQUESTS, body, key);
    await slow.reached;
    const after = await moved(buildingId, room!.externalId);
    slow.open();
    // 201 where the process has relocated the ticket before that server.
    expect([201, 503]).toContain((await raising).status);
    const listed = async () =>
      (await agent.get(`${REQUESTS}?buildingId=${buildingId}&spaceId=${after.id}`)).body.items;
    // Besides the marker. No caller repeats the request.
    await expect.poll(async () => (await listed()).length).toBe(2);
    const { status, body: raised } = await agent.post(REQUESTS, body, key);
    expect([status, raised.spaceId]).toEqual([201, after.id]);
    expect(await ticket(raised.id)).toEqual({ ...raised, revision: 1 });
  });

  it('is an edit that names the room by its new id, though its server is killed', async () => {
    const buildingId = await imported();
    const [room] = await spacesOf(buildingId);
    const { body: raised } = await agent.post(REQUESTS, { buildingId, description: 'x' });
    const slow = await held({ writesMax: 1 });
    const editing = slow.as.patch(`${REQUESTS}/${raised.id}`, { spaceId: room!.id });
    await slow.reached;
    const after = await moved(buildingId, room!.externalId);
    slow.open();
    expect([200, 503]).toContain((await editing).status);
    await expect.poll(async () => (await ticket(raised.id)).spaceId).toBe(after.id);
  });

  it('is an edit that names the room by its new id', async () => {
    const buildingId = await imported();
    const [room] = await spacesOf(buildingId);
    const { body: raised } = await agent.post(REQUESTS, { buildingId, description: 'x' });
    const slow = await held();
    const editing = slow.as.patch(`${REQUESTS}/${raised.id}`, { spaceId: room!.id });
    await slow.reached;
    const after = await moved(buildingId, room!.externalId);
    slow.open();
    const { status, body } = await editing;
    expect([status, body.spaceId]).toEqual([200, after.id]);
    expect((await ticket(raised.id)).spaceId).toBe(after.id);
  });

  it('is moved on where another import had replaced the place that it was moved to', async () => {
    const buildingId = await imported();
    const [room] = await spacesOf(buildingId);
    const { id } = await raisedIn(buildingId, room!.id);
    const after = await moved(buildingId, room!.externalId);
    await expect.poll(async () => (await ticket(id)).spaceId).toBe(after.id);
    const place = { storeyId: room!.storey.id, spaceId: room!.id, elementId: null };
    const late = ticketCodec.encode(
      randomUUID(),
      { type: 'TicketRelocated', ...place },
      {
        commandId: randomUUID(),
        at: new Date().toISOString(),
        by: { kind: 'system', id: 'process:ticket-relocation' },
        origin: 'system',
        organisation: 'acme',
      },
    );
    const { revision } = await platform.log.append(`ticket-${id}`, 'any', [late]);
    await expect.poll(async () => (await ticket(id)).revision).toBeGreaterThan(revision);
    expect((await ticket(id)).spaceId).toBe(after.id);
  });
});
