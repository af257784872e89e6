import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoBuilding } from '../../../src/demo/building.ts';
import { workOrderTypes } from '../../../src/domain/work-orders/message.ts';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import { TICKET_WORK_ORDERS_MAX } from '../../../src/domain/tickets/limits.ts';
import { BUS_PAGE_MAX, BUS_READS } from '../../../src/api/bus/limits.ts';
import { BUS_DATA_BYTES_MAX } from '../../../src/domain/bus/limits.ts';
import { streamOf } from '../../../src/engine/log/streams.ts';
import { schemaOf } from '../../../src/engine/projections/projection.ts';
import { busPositions } from '../../../src/projections/bus/positions.ts';
import { testApi } from '../../support/api/api.ts';
import { noon } from '../../support/domain/specify.ts';
import { sent, subjectOf } from '../../support/domain/work-order-events.ts';

const wifiSensing = [
  'wifi-sensing.event',
  'wifi-sensing.occupancy.changed',
  'wifi-sensing.hvac.presence',
  'wifi-sensing.meeting.lifecycle',
];
const EVENTS = '/api/v1/bus/events';
const REQUESTS = '/api/service-desk/requests';

const platform = testApi();
const operator = platform.as('operator@atrium.test');
const agent = platform.as('agent@acme.test');
let buildingId: string;

beforeAll(async () => {
  buildingId = await importedBy('manager@acme.test');
});

const importedBy = async (email: string): Promise<string> =>
  (await platform.as(email).post('/api/v1/buildings/import', demoBuilding())).body.buildingId;

const raised = async (state?: string): Promise<string> => {
  const { body } = await agent.post(REQUESTS, { buildingId, description: 'x' });
  if (state !== undefined) await agent.post(`${REQUESTS}/${body.id}/transition`, { state });
  return body.id;
};

const ticket = async (id: string) => (await agent.get(`${REQUESTS}/${id}`)).body;
const timeline = async (id: string) => (await agent.get(`${REQUESTS}/${id}/updates`)).body.items;

const publish = async (kind: string, over: Parameters<typeof sent>[1] = {}) => {
  const data = sent(buildingId, over);
  const subject = subjectOf(kind, data.buildingId);
  const { status, body } = await operator.post(EVENTS, { subject, data });
  expect([status, body]).toEqual([202, { eventId: data.eventId }]);
  return data;
};

const nested = (levels: number): object => (levels === 1 ? {} : { inner: nested(levels - 1) });

/** Waits until the ticket has `notes` system notes. */
const worked = async (id: string, notes: number): Promise<void> => {
  const isNote = ({ kind }: { kind: string }) => kind === 'system';
  const count = async () => (await timeline(id)).filter(isNote).length;
  await expect.poll(count).toBe(notes);
};

describe('a work order', () => {
  it('is linked to its ticket, notes its progress and resolves it', async () => {
    const ticketId = await raised('triaged');
    const of = { ticketId, workOrderId: 'WO-1' };
    await publish('created', { ...of, title: 'New pump' });
    await publish('updated', { ...of, status: 'on site', progressPercent: 40, note: 'Wet feet.' });
    await worked(ticketId, 2);
    expect(await ticket(ticketId)).toMatchObject({
      state: 'triaged',
      workOrderId: 'WO-1',
      workOrderIds: ['WO-1'],
    });
    await publish('completed', of);
    await expect.poll(async () => (await ticket(ticketId)).state).toBe('resolved');
    const items = await timeline(ticketId);
    expect(
      items.slice(1).map((item: { kind: string; body?: string }) => item.body ?? item.kind),
    ).toEqual([
      'work_order',
      'Work order WO-1 was created: New pump.',
      'Work order WO-1 was updated: status on site, 40 %.\nWet feet.',
      'state',
      'Work order WO-1 was completed.',
    ]);
    expect(items[1]).toMatchObject({ to: { workOrderId: 'WO-1' }, actor: { kind: 'system' } });
  });

  it('is processed idempotently on redelivery', async () => {
    const ticketId = await raised('triaged');
    const created = await publish('created', { ticketId, workOrderId: 'WO-2' });
    await worked(ticketId, 1);
    const { updatedAt } = await ticket(ticketId);
    await publish('created', created);
    await publish('completed', { ticketId: await raised(), workOrderId: 'WO-2b' });
    const marker = await raised();
    await publish('created', { ticketId: marker, workOrderId: 'WO-2c' });
    await worked(marker, 1);
    expect(await ticket(ticketId)).toMatchObject({ updatedAt, state: 'triaged' });
  });

  it('that is created again under another id has no further effect', async () => {
    const ticketId = await raised('triaged');
    await publish('created', { ticketId, workOrderId: 'WO-7', title: 'New pump' });
    await worked(ticketId, 1);
    const before = await ticket(ticketId);
    await publish('created', {
      ticketId,
      workOrderId: 'WO-7',
      title: 'New pump',
      eventId: 'again',
    });
    await publish('updated', { ticketId, workOrderId: 'WO-7', status: 'on site' });
    await worked(ticketId, 2);
    const items = await timeline(ticketId);
    expect(items.map((item: { body?: string; kind: string }) => item.body ?? item.kind)).toEqual([
      'state',
      'work_order',
      'Work order WO-7 was created: New pump.',
      'Work order WO-7 was updated: status on site.',
    ]);
    expect((await ticket(ticketId)).revision).toBe(before.revision + 1);
    expect(await listedOf('WO-7')).toEqual([]);
  });

  it('shows the order that was linked last by its own clock, and all in that order', async () => {
    const ticketId = await raised();
    await publish('created', { ticketId, workOrderId: 'late', occurredAt: '2026-03-03T00:00:00Z' });
    await publish('created', {
      ticketId,
      workOrderId: 'early',
      occurredAt: '2026-03-01T00:00:00Z',
    });
    await worked(ticketId, 2);
    expect(await ticket(ticketId)).toMatchObject({
      workOrderId: 'late',
      workOrderIds: ['early', 'late'],
    });
  });

  it('may arrive before its ticket is known, and is processed once it is', async () => {
    const ticketId = await raised('triaged');
    const workOrderId = 'WO-3';
    await publish('completed', { workOrderId });
    const [parked] = await parkedOf(workOrderId);
    expect(parked).toMatchObject({
      reason: 'TICKET_NOT_NAMED',
      type: 'cafm.work-order.completed',
      data: { workOrderId },
    });
    expect(await ticket(ticketId)).toMatchObject({ state: 'triaged', workOrderIds: [] });
    await publish('created', { workOrderId, ticketId });
    await expect.poll(async () => (await ticket(ticketId)).state).toBe('resolved');
    await expect.poll(() => listedOf(workOrderId)).toEqual([]);
    expect(await ticket(ticketId)).toMatchObject({ workOrderId });
  });

  it('leaves a ticket that is not being worked on where it is, with a note', async () => {
    const ticketId = await raised();
    await publish('completed', { ticketId, workOrderId: 'WO-4' });
    await worked(ticketId, 1);
    expect(await ticket(ticketId)).toMatchObject({ state: 'new', workOrderId: 'WO-4' });
  });

  it.each([
    ['building', 'manager@acme.test', 'TICKET_ELSEWHERE'],
    ['organisation', 'manager@globex.test', 'TICKET_UNKNOWN'],
  ])('of another %s is refused and listed, and changes nothing', async (other, by, reason) => {
    const ticketId = await raised('triaged');
    const elsewhere = await importedBy(by);
    const workOrderId = `WO-5-${other}`;
    await publish('completed', { buildingId: elsewhere, ticketId, workOrderId });
    const [parked] = await parkedOf(workOrderId);
    expect(parked).toMatchObject({ reason, buildingId: elsewhere });
    expect(await ticket(ticketId)).toMatchObject({ state: 'triaged', workOrderIds: [] });
    expect(await timeline(ticketId)).toHaveLength(1);
  });

  it('for a full ticket is listed, in one entry with its later ones', async () => {
    const ticketId = await raised();
    await platform.log.append(streamOf('ticket', ticketId), 'any', linkedOrders());
    const orders = ['late 1', 'late 2', 'late 3'];
    const [first] = await Promise.all(
      orders.map((workOrderId) => publish('created', { ticketId, workOrderId, title: 'Secret' })),
    );
    const refused = async () => {
      const { body } = await operator.get(`/api/v1/bus/parked?limit=${BUS_PAGE_MAX}`);
      return body.items.filter((item: { data: { ticketId?: string } }) => {
        return item.data.ticketId === ticketId;
      });
    };
    await expect.poll(async () => (await refused())[0]?.messages).toBe(3);
    await publish('created', first);
    const other = await raised();
    await publish('created', { ticketId: other, workOrderId: 'late 1' });
    await worked(other, 1);
    const [entry, ...others] = await refused();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      consumer: 'work-order-linking',
      buildingId,
      type: 'cafm.work-order.created',
      reason: 'TICKET_FULL',
      messages: 3,
    });
    expect(entry.detail).toContain(`${TICKET_WORK_ORDERS_MAX} work orders`);
    expect(orders).toContain(entry.data.workOrderId);
    expect(entry.data).not.toHaveProperty('title');
    expect((await ticket(ticketId)).workOrderIds).toHaveLength(TICKET_WORK_ORDERS_MAX);
  });

  it('of an unknown ticket is refused and listed', async () => {
    await publish('created', { ticketId: randomUUID(), workOrderId: 'WO-6' });
    expect(await parkedOf('WO-6')).toMatchObject([{ reason: 'TICKET_UNKNOWN' }]);
  });
});

/** As many as a ticket can hold. */
const linkedOrders = () =>
  Array.from({ length: TICKET_WORK_ORDERS_MAX }, (_, index) =>
    ticketCodec.encode(
      randomUUID(),
      { type: 'WorkOrderLinked', workOrderId: `order ${index}`, occurredAt: noon.at },
      { commandId: randomUUID(), ...noon, origin: 'work_order', organisation: 'acme' },
    ),
  );

const listedOf = async (workOrderId: string) => {
  const { body } = await operator.get(`/api/v1/bus/parked?limit=${BUS_PAGE_MAX}`);
  return body.items.filter(
    ({ data }: { data: { workOrderId?: string } }) => data.workOrderId === workOrderId,
  );
};

const parkedOf = async (workOrderId: string) => {
  await expect.poll(async () => (await listedOf(workOrderId)).length).toBeGreaterThan(0);
  return listedOf(workOrderId);
};

describe('POST /api/v1/bus/events', () => {
  const subject = () => subjectOf('updated', buildingId);
  const data = () => sent(buildingId);

  it.each([
    ['a subject of another prefix', () => ({ subject: `other${subject()}` }), 'subject'],
    ['a building that is no id', () => ({ subject: 'atrium.building.x.a.b' }), 'subject'],
    ['a type that is no word', () => ({ subject: `${subject()}..x` }), 'subject'],
    [
      'a subject that is too long',
      () => ({ subject: `${subject()}.${'x'.repeat(600)}` }),
      'subject',
    ],
    ['data that is no object', () => ({ data: [] }), 'data'],
    ['an event without an id', () => ({ data: { ...data(), eventId: undefined } }), 'data.eventId'],
    ['an event of another building', () => ({ data: sent(randomUUID()) }), 'data.buildingId'],
    ['no work order', () => ({ data: { ...data(), workOrderId: '' } }), 'data.workOrderId'],
    [
      'a control character',
      () => ({ data: { ...data(), workOrderId: 'a\nb' } }),
      'data.workOrderId',
    ],
    ['a ticket that is no id', () => ({ data: { ...data(), ticketId: 'SR-1' } }), 'data.ticketId'],
    ['no time', () => ({ data: { ...data(), occurredAt: 'yesterday' } }), 'data.occurredAt'],
    ['101 percent', () => ({ data: { ...data(), progressPercent: 101 } }), 'data.progressPercent'],
    [
      'a creation without a ticket',
      () => ({ subject: subjectOf('created', buildingId) }),
      'data.ticketId',
    ],
    [
      'more members in all than metadata has',
      () => ({ data: { ...data(), list: Array(1_000).fill(1) } }),
      'data',
    ],
    ['more levels than metadata has', () => ({ data: { ...data(), deep: nested(20) } }), 'data'],
    ['a member it does not know', () => ({ more: 1 }), 'more'],
  ])('refuses %s', async (_, over, path) => {
    const { status, body } = await operator.post(EVENTS, {
      subject: subject(),
      data: data(),
      ...over(),
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  it.each([
    'service-desk.ticket.created',
    'cafm.workorder.created',
    'cafm.work-order.cancelled',
    'wifi-sensing.occupancy',
    'building.alarm.triggered',
    'CAFM.work-order.created',
    'alarm',
    'cafm..created',
    'x'.repeat(200),
  ])('refuses %s, and names the accepted types', async (type) => {
    const { status, body } = await operator.post(EVENTS, {
      subject: `atrium.building.${buildingId}.${type}`,
      data: data(),
    });
    expect([status, body.errors[0].path]).toEqual([400, 'subject']);
    for (const taken of [...workOrderTypes, ...wifiSensing])
      expect(body.errors[0].message).toContain(taken);
  });

  it.each(wifiSensing)('accepts %s unchanged', async (type) => {
    const subject = `atrium.building.${randomUUID()}.${type}`;
    expect((await operator.post(EVENTS, { subject, data: { any: 1 } })).status).toBe(202);
  });

  it('refuses a number that would be altered on its way', async () => {
    const subject = `atrium.building.${buildingId}.wifi-sensing.event`;
    const body = `{"subject":"${subject}","data":{"id":12345678901234567890}}`;
    const answer = await operator.post(EVENTS, body);
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'data.id']);
  });

  it('deduplicates by key and body', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const post = async (n: number) => {
      const body = {
        subject: `atrium.building.${buildingId}.wifi-sensing.hvac.presence`,
        data: { n },
      };
      return (await operator.post(EVENTS, body, key)).body.eventId;
    };
    const [first, repeat, other] = [await post(1), await post(1), await post(2)];
    expect(repeat).toBe(first);
    expect(other).not.toBe(first);
    const { items } = (await operator.get(`${EVENTS}?type=wifi-sensing.hvac.presence`)).body;
    expect(items.slice(-2).map((item: { data: unknown }) => item.data)).toEqual([
      { n: 1 },
      { n: 2 },
    ]);
  });

  it('refuses more than the bus carries', async () => {
    const large = { ...data(), note: 'x'.repeat(BUS_DATA_BYTES_MAX) };
    const { status } = await operator.post(EVENTS, { subject: subject(), data: large });
    expect(status).toBe(413);
  });

  it('requires the permission to publish, and to read for reading', async () => {
    for (const email of ['manager@acme.test', 'agent@acme.test']) {
      const caller = platform.as(email);
      expect((await caller.post(EVENTS, {})).status).toBe(403);
      expect((await caller.get(EVENTS)).status).toBe(403);
      expect((await caller.get('/api/v1/bus/parked')).status).toBe(403);
    }
  });
});

describe('GET /api/v1/bus/events', () => {
  const type = 'wifi-sensing.occupancy.changed';

  it('returns published events in order, page by page, and then later ones', async () => {
    const subject = `atrium.building.${buildingId}.${type}`;
    for (const n of [1, 2, 3]) {
      await operator.post(EVENTS, { subject, data: { n, eventId: `e${n}` } });
    }
    await operator.post(EVENTS, { subject, data: { n: 4, eventId: 'e2' } });
    const selected = `${EVENTS}?type=${type}&buildingId=${buildingId}`;
    const first = (await operator.get(`${selected}&limit=2`)).body;
    expect(first.items).toMatchObject([
      { subject, data: { n: 1 } },
      { subject, data: { n: 2 } },
    ]);
    const second = (await operator.get(`${selected}&after=${first.nextCursor}`)).body;
    expect(second.items).toMatchObject([{ data: { n: 3 } }]);
    const none = (await operator.get(`${selected}&after=${second.nextCursor}`)).body;
    expect(none.items).toEqual([]);
    await operator.post(EVENTS, { subject, data: { n: 5 } });
    const last = (await operator.get(`${selected}&after=${none.nextCursor}`)).body;
    expect(last.items).toMatchObject([{ data: { n: 5 } }]);
  });

  it('selects by building and by type', async () => {
    const other = (await operator.get(`${EVENTS}?buildingId=${randomUUID()}`)).body;
    expect(other.items).toEqual([]);
    const orders = (await operator.get(`${EVENTS}?type=cafm.work-order.created`)).body.items;
    expect(orders.length).toBeGreaterThan(0);
    for (const { subject } of orders) expect(subject).toMatch(/\.cafm\.work-order\.created$/);
  });

  it('reads on past what happened at the edges of time', async () => {
    const subject = `atrium.building.${buildingId}.wifi-sensing.meeting.lifecycle`;
    const edges = ['9999-12-31T23:59:59-14:00', '0000-01-01T00:00:00+14:00'];
    for (const occurredAt of edges) {
      expect((await operator.post(EVENTS, { subject, data: { occurredAt } })).status).toBe(202);
    }
    const { status, body } = await operator.get(`${EVENTS}?type=wifi-sensing.meeting.lifecycle`);
    expect(status).toBe(200);
    expect(body.items.slice(-2)).toMatchObject(
      edges.map((occurredAt) => ({ data: { occurredAt } })),
    );
  });

  it('is refused to a caller at the concurrency limit of reads', async () => {
    const locking = new Client({ connectionString: platform.databaseUrl });
    await locking.connect();
    await locking.query(`begin; lock table ${schemaOf(busPositions)}.position`);
    const reads = Array.from({ length: BUS_READS.ofCaller + 1 }, () => operator.get(EVENTS));
    const first = await Promise.race(reads);
    await locking.end();
    expect([first.status, first.body.code]).toEqual([429, 'RATE_LIMITED']);
    const answered = (await Promise.all(reads)).filter(({ status }) => status === 200);
    expect(answered).toHaveLength(BUS_READS.ofCaller);
  });

  it('refuses a cursor after the end, which would skip later events', async () => {
    const { status, body } = await operator.get(`${EVENTS}?after=999999999`);
    expect([status, body.errors[0].path]).toEqual([400, 'after']);
  });

  it.each(['after=x', 'type=X', 'buildingId=x', 'limit=0', `limit=${BUS_PAGE_MAX + 1}`, 'from=1'])(
    'refuses %s',
    async (query) => expect((await operator.get(`${EVENTS}?${query}`)).status).toBe(400),
  );
});
