/** Faults that are due without a sample, which are searched for building by building. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Pool } from 'pg';
import type { Diagnostics } from '../../../src/building/telemetry/diagnostics.ts';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import { postgresDiagnostics } from '../../../src/building/telemetry/postgres-diagnostics.ts';
import { dropExpiredMonths } from '../../../src/building/telemetry/retention.ts';
import { noon } from '../../support/postgres/building-graph.ts';
import {
  freshTelemetry,
  ingestOf,
  type TestBuilding,
  type TestSample,
  type TestTelemetry,
} from '../../support/postgres/telemetry.ts';
import { watchedPool } from '../../support/postgres/watched-pool.ts';

let test: TestTelemetry;
beforeAll(async () => {
  test = await freshTelemetry();
});
afterAll(() => test.close());
afterEach(() => test.db.query('delete from telemetry.rule'));

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 2, 1);
const { signal } = new AbortController();
const instant = (ms: number) => new Date(ms).toISOString();
const second = (count: number) => instant(START_MS + count * 1_000);
const remembering = { rememberedMaxMs: 3_600_000 };

const diagnosticsOn = (db: Pool) => postgresDiagnostics({ db, announced() {}, dueChanged() {} });
const watchSilence = async (building: TestBuilding, threshold: number, at: string = noon.at) => {
  const rule = { title: 'Silent', severity: 'low', comparison: 'stale', forSeconds: 0 } as const;
  const target = { pointId: null, pointClass: 'Zone_Air_Temperature_Sensor' };
  const outcome = await diagnosticsOn(test.db).createRule(
    'acme',
    building.buildingId,
    { ...rule, ...target, threshold },
    { ruleId: crypto.randomUUID(), at },
  );
  expect(isRefusal(outcome)).toBe(false);
};
const faults = async ({ buildingId }: TestBuilding) => {
  const range = { limit: 100, offset: 0 };
  const page = await diagnosticsOn(test.db).faults('acme', buildingId, range);
  return page!.items.map(({ openedAt, value }) => [openedAt, value]);
};
/** Stores and evaluates samples. */
const heard = async (
  diagnostics: Diagnostics,
  building: TestBuilding,
  code: string,
  samples: readonly TestSample[],
  ingestedAt: string = noon.at,
) => {
  await building.observe(code, samples);
  const occasion = { ...noon, origin: 'system', organisation: 'acme', ingestedAt } as const;
  await diagnostics.evaluate(ingestOf(building, code, samples), occasion, signal);
};
const occasionAt = (at: string) => ({ ...noon, at, origin: 'system' }) as const;

it('a building that cannot be searched delays no other, and its error is returned', async () => {
  const [broken, sound] = [await test.building({ A: {} }), await test.building({ A: {} })];
  for (const building of [broken, sound]) {
    await building.observe('A', [[START_MS, 7]]);
    await watchSilence(building, 60);
  }
  const failure = new Error('statement timeout');
  const db = watchedPool(test.db, async (text, values, run) => {
    if (text.includes('due_at') && values[0] === broken.buildingId) throw failure;
    return run();
  });
  const diagnostics = diagnosticsOn(db);
  const other = { except: [broken.buildingId] };
  expect(await diagnostics.nextDueAt(signal, other)).toBe(second(60));
  expect(await diagnostics.nextDueAt(signal)).toBe(instant(0));
  const failures = await diagnostics.recordDue(occasionAt(second(60)), signal);
  expect(failures).toEqual(new Map([[broken.buildingId, failure]]));
  expect([await faults(broken), await faults(sound)]).toEqual([[], [[second(60), 7]]]);
});

it('a building is not searched again until its next silence may be due earlier', async () => {
  const building = await test.building({ A: {}, B: {} });
  const searched: unknown[] = [];
  const db = watchedPool(test.db, async (text, values, run) => {
    if (text.includes('as silent')) searched.push(values[0]);
    return run();
  });
  const diagnostics = diagnosticsOn(db);
  const due = async () => [await diagnostics.nextDueAt(signal, remembering), searched.length];
  await building.observe('A', [[START_MS, 7]]);
  await building.observe('B', [[START_MS + 5_000, 7]]);
  await watchSilence(building, 60);
  expect(await due()).toEqual([second(60), 1]);
  expect(await due()).toEqual([second(60), 1]);
  await diagnostics.nextDueAt(signal);
  expect(await due()).toEqual([second(60), 2]);
  await watchSilence(building, 30);
  expect(await due()).toEqual([second(30), 3]);
  await test.db.query('update graph.building set revision = revision + 1 where id = $1', [
    building.buildingId,
  ]);
  expect(await due()).toEqual([second(30), 4]);

  await diagnostics.recordDue(occasionAt(second(29)), signal, remembering);
  expect(await due()).toEqual([second(30), 4]);
  await diagnostics.recordDue(occasionAt(second(100)), signal, remembering);
  expect(await faults(building)).toHaveLength(4);
  expect(await due()).toEqual([null, 5]);

  // A silence ends, and then a point is merely heard again.
  await heard(diagnostics, building, 'A', [[START_MS + 200_000, 7]]);
  expect(await due()).toEqual([second(230), 6]);
  await heard(diagnostics, building, 'A', [[START_MS + 220_000, 7]]);
  expect(await due()).toEqual([second(230), 6]);
  await diagnostics.recordDue(occasionAt(second(230)), signal, remembering);
  expect(await due()).toEqual([second(250), 7]);
  expect(await faults(building)).toHaveLength(4);
});

it('a point that is heard for the first time may be silent since before its rule', async () => {
  const building = await test.building({ A: {} });
  const diagnostics = diagnosticsOn(test.db);
  await watchSilence(building, 60, second(1_000));
  expect(await diagnostics.nextDueAt(signal, remembering)).toBe(second(1_060));
  await heard(diagnostics, building, 'A', [[START_MS, 7]], second(1_001));
  expect(await diagnostics.nextDueAt(signal, remembering)).toBe(second(60));
});

it('silence counts from the last evaluated sample, after it has expired', async () => {
  const building = await test.building({ A: {} });
  const diagnostics = diagnosticsOn(test.db);
  const nowMs = Date.parse(noon.at);
  const days = (count: number) => instant(nowMs + count * DAY_MS);
  await watchSilence(building, 60 * 86_400, days(-200));
  await heard(diagnostics, building, 'A', [[nowMs - 31 * DAY_MS, 7]]);
  expect(await faults(building)).toEqual([[days(-140), null]]);
  await dropExpiredMonths(test.db, noon.at, 30);
  expect(await diagnostics.nextDueAt(signal)).toBe(days(29));
  await diagnostics.recordDue(occasionAt(days(29)), signal);
  expect(await faults(building)).toEqual([
    [days(29), 7],
    [days(-140), null],
  ]);
});
