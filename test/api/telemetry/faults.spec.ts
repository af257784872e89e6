import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { telemetryCodec } from '../../../src/domain/telemetry/codecs.ts';
import { testApi } from '../../support/api/api.ts';
import { smallBuilding } from '../../support/domain/building-documents.ts';
import { buildingWith, importMetered, type MeteredBuilding } from '../../support/api/telemetry.ts';
import { allEvents } from '../../support/log/all-events.ts';
import { poolOf } from '../../support/postgres/pool.ts';

const api = testApi();
let db: Pool;
beforeAll(() => {
  db = poolOf(api.databaseUrl);
});
afterAll(() => db.end());
const manager = api.as('manager@acme.test');
const viewer = api.as('viewer@acme.test');

const POINTS = {
  A: { pointClass: 'Zone_Air_Temperature_Sensor' },
  B: { pointClass: 'Zone_Air_Temperature_Sensor' },
  DOOR: { valueType: 'boolean', pointClass: 'Open_Close_Status' },
} as const;

const tooWarm = { title: 'Too warm', severity: 'high', comparison: 'gt', threshold: 25 };
const watch = async (building: MeteredBuilding, rule: object, headers = {}) => {
  const { status, body } = await manager.post(`${building.path}/diagnostic-rules`, rule, headers);
  expect([status, body.code]).toEqual([201, undefined]);
  return body;
};
const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 12, minute)).toISOString();
const send = async (
  building: MeteredBuilding,
  code: string,
  ...samples: readonly (readonly [minute: number, value: number | boolean])[]
) => {
  const pointId = await building.idOf(code);
  const observations = samples.map(([minute, value]) => ({
    pointId,
    value,
    timestamp: at(minute),
  }));
  const answer = await manager.post(`${building.path}/observations`, { observations });
  expect(answer.status).toBe(200);
};
const faults = async (building: MeteredBuilding, query = '') =>
  (await viewer.get(`${building.path}/faults${query}`)).body;
/** `A 3-5`: a fault of point A, from minute 3 to minute 5; newest first. */
const faultPeriods = async (building: MeteredBuilding) => {
  const ids = Object.entries(await building.ids());
  const minute = (time: string | null) =>
    time === null ? '' : (Date.parse(time) - Date.parse(at(0))) / 60_000;
  const { items } = await faults(building);
  return items.map(({ pointId, openedAt, closedAt }: { [member: string]: string | null }) => {
    const code = ids.find(([, id]) => id === pointId)?.[0];
    return `${code} ${minute(openedAt!)}-${minute(closedAt!)}`;
  });
};
const journal = async ({ buildingId }: MeteredBuilding) => {
  const events = await allEvents(api.log, { categories: ['telemetry'] });
  return events
    .map((event) => telemetryCodec.decode(event).event)
    .filter((event) => event.buildingId === buildingId && event.type !== 'PointsUpdated');
};

describe('a rule', () => {
  it('opens one fault for each of its points, raises nothing more, and closes it', async () => {
    const building = await importMetered(manager, POINTS);
    const { ruleId } = await watch(building, { ...tooWarm, pointClass: POINTS.A.pointClass });
    await send(building, 'A', [0, 20], [1, 26], [2, 30]);
    await send(building, 'B', [1, 25]);
    await send(building, 'A', [3, 31]);
    await expect.poll(() => faultPeriods(building)).toEqual(['A 1-']);
    await send(building, 'B', [4, 40]);
    await send(building, 'A', [5, 24]);
    await expect.poll(() => faultPeriods(building)).toEqual(['B 4-', 'A 1-5']);
    await send(building, 'A', [6, 27]);
    await expect.poll(() => faultPeriods(building)).toEqual(['A 6-', 'B 4-', 'A 1-5']);

    const page = await faults(building);
    expect(page).toMatchObject({ limit: 100, offset: 0, total: 3 });
    expect(page.items[2]).toEqual({
      faultId: expect.any(String),
      ruleId,
      pointId: await building.idOf('A'),
      elementId: expect.any(String),
      severity: 'high',
      title: 'Too warm',
      value: 26,
      openedAt: at(1),
      closedAt: at(5),
      ticket: null,
    });
    expect((await faults(building, '?open=true')).total).toBe(2);
    expect((await faults(building, '?open=false')).total).toBe(1);
    expect((await faults(building, '?limit=1&offset=1')).items).toEqual([page.items[1]]);
  });

  it('publishes the alarm and then the fault, in the journal and on the bus', async () => {
    const building = await importMetered(manager, POINTS);
    const { ruleId } = await watch(building, { ...tooWarm, pointId: await building.idOf('A') });
    await send(building, 'A', [1, 26], [2, 20], [3, 27]);
    await expect.poll(async () => (await journal(building)).length).toBe(4);
    const [pointId, { items }] = [await building.idOf('A'), await faults(building)];
    const common = {
      buildingId: building.buildingId,
      severity: 'high',
      title: 'Too warm',
      pointId,
    };
    expect(await journal(building)).toEqual(
      items.toReversed().flatMap((fault: { faultId: string; elementId: string; value: number }) => {
        const { faultId, elementId, value } = fault;
        const its = { ...common, faultId, elementId };
        const alarm = { alarmId: expect.any(String), ruleId, value, threshold: 25 };
        return [
          { type: 'AlarmTriggered', ...its, ...alarm, triggeredAt: at(value === 26 ? 1 : 3) },
          { type: 'FaultCreated', ...its, detectedAt: expect.any(String) },
        ];
      }),
    );
    const bus = async () => {
      const path = `/api/v1/bus/events?buildingId=${building.buildingId}`;
      const { body } = await api.as('operator@atrium.test').get(path);
      return body.items.map(({ subject }: { subject: string }) =>
        subject.split('.').slice(3).join('.'),
      );
    };
    const each = ['building.alarm.triggered', 'building.fault.created'];
    await expect.poll(bus).toEqual([...each, ...each]);
  });

  it('ignores samples from before its creation, and late ones', async () => {
    const building = await importMetered(manager, POINTS);
    await send(building, 'A', [0, 30], [10, 30]);
    await watch(building, { ...tooWarm, pointId: await building.idOf('A') });
    await send(building, 'A', [10, 31]);
    await send(building, 'A', [5, 31]);
    await send(building, 'A', [11, 20], [12, 26], [9, 40]);
    await expect.poll(() => faultPeriods(building)).toEqual(['A 12-']);
    await send(building, 'A', [14, 20]);
    await send(building, 'A', [13, 40]);
    await send(building, 'A', [16, 27]);
    await expect.poll(() => faultPeriods(building)).toEqual(['A 16-', 'A 12-14']);
  });

  it('of a boolean point compares with 1 and 0, and reports a boolean', async () => {
    const building = await importMetered(manager, POINTS);
    const open = { title: 'Door open', severity: 'low', comparison: 'gte', threshold: 1 };
    await watch(building, { ...open, forSeconds: 120, pointId: await building.idOf('DOOR') });
    await send(building, 'DOOR', [0, true]);
    await send(building, 'DOOR', [1, true]);
    await send(building, 'DOOR', [3, true]);
    await expect.poll(() => faultPeriods(building)).toEqual(['DOOR 2-']);
    expect((await faults(building)).items[0].value).toBe(true);
    await expect.poll(async () => (await journal(building))[0]).toMatchObject({ value: true });
  });

  it('opens a fault for a silent point, until it reports again', async () => {
    const building = await importMetered(manager, POINTS);
    const silent = { title: 'Silent', severity: 'low', comparison: 'stale', threshold: 3_600 };
    await watch(building, { ...silent, pointClass: POINTS.A.pointClass });
    await send(building, 'A', [0, 1]);
    await expect.poll(() => faultPeriods(building)).toEqual(['A 60-']);
    await send(building, 'A', [90, 2]);
    await expect.poll(() => faultPeriods(building)).toEqual(['A 150-', 'A 60-90']);
    await expect
      .poll(async () => (await journal(building)).map(({ type }) => type))
      .toEqual(['AlarmTriggered', 'FaultCreated', 'AlarmTriggered', 'FaultCreated']);
  });

  it('closes its faults when it is deleted; a replaced building keeps both', async () => {
    const building = await importMetered(manager, POINTS);
    const kept = await watch(building, { ...tooWarm, pointId: await building.idOf('A') });
    const gone = await watch(building, { ...tooWarm, pointId: await building.idOf('B') });
    for (const code of ['A', 'B']) await send(building, code, [0, 30]);
    await expect.poll(async () => (await faults(building)).total).toBe(2);
    const replaced = await manager.post(
      `${building.path}/import?replace=true`,
      buildingWith({ A: POINTS.A, DOOR: POINTS.DOOR }),
    );
    expect(replaced.body.gone).toMatchObject({ points: 1, rules: 1, histories: 1 });
    expect(await faultPeriods(building)).toEqual(['A 0-']);
    const rules = (await viewer.get(`${building.path}/diagnostic-rules`)).body.items;
    expect(rules).toEqual([{ ...kept, pointId: await building.idOf('A') }]);
    await send(building, 'A', [1, 20]);
    await expect.poll(() => faultPeriods(building)).toEqual(['A 0-1']);
    await send(building, 'A', [2, 40]);
    await expect.poll(() => faultPeriods(building)).toEqual(['A 2-', 'A 0-1']);
    const path = `${building.path}/diagnostic-rules`;
    expect((await manager.delete(`${path}/${kept.ruleId}`)).status).toBe(204);
    expect((await manager.delete(`${path}/${kept.ruleId}`)).status).toBe(404);
    expect((await manager.delete(`${path}/${gone.ruleId}`)).status).toBe(404);
    expect((await faults(building, '?open=true')).total).toBe(0);
    expect((await faults(building)).total).toBe(2);
  });
});

describe('making a rule', () => {
  it('answers it with its id and address; under one key, one', async () => {
    const building = await importMetered(manager, POINTS);
    const pointId = await building.idOf('A');
    const key = { 'idempotency-key': 'rule-1' };
    const rule = await watch(building, { ...tooWarm, pointId }, key);
    expect(rule).toEqual({
      ...tooWarm,
      pointId,
      forSeconds: 0,
      ruleId: expect.any(String),
      createdAt: expect.any(String),
    });
    expect(await watch(building, { ...tooWarm, pointId }, key)).toEqual(rule);
    const made = await manager.post(
      `${building.path}/diagnostic-rules`,
      { ...tooWarm, pointId },
      key,
    );
    const own = made.headers['location']!;
    expect((await viewer.get(own)).body).toEqual(rule);
    const elsewhere = await importMetered(manager, POINTS);
    expect((await viewer.get(own.replace(building.path, elsewhere.path))).status).toBe(404);
    const other = { ...tooWarm, pointId, threshold: 26 };
    const path = `${building.path}/diagnostic-rules`;
    expect((await manager.post(path, other, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await viewer.get(path)).body.items).toEqual([rule]);
  });

  it('is answered once per Idempotency-Key, even after the rule was deleted', async () => {
    const building = await importMetered(manager, POINTS);
    const path = `${building.path}/diagnostic-rules`;
    const key = { 'idempotency-key': 'deleted-rule' };
    const sent = { ...tooWarm, pointClass: 'X' };
    const rule = await watch(building, sent, key);
    expect((await manager.delete(`${path}/${rule.ruleId}`)).status).toBe(204);
    const again = await manager.post(path, sent, key);
    const replayed = { status: 201, headers: { 'idempotent-replayed': 'true' } };
    expect(again).toMatchObject({ ...replayed, body: rule });
    const reused = await manager.post(path, { ...sent, threshold: 26 }, key);
    expect([reused.status, reused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await viewer.get(path)).body.items).toEqual([]);
  });

  it('is found by its key where a former release recorded it with the rule alone', async () => {
    const building = await importMetered(manager, POINTS);
    const path = `${building.path}/diagnostic-rules`;
    const key = { 'idempotency-key': 'former-release' };
    const sent = { ...tooWarm, pointClass: 'X' };
    const rule = await watch(building, sent, key);
    const forgotten = await db.query('delete from graph.command_key where command_id = $1', [
      rule.ruleId,
    ]);
    expect(forgotten.rowCount).toBe(1);
    const other = await manager.post(path, { ...sent, threshold: 26 }, key);
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const again = await manager.post(path, sent, key);
      expect(again).toMatchObject({
        status: 201,
        headers: { 'idempotent-replayed': 'true' },
        body: rule,
      });
    }
    expect((await viewer.get(path)).body.items).toEqual([rule]);
  });

  it('is undone once per Idempotency-Key: a repeat of its deletion answers 204 again', async () => {
    const building = await importMetered(manager, POINTS);
    const { ruleId } = await watch(building, { ...tooWarm, pointClass: 'X' });
    const path = `${building.path}/diagnostic-rules/${ruleId}`;
    const key = { 'idempotency-key': 'delete-rule' };
    expect((await manager.delete(path, key)).status).toBe(204);
    const again = await manager.delete(path, key);
    expect(again).toMatchObject({ status: 204, headers: { 'idempotent-replayed': 'true' } });
    expect((await manager.delete(path, { 'idempotency-key': 'other' })).status).toBe(404);
    expect((await manager.delete(path, { 'idempotency-key': 'other' })).status).toBe(404);
  });

  it('keeps the ticket that it raises', async () => {
    const building = await importMetered(manager, POINTS);
    const raiseTicket = { priority: 'high', category: 'climate', requestType: 'hvac' };
    const sent = { ...tooWarm, pointClass: 'X', raiseTicket };
    const rule = await watch(building, sent);
    expect(rule).toMatchObject({ raiseTicket });
    const plain = await watch(building, {
      ...sent,
      raiseTicket: { priority: 'low', category: ' x ' },
    });
    expect(plain.raiseTicket).toEqual({ priority: 'low', category: 'x' });
    const { items } = (await viewer.get(`${building.path}/diagnostic-rules`)).body;
    expect(items).toEqual([rule, plain]);
  });

  it.each([
    [{ ...tooWarm, pointClass: 'X', raiseTicket: {} }, 'raiseTicket.priority'],
    [{ ...tooWarm, pointClass: 'X', raiseTicket: { priority: 'top' } }, 'raiseTicket.priority'],
    [
      { ...tooWarm, pointClass: 'X', raiseTicket: { priority: 'low', category: 'a,b' } },
      'raiseTicket.category',
    ],
    [
      { ...tooWarm, pointClass: 'X', raiseTicket: { priority: 'low', requestType: 'No slug' } },
      'raiseTicket.requestType',
    ],
    [{ ...tooWarm }, 'pointId'],
    [{ ...tooWarm, pointId: randomUUID(), pointClass: 'X' }, 'pointId'],
    [{ ...tooWarm, pointClass: 'X', threshold: '25' }, 'threshold'],
    [{ ...tooWarm, pointClass: 'X', comparison: 'eq' }, 'comparison'],
    [{ ...tooWarm, pointClass: 'X', comparison: 'stale', threshold: 0 }, 'threshold'],
    [{ ...tooWarm, pointClass: 'X', forSeconds: -1 }, 'forSeconds'],
    [{ ...tooWarm, pointClass: 'X', severity: ' ' }, 'severity'],
    [{ ...tooWarm, pointClass: 'X', title: '\u200b' }, 'title'],
    [
      { ...tooWarm, pointClass: 'X', raiseTicket: { priority: 'low', category: '\u2060' } },
      'raiseTicket.category',
    ],
    [{ ...tooWarm, pointClass: 'X', clear: 24 }, 'clear'],
  ])('refuses %o', async (rule, path) => {
    const building = await importMetered(manager, {});
    const answer = await manager.post(`${building.path}/diagnostic-rules`, rule);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.body.errors[0].path).toBe(path);
  });

  it('refuses a foreign point or building, and callers without permission', async () => {
    const [mine, other] = [
      await importMetered(manager, POINTS),
      await importMetered(manager, POINTS),
    ];
    const rule = { ...tooWarm, pointId: await other.idOf('A') };
    const path = `${mine.path}/diagnostic-rules`;
    const answer = await manager.post(path, rule);
    expect([answer.status, answer.body.code]).toEqual([400, 'REFERENCE_NOT_FOUND']);
    expect(answer.body.errors[0].path).toBe('pointId');
    const globex = api.as('manager@globex.test');
    for (const asked of [
      globex.post(path, { ...tooWarm, pointClass: 'X' }),
      globex.get(path),
      globex.get(`${mine.path}/faults`),
      globex.delete(`${path}/${randomUUID()}`),
    ])
      expect((await asked).status).toBe(404);
    expect((await viewer.post(path, { ...tooWarm, pointClass: 'X' })).status).toBe(403);
  });
});

describe('a dry run', () => {
  it("finds the rule's faults in stored samples, and writes nothing", async () => {
    const building = await importMetered(manager, POINTS);
    const values = [20, 26, 27, 20, 30, 30, 30];
    await watch(building, { ...tooWarm, pointClass: POINTS.A.pointClass });
    await send(building, 'A', ...values.map((value, minute) => [minute, value] as const));
    await expect.poll(() => faultPeriods(building)).toEqual(['A 4-', 'A 1-3']);
    const dryRun = (body: object) =>
      manager.post(`${building.path}/diagnostic-rules/dry-run`, body);
    const pointId = await building.idOf('A');
    const range = { from: at(0), to: at(60) };
    const rule = { ...tooWarm, pointClass: POINTS.A.pointClass };
    expect((await dryRun({ rule, ...range })).body).toEqual({
      items: [
        { pointId, openedAt: at(1), closedAt: at(3), value: 26 },
        { pointId, openedAt: at(4), closedAt: null, value: 30 },
      ],
    });
    const held = { ...tooWarm, pointId, forSeconds: 120 };
    expect((await dryRun({ rule: held, ...range })).body.items).toEqual([
      { pointId, openedAt: at(6), closedAt: null, value: 30 },
    ]);
    const silent = { ...tooWarm, comparison: 'stale', threshold: 600, pointId };
    expect((await dryRun({ rule: silent, ...range })).body.items).toEqual([
      { pointId, openedAt: at(16), closedAt: null, value: 30 },
    ]);
    expect((await faults(building)).total).toBe(2);

    const years = { from: '2000-01-01T00:00:00Z', to: at(0) };
    expect((await dryRun({ rule, ...years })).body).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ path: 'from', message: expect.stringMatching(/^\d+ points over \d+ days/) }],
    });
    for (const [from, to] of [
      ['0000-06-01T00:00:00Z', '0000-06-02T00:00:00Z'],
      ['0000-01-01T00:00:00+12:00', '0000-01-01T06:00:00Z'],
    ])
      expect(await dryRun({ rule, from, to })).toMatchObject({ status: 200, body: { items: [] } });
    expect(
      (await dryRun({ rule: { ...tooWarm, pointId: randomUUID() }, ...range })).body.code,
    ).toBe('REFERENCE_NOT_FOUND');
  });
});

it('a dry run of silence counts from the last sample before its range', async () => {
  const building = await importMetered(manager, POINTS);
  await send(building, 'A', [0, 20], [10, 21], [30, 22]);
  const pointId = await building.idOf('A');
  const rule = { ...tooWarm, comparison: 'stale', threshold: 600, pointId };
  const range = { from: at(15), to: at(39) };
  const { body } = await manager.post(`${building.path}/diagnostic-rules/dry-run`, {
    rule,
    ...range,
  });
  expect(body.items).toEqual([{ pointId, openedAt: at(20), closedAt: at(30), value: 21 }]);
});

describe('the faults of a room', () => {
  it('are those of its points only', async () => {
    const { body } = await manager.post('/api/v1/buildings/import', smallBuilding());
    const path = `/api/v1/buildings/${body.buildingId}`;
    const points: { id: string; code: string; spaceId: string | null }[] = (
      await manager.get(`${path}/points`)
    ).body.items;
    const [inRoom, outside] = ['T-1', 'T-2'].map((code) =>
      points.find((one) => one.code === code)!,
    );
    for (const { id } of [inRoom!, outside!])
      await manager.post(`${path}/diagnostic-rules`, { ...tooWarm, pointId: id });
    const observations = points.map(({ id }) => ({ pointId: id, value: 30, timestamp: at(0) }));
    await manager.post(`${path}/observations`, { observations });
    await expect.poll(async () => (await viewer.get(`${path}/faults`)).body.total).toBe(2);
    const { items, total } = (await viewer.get(`${path}/faults?spaceId=${inRoom!.spaceId}`)).body;
    expect([total, items.map(({ pointId }: { pointId: string }) => pointId)]).toEqual([
      1,
      [inRoom!.id],
    ]);
    const other = await viewer.get(`${path}/faults?spaceId=${randomUUID()}`);
    expect(other.body).toMatchObject({ items: [], total: 0 });
  });
});
