/** Dry runs of rules on stored samples. */
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  DRY_RUN_FAULTS_MAX_ROWS,
  DRY_RUN_READ_ROWS,
} from '../../../src/building/telemetry/limits.ts';
import { postgresDiagnostics } from '../../../src/building/telemetry/postgres-diagnostics.ts';
import { readDay } from '../../../src/building/telemetry/reads.ts';
import { sealFinishedDays } from '../../../src/building/telemetry/sealing.ts';
import type { SampleRange } from '../../../src/building/telemetry/telemetry.ts';
import type { Condition } from '../../../src/domain/telemetry/rules.ts';
import { noon } from '../../support/postgres/building-graph.ts';
import {
  freshTelemetry,
  type TestBuilding,
  type TestTelemetry,
} from '../../support/postgres/telemetry.ts';
import { watchedPool } from '../../support/postgres/watched-pool.ts';

let test: TestTelemetry;
beforeAll(async () => {
  test = await freshTelemetry();
});
afterAll(() => test.close());

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 2, 1);
const { signal } = new AbortController();
const instant = (ms: number) => new Date(ms).toISOString();

/** Samples at equal steps, whose values are their numbers. */
const fill = async (
  { buildingId }: TestBuilding,
  firstMs: number,
  count: number,
  stepMs: number,
) => {
  await test.db.query(
    `insert into telemetry.observation (series_id, observed_at, value)
     select series.id, to_timestamp($2::double precision / 1000)
              + n * $3::double precision * interval '1 millisecond', n
     from telemetry.series, generate_series(0, $4::int - 1) as n
     where building_id = $1
     on conflict (series_id, observed_at) do update set value = excluded.value`,
    [buildingId, firstMs, stepMs, count],
  );
};

const tryOn = async (
  db: Pool,
  { buildingId, ids }: TestBuilding,
  condition: Condition,
  range: SampleRange,
  keptFromMs?: () => number,
) => {
  const diagnostics = postgresDiagnostics({
    db,
    announced() {},
    dueChanged() {},
    ...(keptFromMs && { keptFromMs }),
  });
  const rule = { pointId: ids['A']!, pointClass: null, ...condition };
  return diagnostics.dryRun('acme', buildingId, rule, range, signal);
};

/** A pool that reports the number of rows of each statement. */
const counting = (rowsRead: (count: number) => void): Pool =>
  watchedPool(test.db, async (_text, _values, run) => {
    const result = await run();
    rowsRead(result.rows.length);
    return result;
  });

it('reads a dense day in pages, sealed or not', async () => {
  const building = await test.building({ A: {} });
  await building.observe('A', [[START_MS, 0]]);
  const [count, stepMs] = [2.5 * DRY_RUN_READ_ROWS, 3_000];
  await fill(building, START_MS, count, stepMs);
  const beyond = 2 * DRY_RUN_READ_ROWS;
  const condition = { comparison: 'gte', threshold: beyond, forSeconds: 0 } as const;
  const tried = async () => {
    const read: number[] = [];
    const db = counting((rows) => void read.push(rows));
    const range = { fromMs: START_MS, toMs: START_MS + DAY_MS };
    const found = await tryOn(db, building, condition, range);
    expect(Math.max(...read)).toBe(DRY_RUN_READ_ROWS);
    return found;
  };
  const expected = [{ openedAt: instant(START_MS + beyond * stepMs), closedAt: null }];
  expect(await tried()).toMatchObject(expected);
  await sealFinishedDays(test.db, noon.at);
  expect(await tried()).toMatchObject(expected);
});

it('reads a dense day over several connections, each sample once', async () => {
  const building = await test.building({ A: {} });
  await building.observe('A', [[START_MS, 0]]);
  const count = 2.5 * DRY_RUN_READ_ROWS;
  await fill(building, START_MS, count, 3_000);
  const { rows } = await test.db.query<{ id: number }>(
    'select id from telemetry.series where building_id = $1',
    [building.buildingId],
  );
  const range = { fromMs: START_MS, toMs: START_MS + DAY_MS };
  const transactions = async (heldMaxMs?: number) => {
    const times: number[] = [];
    let begun = 0;
    const db = watchedPool(test.db, async (text, _values, run) => {
      if (text === 'begin') begun += 1;
      return run();
    });
    const page = async (samples: readonly { readonly atMs: number }[]) =>
      void times.push(...samples.map(({ atMs }) => atMs));
    await readDay(db, rows[0]!.id, range, page, heldMaxMs);
    expect(times).toEqual(Array.from({ length: count }, (_, n) => START_MS + n * 3_000));
    return begun;
  };
  expect([await transactions(Infinity), await transactions(0)]).toEqual([1, 2]);
});

it('refuses more faults than its bound, and reads no further', async () => {
  const building = await test.building({ A: {} });
  const firstMs = Date.UTC(2026, 0, 10);
  const [faultsADay, stepMs] = [288, 300_000];
  const days = Math.ceil(DRY_RUN_FAULTS_MAX_ROWS / faultsADay);
  const endMs = firstMs + (days + 1) * DAY_MS;
  await building.observe('A', [
    [firstMs, 0],
    [endMs, 0],
  ]);
  await fill(building, firstMs, (days + 1) * faultsADay, stepMs);
  const silent = { comparison: 'stale', threshold: 200, forSeconds: 0 } as const;
  let statements = 0;
  const db = counting(() => void (statements += 1));
  const whole = { fromMs: firstMs, toMs: firstMs + 3_660 * DAY_MS };
  expect(await tryOn(db, building, silent, whole)).toMatchObject({
    refused: 'VALIDATION_FAILED',
    detail: `There are more than ${DRY_RUN_FAULTS_MAX_ROWS} faults.`,
  });
  expect(statements).toBeLessThan(3_660);
  const part = { fromMs: firstMs, toMs: firstMs + (days - 1) * DAY_MS };
  expect(await tryOn(test.db, building, silent, part)).toHaveLength((days - 1) * faultsADay);
});

it('evaluates no expired sample, nor silence since one', async () => {
  const building = await test.building({ A: {} });
  const minute = (count: number) => START_MS + count * 60_000;
  await building.observe('A', [
    [minute(0), 30],
    [minute(1), 20],
    [minute(10), 30],
    [minute(20), 20],
  ]);
  const range = { fromMs: START_MS - DAY_MS, toMs: minute(25) };
  const openings = async (condition: Condition, from: SampleRange = range) => {
    const found = await tryOn(test.db, building, condition, from, () => minute(5));
    return 'refused' in found ? found : found.map(({ openedAt, value }) => [openedAt, value]);
  };
  const tooWarm = { comparison: 'gt', threshold: 25, forSeconds: 0 } as const;
  expect(await openings(tooWarm)).toEqual([[instant(minute(10)), 30]]);
  const silent = { comparison: 'stale', threshold: 240, forSeconds: 0 } as const;
  expect(await openings(silent)).toEqual([
    [instant(minute(9)), null],
    [instant(minute(14)), 30],
    [instant(minute(24)), 20],
  ]);
  expect(await openings(silent, { ...range, toMs: minute(5) })).toEqual([]);
});
