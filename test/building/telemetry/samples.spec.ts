import * as fc from 'fast-check';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OBSERVATIONS_READ_QUICK_MS } from '../../../src/building/telemetry/limits.ts';
import { loadTelemetry } from '../../../src/building/telemetry/load.ts';
import { lastSampleBefore, telemetryReads } from '../../../src/building/telemetry/reads.ts';
import { sealFinishedDays } from '../../../src/building/telemetry/sealing.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { upkeepOf } from '../../../src/building/telemetry/upkeep.ts';
import {
  freshTelemetry,
  type TestBuilding,
  type TestSample,
  type TestTelemetry,
} from '../../support/postgres/telemetry.ts';

import { watchedPool } from '../../support/postgres/watched-pool.ts';
import { letPass } from '../../support/until.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 1, 27);
/** Three days are over, one of them of the next month; a fourth must not be sealed yet. */
const NOW = '2026-03-03T00:30:00.000Z';

let test: TestTelemetry;
beforeAll(async () => {
  test = await freshTelemetry({ now: () => NOW });
});
afterAll(() => test.close());

const seriesOf = (building: TestBuilding, code: string) => ({
  organisation: 'acme',
  buildingId: building.buildingId,
  pointId: building.ids[code]!,
});
const everything = { fromMs: START_MS - DAY_MS, toMs: START_MS + 5 * DAY_MS };

const read = async (building: TestBuilding, code: string, range = everything) => {
  const page = await test.telemetry.samples(seriesOf(building, code), range);
  return page!.items.map(({ timestamp, value }): TestSample => [Date.parse(timestamp), value]);
};

const seriesIdOf = async ({ buildingId }: TestBuilding): Promise<number> => {
  const { rows } = await test.db.query<{ id: number }>(
    'select id from telemetry.series where building_id = $1',
    [buildingId],
  );
  return rows[0]?.id ?? 0;
};

/** Rows of either kind of storage. */
const rowsIn = async (table: string, building: TestBuilding) => {
  const { rows } = await test.db.query<{ n: number }>(
    `select count(*)::int as n from telemetry.${table}
     join telemetry.series on series.id = series_id where building_id = $1`,
    [building.buildingId],
  );
  return rows[0]!.n;
};

const value = fc.oneof(
  fc.integer({ min: -400, max: 400 }).map((each) => each / 10),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }).map((it) => it + 0),
);
const sample = fc.tuple(
  fc.oneof(
    fc.integer({ min: 0, max: 4 * 24 * 6 - 1 }).map((tens) => START_MS + tens * 600_000),
    fc.integer({ min: 0, max: 4 * DAY_MS - 1 }).map((ms) => START_MS + ms),
  ),
  value,
);
/** Ingests, with days sealed in between. */
const story = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.array(sample, { minLength: 1, maxLength: 60 }) },
    { weight: 1, arbitrary: fc.constant('seal' as const) },
  ),
  { minLength: 2, maxLength: 6 },
);

describe('samples', () => {
  it('and buckets are returned as sent: sealed or not, late or repeated', async () => {
    await fc.assert(
      fc.asyncProperty(
        story,
        fc.constantFrom(60_000, 900_000, 3_600_000, DAY_MS),
        async (steps, bucketMs) => {
          const building = await test.building({ A: {} });
          const model = new Map<number, number>();
          for (const step of steps) {
            if (step === 'seal') await sealFinishedDays(test.db, NOW);
            else {
              await building.observe('A', step);
              for (const [at, kept] of step) model.set(at, kept);
            }
            const expected = [...model].toSorted(([a], [b]) => a - b);
            expect(await read(building, 'A')).toEqual(expected);
          }
          const seriesId = await seriesIdOf(building);
          for (const beforeMs of [START_MS, START_MS + bucketMs, START_MS + 4 * DAY_MS]) {
            const last = [...model].toSorted(([a], [b]) => a - b).findLast(([at]) => at < beforeMs);
            const found = await lastSampleBefore(test.db, seriesId, beforeMs);
            expect(found && [found.atMs, found.value]).toEqual(last ?? null);
          }
          const page = await test.telemetry.buckets(seriesOf(building, 'A'), everything, bucketMs);
          const expected = bucketsOf(model, bucketMs);
          const means = expected.map(({ mean }) => mean);
          expect(page!.items).toEqual(
            expected.map((bucket) => ({ ...bucket, mean: expect.any(Number) })),
          );
          const apart = page!.items.map(({ mean, min, max }, index) => {
            const size = Math.max(1, Math.abs(min), Math.abs(max));
            return Math.abs(mean - means[index]!) / size;
          });
          expect(apart.filter((share) => share > 1e-9)).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('of a boolean point are booleans, whose mean is the share of true', async () => {
    const building = await test.building({ OPEN: { valueType: 'boolean' } });
    const states = [true, false, true, true];
    await building.observe(
      'OPEN',
      states.map((each, index) => [START_MS + index * 60_000, each]),
    );
    for (const sealed of [false, true]) {
      if (sealed) await sealFinishedDays(test.db, NOW);
      expect((await read(building, 'OPEN')).map(([, each]) => each)).toEqual(states);
      const page = await test.telemetry.buckets(seriesOf(building, 'OPEN'), everything, DAY_MS);
      expect(page!.items).toMatchObject([{ min: 0, max: 1, mean: 0.75, count: 4 }]);
    }
  });

  it('of any magnitude have a mean', async () => {
    const building = await test.building({ A: {} });
    await building.observe('A', [
      [START_MS, 1.7e308],
      [START_MS + 1, 1.7e308],
      [START_MS + 2, -1.7e308],
    ]);
    const page = await test.telemetry.buckets(seriesOf(building, 'A'), everything, DAY_MS);
    expect(page!.items[0]!.mean).toBeCloseTo(1.7e308 / 3, -300);
  });
});

/** Computed independently of the database. */
const bucketsOf = (model: ReadonlyMap<number, number>, bucketMs: number) => {
  const buckets = Map.groupBy(
    [...model].toSorted(([a], [b]) => a - b),
    ([at]) => Math.floor(at / bucketMs) * bucketMs,
  );
  return [...buckets].map(([at, samples]) => {
    const values = samples.map(([, each]) => each);
    return {
      timestamp: new Date(at).toISOString(),
      min: Math.min(...values),
      max: Math.max(...values),
      mean: values.reduce((sum, each) => sum + each / values.length, 0),
      count: values.length,
    };
  });
};

describe('a finished day', () => {
  it('is one row per series; an unfinished day, and the hour after it, stay rows', async () => {
    const building = await test.building({ A: {}, B: {} });
    const hours = Array.from({ length: 96 }, (_, hour): TestSample => [
      START_MS + hour * 3_600_000,
      hour,
    ]);
    for (const code of ['A', 'B']) await building.observe(code, hours);
    await sealFinishedDays(test.db, '2026-03-01T00:59:59.999Z');
    expect([await rowsIn('sealed_day', building), await rowsIn('observation', building)]).toEqual([
      2, 144,
    ]);
    expect(await sealFinishedDays(test.db, '2026-03-01T01:00:00.000Z')).toBe(2);
    expect(await sealFinishedDays(test.db, '2026-03-01T01:00:00.000Z')).toBe(0);
    expect([await rowsIn('sealed_day', building), await rowsIn('observation', building)]).toEqual([
      4, 96,
    ]);
    expect(await read(building, 'B')).toEqual(hours);
  });

  it('includes late samples at the next sealing', async () => {
    const building = await test.building({ A: {} });
    await building.observe('A', [
      [START_MS, 1],
      [START_MS + 10, 2],
    ]);
    await sealFinishedDays(test.db, NOW);
    await building.observe('A', [
      [START_MS + 5, 7],
      [START_MS + 10, 8],
    ]);
    const expected = [
      [START_MS, 1],
      [START_MS + 5, 7],
      [START_MS + 10, 8],
    ];
    expect(await read(building, 'A')).toEqual(expected);
    await sealFinishedDays(test.db, NOW);
    expect(await rowsIn('observation', building)).toBe(0);
    expect(await read(building, 'A')).toEqual(expected);
  });

  it('loses no sample sent while two processes seal it', async () => {
    const building = await test.building({ A: {}, B: {}, C: {} });
    const model = new Map<number, number>();
    const send = async () => {
      for (let turn = 0; turn < 30; turn += 1) {
        const samples = Array.from({ length: 50 }, (_, index): [number, number] => [
          START_MS + ((turn * 37 + index * 11) % 400) * 1_000,
          turn * 100 + index,
        ]);
        for (const code of ['A', 'B', 'C']) await building.observe(code, samples);
        for (const [at, kept] of samples) model.set(at, kept);
      }
    };
    const sent = new AbortController();
    const seal = async () => {
      while (!sent.signal.aborted) await sealFinishedDays(test.db, NOW);
    };
    await Promise.all([send().finally(() => sent.abort()), seal(), seal()]);
    const expected = [...model].toSorted(([a], [b]) => a - b);
    for (const code of ['A', 'B', 'C']) expect(await read(building, code)).toEqual(expected);
  });
});

describe('bulk-loaded samples', () => {
  it('are returned like sent ones, with the latest of each point, without events', async () => {
    const building = await test.building({ A: {}, B: {}, C: {} });
    const { rows: before } = await test.db.query('select from graph.announcement');
    const values = Float64Array.of(20.5, Number.NaN, 21, 21.25);
    const day = { firstMs: 600_000, stepMs: 600_000, values };
    const pointId = (code: string) => building.ids[code]!;
    const live = { pointId: pointId('A'), atMs: START_MS + DAY_MS + 5, value: 3 };
    const samples = await loadTelemetry(test.db, {
      buildingId: building.buildingId,
      range: { fromMs: START_MS, toMs: START_MS + 2 * DAY_MS },
      days: ['A', 'B'].map((code) => ({ pointId: pointId(code), dayMs: START_MS, ...day })),
      live: [live],
    });
    expect(samples).toBe(7);
    const sealed = [...values].flatMap((each, index) =>
      Number.isNaN(each) ? [] : [[START_MS + (index + 1) * 600_000, each]],
    );
    expect(await read(building, 'A')).toEqual([...sealed, [live.atMs, 3]]);
    expect(await read(building, 'B')).toEqual(sealed);
    expect(await read(building, 'C')).toEqual([]);
    const { rows } = await test.db.query<{ code: string; value: number }>(
      `select code, value from telemetry.latest join telemetry.series on id = series_id
       join graph.node on node.id = point_id where series.building_id = $1 order by code`,
      [building.buildingId],
    );
    expect(rows).toEqual([
      { code: 'A', value: 3 },
      { code: 'B', value: 21.25 },
    ]);
    expect((await test.db.query('select from graph.announcement')).rowCount).toBe(before.length);
  });

  it('are loaded atomically', async () => {
    const building = await test.building({ A: {} });
    const day = { dayMs: START_MS, firstMs: 0, stepMs: 60_000, values: Float64Array.of(1) };
    const ids = [building.ids['A']!, '00000000-0000-4000-8000-000000000000'];
    await expect(
      loadTelemetry(test.db, {
        buildingId: building.buildingId,
        range: { fromMs: START_MS, toMs: START_MS + DAY_MS },
        days: ids.map((pointId) => ({ pointId, ...day })),
        live: [],
      }),
    ).rejects.toThrow(/no point/);
    expect(await read(building, 'A')).toEqual([]);
  });
});

const upkeepParts = (db: Pool, retentionDays: number | null) => ({
  db,
  retentionDays,
  isTrusted: async () => true,
  logger: loggerOf('silent'),
});

describe('a retention term', () => {
  it('hides older samples at once, and drops whole months', async () => {
    const short = await freshTelemetry({ now: () => NOW, retentionDays: 3 });
    try {
      const building = await short.building({ A: {}, OLD: {} });
      const days = [0, 1, 2, 3].map((day): TestSample => [
        START_MS + day * DAY_MS + 50_000_000,
        day,
      ]);
      await building.observe('A', days);
      await building.observe('OLD', [[Date.UTC(2026, 0, 5), 1]]);
      const page = await short.telemetry.samples(seriesOf(building, 'A'), everything);
      expect(page!.items.map((each) => each.value)).toEqual([1, 2, 3]);

      const signal = new AbortController().signal;
      const ahead = { ...upkeepParts(short.db, 3), isTrusted: async () => false };
      await upkeepOf(ahead)(NOW, signal);
      expect((await short.db.query('select from telemetry.latest')).rowCount).toBe(2);

      await upkeepOf(upkeepParts(short.db, 3))(NOW, signal);
      const { rows } = await short.db.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits order by name`,
      );
      expect(
        rows.map(({ name }) => name).filter((name) => /^telemetry.*2026(0[123])$/.test(name)),
      ).toEqual([
        'telemetry.observation_202602',
        'telemetry.observation_202603',
        'telemetry.sealed_day_202602',
        'telemetry.sealed_day_202603',
      ]);
      const latest = await short.db.query('select from telemetry.latest');
      expect(latest.rowCount).toBe(1);
      // The month is created again for late samples, though it was cached as existing.
      await building.observe('OLD', [[Date.UTC(2026, 0, 6), 1]]);
    } finally {
      await short.close();
    }
  });
});

it('closed faults are kept as long as samples, open ones and those with tickets stay', async () => {
  const short = await freshTelemetry({ now: () => NOW, retentionDays: 3 });
  try {
    const { buildingId, observe } = await short.building({ A: {} });
    await observe('A', [[Date.parse(NOW), 1]]);
    const fault = (name: string, closedDaysAgo: number | null, hasTicket = false) =>
      short.db.query(
        `insert into telemetry.fault
           (id, building_id, rule_id, series_id, severity, title, value, opened_at, closed_at,
            ticket_at)
         select gen_random_uuid(), $1, gen_random_uuid(), id, 'high', $2, 1, '2020-01-01',
                $3::timestamptz - make_interval(days => $4), case when $5 then now() end
         from telemetry.series`,
        [buildingId, name, NOW, closedDaysAgo, hasTicket],
      );
    await fault('open', null);
    await fault('old', 4);
    await fault('recent', 2);
    await fault('old, with a ticket', 4, true);
    const signal = new AbortController().signal;
    await upkeepOf(upkeepParts(short.db, 3))(NOW, signal);
    const { rows } = await short.db.query<{ title: string }>('select title from telemetry.fault');
    expect(rows.map(({ title }) => title).toSorted()).toEqual([
      'old, with a ticket',
      'open',
      'recent',
    ]);
  } finally {
    await short.close();
  }
});

it('samples of removed points are deleted', async () => {
  const building = await test.building({ A: {} });
  await building.observe('A', [
    [START_MS, 1],
    [START_MS + 3 * DAY_MS, 2],
  ]);
  await sealFinishedDays(test.db, NOW);
  const { rows } = await test.db.query<{ id: number }>(
    `with gone as (delete from telemetry.series where point_id = $1 returning id)
     insert into telemetry.gone_series select id from gone returning id`,
    [building.ids['A']],
  );
  await upkeepOf(upkeepParts(test.db, null))(NOW, new AbortController().signal);
  const left = await test.db.query('select from telemetry.sample where series_id = $1', [
    rows[0]!.id,
  ]);
  expect(left.rowCount).toBe(0);
  expect((await test.db.query('select from telemetry.gone_series')).rowCount).toBe(0);
});

it('a series that cannot be sealed stays live, and stops no other upkeep', async () => {
  const building = await test.building({ A: {}, B: {}, C: {} });
  for (const code of ['A', 'B', 'C']) {
    await building.observe(code, [
      [START_MS, 1],
      [START_MS + DAY_MS, 2],
    ]);
  }
  const { rows } = await test.db.query<{ id: number }>(
    'select id from telemetry.series where point_id = $1',
    [building.ids['B']],
  );
  const { id } = rows[0]!;
  await test.db.query(
    `alter table telemetry.sealed_day add constraint bad check (series_id <> ${id})`,
  );
  await test.db.query('insert into telemetry.gone_series (id) values (0)');
  const failed: unknown[] = [];
  const logger = { warn: (line: unknown) => void failed.push(line) };
  await upkeepOf({ ...upkeepParts(test.db, null), logger })(NOW, new AbortController().signal);
  expect(failed).toMatchObject([{ seriesId: id }]);
  expect([await rowsIn('sealed_day', building), await rowsIn('observation', building)]).toEqual([
    4, 2,
  ]);
  expect((await test.db.query('select from telemetry.gone_series')).rowCount).toBe(0);
  await test.db.query('alter table telemetry.sealed_day drop constraint bad');
  expect(await sealFinishedDays(test.db, NOW)).toBe(2);
});

it('samples are read a day at a time where a statement is slow', async () => {
  const building = await test.building({ A: {} });
  const samples = [0, 1, 2, 3].map((day): TestSample => [START_MS + day * DAY_MS, day]);
  await building.observe('A', samples);
  const days: number[] = [];
  const slow = watchedPool(test.db, async (text, values, run) => {
    if (text.includes('telemetry.sample')) {
      const [from, to] = values.slice(1, 3).map((each) => Date.parse(each as string));
      days.push((to! - from!) / DAY_MS);
      await letPass(OBSERVATIONS_READ_QUICK_MS + 20, 'a statement is slow');
    }
    return run();
  });
  const reads = telemetryReads(slow, () => -Infinity);
  const page = await reads.samples(seriesOf(building, 'A'), everything);
  expect(days.length).toBeGreaterThan(1);
  expect(Math.max(...days)).toBe(1);
  const expected = samples.map(([atMs, value]) => [new Date(atMs).toISOString(), value]);
  const items = page!.items.map(({ timestamp, value }) => [timestamp, value]);
  expect(items).toEqual(expected.slice(0, items.length));
});
