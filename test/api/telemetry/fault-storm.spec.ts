/** Limits of rules and samples, and isolation between buildings. */
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';
import { importMetered, type MeteredBuilding } from '../../support/api/telemetry.ts';
import { poolOf } from '../../support/postgres/pool.ts';

const api = testApi();
const manager = api.as('manager@acme.test');
const operator = api.as('operator@atrium.test');
const SENSOR = 'Zone_Air_Temperature_Sensor';
const PROCESS = '/api/v1/operations/processes/fault-detection';

let db: Pool;
beforeAll(() => {
  db = poolOf(api.databaseUrl);
});
afterAll(() => db.end());

const hot = { title: 'Hot', severity: 'high', comparison: 'gt', threshold: 2_500 };
const makeRule = ({ path }: MeteredBuilding, target: object) =>
  manager.post(`${path}/diagnostic-rules`, { ...hot, ...target });

/** Samples 1 ms apart that end now, from below every threshold to above it and back. */
const alternate = async ({ path, idOf }: MeteredBuilding, code: string, count: number) => {
  const pointId = await idOf(code);
  const endMs = Date.now();
  const observations = Array.from({ length: count }, (_, index) => ({
    pointId,
    value: index % 2 === 0 ? -5 : 3_000,
    timestamp: new Date(endMs - count + index).toISOString(),
  }));
  expect((await manager.post(`${path}/observations`, { observations })).status).toBe(200);
};
const faults = async ({ path }: MeteredBuilding, query = '?limit=1000') =>
  (await manager.get(`${path}/faults${query}`)).body;

describe('a storm of samples', () => {
  it('opens 12 faults for a rule and a point in an hour, of which the last one flaps', async () => {
    const building = await importMetered(manager, { A: {} });
    const pointId = await building.idOf('A');
    for (const target of [{ pointId }, { pointId }, { pointClass: SENSOR }])
      expect((await makeRule(building, target)).status).toBe(201);
    await alternate(building, 'A', 5_000);
    const flapping = async () => (await faults(building, '?open=true')).items;
    const one = { flapping: true, flapCount: 2_500 - 12, closedAt: null, value: 3_000 };
    await expect.poll(flapping).toMatchObject([one, one, one]);
    const { items, total } = await faults(building, '?open=false');
    expect(total).toBe(3 * 11);
    for (const fault of items) expect(fault).not.toHaveProperty('flapping');
  });

  it('has the same limit in a dry run as in an ingest', async () => {
    const building = await importMetered(manager, { A: {} });
    await alternate(building, 'A', 100);
    const rule = { ...hot, pointId: await building.idOf('A') };
    const [from, to] = ['2026-01-01T00:00:00Z', '2100-01-01T00:00:00Z'] as const;
    const path = `${building.path}/diagnostic-rules/dry-run`;
    const days = { from: new Date(Date.now() - 86_400_000).toISOString(), to };
    expect((await manager.post(path, { rule, from, to: from })).body.items).toEqual([]);
    const { items } = (await manager.post(path, { rule, ...days })).body;
    expect(items).toHaveLength(12);
    expect(items.at(-1)).toMatchObject({ closedAt: null, flapping: true, flapCount: 38 });
  });

  it('evaluates 100 rules of a point, as accepted by an older release', async () => {
    const building = await importMetered(manager, { A: {} });
    const pointId = await building.idOf('A');
    expect((await makeRule(building, { pointId })).status).toBe(201);
    await db.query(
      `insert into telemetry.rule (id, building_id, title, severity, series_id, comparison,
         threshold, for_seconds, created_at)
       select gen_random_uuid(), building_id, title, severity, series_id, comparison, threshold,
              for_seconds, created_at
       from telemetry.rule, generate_series(2, 100) where building_id = $1`,
      [building.buildingId],
    );
    await alternate(building, 'A', 100);
    const open = async () => {
      const { items, total } = await faults(building, '?open=true&limit=1000');
      return [total, new Set(items.map(({ flapCount }: { flapCount?: number }) => flapCount))];
    };
    await expect.poll(open).toEqual([100, new Set([38])]);
    expect((await faults(building, '?limit=1')).total).toBe(1_200);
    const refused = await makeRule(building, { pointId });
    expect(refused.body).toMatchObject({ code: 'RULE_LIMIT_REACHED', limit: 20 });
  });
});

describe('the rules of a building', () => {
  const limitOf = ({ status, body }: { status: number; body: { code?: string; limit?: number } }) =>
    status === 201 ? 201 : [status, body.code, body.limit];

  it('are at most 20 that can match one point, by its id or by its class', async () => {
    const other = { pointClass: 'Open_Close_Status', valueType: 'boolean' } as const;
    const building = await importMetered(manager, { A: {}, B: {}, DOOR: other });
    const [a, b] = [await building.idOf('A'), await building.idOf('B')];
    const made = async (count: number, target: object) => {
      for (let index = 0; index < count; index += 1)
        expect(limitOf(await makeRule(building, target))).toBe(201);
    };
    await made(12, { pointId: a });
    await made(8, { pointClass: SENSOR });
    const beyond = [409, 'RULE_LIMIT_REACHED', 20];
    expect(limitOf(await makeRule(building, { pointId: a }))).toEqual(beyond);
    expect(limitOf(await makeRule(building, { pointClass: SENSOR }))).toEqual(beyond);
    await made(12, { pointId: b });
    expect(limitOf(await makeRule(building, { pointId: b }))).toEqual(beyond);
    await made(1, { pointId: await building.idOf('DOOR') });
    await made(20, { pointClass: 'Class_Without_Points' });
    const unmet = { pointClass: 'Class_Without_Points' };
    expect(limitOf(await makeRule(building, unmet))).toEqual(beyond);
  });

  it('are at most 20 under concurrent creates', async () => {
    const building = await importMetered(manager, { A: {} });
    const pointId = await building.idOf('A');
    const asked = Array.from({ length: 24 }, () => makeRule(building, { pointId }));
    const answers = (await Promise.all(asked)).map(({ status }) => status);
    expect(answers.filter((status) => status === 201)).toHaveLength(20);
    expect(answers.filter((status) => status === 409)).toHaveLength(4);
  });

  it('are at most 200', async () => {
    const building = await importMetered(manager, {});
    for (let index = 0; index < 200; index += 20) {
      const asked = Array.from({ length: 20 }, () =>
        makeRule(building, { pointClass: `Class_${index}` }),
      );
      for (const answer of await Promise.all(asked)) expect(limitOf(answer)).toBe(201);
    }
    const answer = await makeRule(building, { pointClass: 'Another' });
    expect(limitOf(answer)).toEqual([409, 'RULE_LIMIT_REACHED', 200]);
  });
});

it('parks a building that fails three times; others go on, a retry finds its faults', async () => {
  const [broken, sound] = [
    await importMetered(manager, { A: {} }),
    await importMetered(manager, { A: {} }),
  ];
  for (const building of [broken, sound])
    await makeRule(building, { pointId: await building.idOf('A') });
  const name = `refuse_${randomUUID().replaceAll('-', '')}`;
  await db.query(`create table ${name} (attempt serial)`);
  await db.query(
    `create function ${name}() returns trigger language plpgsql as $$
     begin
       if new.building_id = '${broken.buildingId}' then
         perform nextval('${name}_attempt_seq');
         raise exception 'the storm broke it';
       end if;
       return new;
     end $$;
     create trigger ${name} before insert on telemetry.fault
       for each row execute function ${name}()`,
  );
  await alternate(broken, 'A', 10);
  await alternate(sound, 'A', 10);
  await expect.poll(async () => (await faults(sound)).total).toBe(5);
  const parked = async () =>
    (await operator.get(`${PROCESS}/parked`)).body.items.map(
      ({ stream, error }: { stream: string; error: string }) => [stream, error],
    );
  await expect.poll(parked).toEqual([[broken.buildingId, 'error: the storm broke it']]);
  const { rows } = await db.query<{ tried: number }>(
    `select last_value::int as tried from ${name}_attempt_seq`,
  );
  expect(rows[0]!.tried).toBe(3);

  await alternate(sound, 'A', 2);
  await expect.poll(async () => (await faults(sound)).total).toBe(6);
  await db.query(`drop trigger ${name} on telemetry.fault`);
  const retried = await operator.post(`${PROCESS}/retry`, { stream: broken.buildingId });
  expect(retried.status).toBe(202);
  await expect.poll(parked).toEqual([]);
  await expect.poll(async () => (await faults(broken)).total).toBe(5);
});
