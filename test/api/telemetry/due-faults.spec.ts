/** Faults that begin and end by the platform's clock, because no sample comes. */
import { expect, it } from 'vitest';
import { virtualClock } from '../../../src/engine/time/clock.ts';
import { testApi } from '../../support/api/api.ts';
import { buildingWith, importMetered, type MeteredBuilding } from '../../support/api/telemetry.ts';

const clock = virtualClock();
const api = testApi(() => ({ clock, timeTravel: true }));
const manager = api.as('manager@acme.test');

const advance = async (by: string) => {
  const { status } = await api.as('operator@atrium.test').post('/api/v1/clock', { advance: by });
  expect(status).toBe(200);
};
const send = async ({ path, idOf }: MeteredBuilding, code: string, ...values: unknown[]) => {
  const pointId = await idOf(code);
  const nowMs = Date.parse(clock.now());
  const observations = values.map((value, index) => ({
    pointId,
    value,
    timestamp: new Date(nowMs - (values.length - 1 - index)).toISOString(),
  }));
  const answer = await manager.post(`${path}/observations`, { observations });
  expect(answer.status).toBe(200);
  return Date.parse(observations.at(-1)!.timestamp);
};
const faults = async ({ path }: MeteredBuilding) =>
  (await manager.get(`${path}/faults`)).body.items as Record<string, string>[];
const rule = ({ path }: MeteredBuilding, body: object) =>
  manager.post(`${path}/diagnostic-rules`, { title: 'Rule', severity: 'low', ...body });
const after = (fromMs: number, minutes: number) =>
  new Date(fromMs + minutes * 60_000).toISOString();

it('forSeconds passes while a point that reports on change says nothing', async () => {
  const building = await importMetered(manager, {
    DOOR: { valueType: 'boolean', pointClass: 'Open_Close_Status' },
  });
  const pointId = await building.idOf('DOOR');
  const open = { comparison: 'gte', threshold: 1, forSeconds: 600, pointId };
  await rule(building, open);
  const openedMs = await send(building, 'DOOR', true);
  await advance('PT9M');
  expect(await faults(building)).toEqual([]);
  await advance('PT21M');
  const opened = { openedAt: after(openedMs, 10), value: true };
  expect(await faults(building)).toMatchObject([{ ...opened, closedAt: null }]);
  const closedMs = await send(building, 'DOOR', false);
  const closed = { ...opened, closedAt: after(closedMs, 0) };
  await expect.poll(() => faults(building)).toMatchObject([closed]);

  const path = `${building.path}/diagnostic-rules/dry-run`;
  const range = { from: after(openedMs, -1), to: after(closedMs, 60) };
  const tried = await manager.post(path, {
    rule: { title: 'Rule', severity: 'low', ...open },
    ...range,
  });
  expect(tried.body.items).toEqual([{ pointId, ...closed }]);
});

it("a point without samples is stale after the rule's duration from its creation", async () => {
  const building = await importMetered(manager, { A: {}, B: {} });
  const before = Date.parse(clock.now());
  const pointClass = 'Zone_Air_Temperature_Sensor';
  const silent = { comparison: 'stale', threshold: 3_600, pointClass };
  const made = Date.parse((await rule(building, silent)).body.createdAt);
  expect(made).toBeGreaterThanOrEqual(before);
  await advance('PT30M');
  await send(building, 'B', 1);
  await advance('PT31M');
  const pointId = await building.idOf('A');
  const fault = { pointId, openedAt: after(made, 60), closedAt: null, value: null };
  expect(await faults(building)).toMatchObject([fault]);
  const path = `${building.path}/diagnostic-rules/dry-run`;
  const tried = await manager.post(path, {
    rule: { title: 'Rule', severity: 'low', ...silent },
    from: after(made, 0),
    to: clock.now(),
  });
  expect(tried.body.items).toEqual([
    { pointId, openedAt: after(made, 60), closedAt: null, value: null },
  ]);
  const heardMs = await send(building, 'A', 1);
  await expect
    .poll(() => faults(building))
    .toMatchObject([{ ...fault, closedAt: after(heardMs, 0) }]);
});

it('a point that leaves the class of a rule by an import is no longer watched', async () => {
  const building = await importMetered(manager, { A: {} });
  const pointClass = 'Zone_Air_Temperature_Sensor';
  await rule(building, { comparison: 'stale', threshold: 3_600, pointClass });
  await advance('PT61M');
  expect(await faults(building)).toMatchObject([{ closedAt: null }]);
  const moved = buildingWith({ A: { pointClass: 'Other_Sensor' } });
  expect((await manager.post(`${building.path}/import`, moved)).status).toBe(200);
  expect(await faults(building)).toMatchObject([{ closedAt: expect.any(String) }]);
  await advance('PT3H');
  expect(await faults(building)).toMatchObject([{ closedAt: expect.any(String) }]);
});

it('a breach ends where its point leaves the class of the rule by an import', async () => {
  const building = await importMetered(manager, { A: {} });
  const pointClass = 'Zone_Air_Temperature_Sensor';
  await rule(building, { comparison: 'gt', threshold: 25, forSeconds: 600, pointClass });
  await send(building, 'A', 30);
  await advance('PT9M');
  const moved = buildingWith({ A: { pointClass: 'Other_Sensor' } });
  expect((await manager.post(`${building.path}/import`, moved)).status).toBe(200);
  await advance('PT9M');
  expect(await faults(building)).toEqual([]);
});

it('a fault that flaps ends when it has been quiet for an hour', async () => {
  const building = await importMetered(manager, { A: {} });
  await rule(building, { comparison: 'gt', threshold: 25, pointId: await building.idOf('A') });
  const values = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 30 : 20));
  const lastMs = await send(building, 'A', ...values);
  const latest = async () => (await faults(building))[0];
  await expect.poll(latest).toMatchObject({ closedAt: null, flapping: true, flapCount: 8 });
  await advance('PT59M');
  expect(await latest()).toMatchObject({ closedAt: null, flapping: true });
  await advance('PT2M');
  expect(await latest()).toMatchObject({
    closedAt: after(lastMs, 60),
    flapping: false,
    flapCount: 8,
  });
  expect(await faults(building)).toHaveLength(12);
});
