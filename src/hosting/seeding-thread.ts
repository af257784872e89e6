/** The thread that generates and writes a sandbox's building and telemetry. */
import type { Pool } from 'pg';
import { v5 as uuidFrom } from 'uuid';
import { DAY_MS } from '../engine/time/calendar.ts';
import { isRefusal } from '../engine/aggregates/decider.ts';
import { buildingDocument } from '../domain/sandboxes/generator/building.ts';
import { climateOf, type Moment } from '../domain/sandboxes/generator/climate.ts';
import { curveOf } from '../domain/sandboxes/generator/curves.ts';
import { pointModels } from '../domain/sandboxes/generator/points.ts';
import { seededRules } from '../domain/sandboxes/generator/rules.ts';
import { postgresGraph } from '../building/graph/postgres-graph.ts';
import { importFollowers } from '../building/imports/followers.ts';
import { SANDBOX_TELEMETRY_STEP_MS } from './limits.ts';
import { diagnosticRules } from '../building/telemetry/rules.ts';
import { loadTelemetry, type PointDay } from '../building/telemetry/load.ts';
import { answerTasks } from './generator-thread.ts';
import type { GeneratorOutcome } from './generator-threads.ts';
import type { SeedingTask } from './seeding.ts';

const SEEDING = { kind: 'system', id: 'sandbox-seeding' } as const;

const DONE: GeneratorOutcome = { type: 'done', result: null };

const seedBuilding = async (db: Pool, task: SeedingTask): Promise<GeneratorOutcome> => {
  const graph = postgresGraph({ db, followers: importFollowers });
  const { organisation, at, commandId } = task;
  // A fixed command id makes an interrupted import idempotent.
  const options = { at, by: SEEDING, commandId, bodyHash: 'sandbox' };
  const document = buildingDocument(task.parameters);
  const outcome = await graph.importBuilding(organisation, document, options);
  if (isRefusal(outcome)) return { type: 'refused', reason: outcome.detail };
  const { createRule } = diagnosticRules({ db, dueChanged: () => {}, announced: () => {} });
  for (const [index, { pointClass, ...rule }] of seededRules.entries()) {
    const made = await createRule(
      organisation,
      outcome.buildingId,
      { ...rule, pointId: null, pointClass },
      { ruleId: uuidFrom(`rule/${index}`, commandId), at, bodyHash: 'sandbox' },
    );
    if (isRefusal(made)) return { type: 'refused', reason: made.detail };
  }
  return DONE;
};

const seedTelemetry = async (db: Pool, task: SeedingTask): Promise<GeneratorOutcome> => {
  const { parameters } = task;
  const toMs = Date.parse(task.at);
  const todayMs = Math.floor(toMs / DAY_MS) * DAY_MS;
  const days = parameters.seedTelemetryDays;
  const fromMs = days === 0 ? toMs : todayMs - days * DAY_MS;
  const { rows } = await db.query<{ id: string; code: string; buildingId: string }>(
    `select id, code, building_id as "buildingId" from graph.node
     where kind = 'point' and not exists (select from telemetry.latest)`,
  );
  // One transaction writes the latest values of all points.
  const [first] = rows;
  if (!first) return DONE;
  await db.query(
    `insert into hosting.seeded (from_at, to_at) values ($1, $2)
     on conflict (only_row) do update set from_at = excluded.from_at, to_at = excluded.to_at`,
    [new Date(fromMs), new Date(toMs)],
  );
  if (days === 0) return DONE;
  const ids = new Map(rows.map(({ code, id }) => [code, id]));
  const models = [...pointModels(parameters, buildingDocument(parameters))].flat();
  const points = models.map((model) => ({ id: ids.get(model.code)!, valueAt: curveOf(model) }));
  const climate = climateOf(parameters);
  await loadTelemetry(db, {
    buildingId: first.buildingId,
    range: { fromMs, toMs },
    // Today included: as live rows it would take as much space as a month of finished days.
    days: daysOf(points, climate, fromMs, toMs),
    live: [],
  });
  return DONE;
};

interface Point {
  readonly id: string;
  readonly valueAt: (moment: Moment) => number | null;
}

function* daysOf(
  points: readonly Point[],
  climate: (atMs: number) => Moment,
  fromMs: number,
  toMs: number,
): Generator<PointDay> {
  const grid = { firstMs: 0, stepMs: SANDBOX_TELEMETRY_STEP_MS };
  for (let dayMs = fromMs; dayMs < toMs; dayMs += DAY_MS) {
    const moments = momentsFrom(climate, dayMs, Math.min(dayMs + DAY_MS, toMs));
    const values = new Float64Array(moments.length);
    for (const { valueAt, id: pointId } of points) {
      for (let at = 0; at < moments.length; at += 1)
        values[at] = valueAt(moments[at]!) ?? Number.NaN;
      if (!values.every(Number.isNaN)) yield { pointId, dayMs, ...grid, values };
    }
  }
}

const momentsFrom = (
  climate: (atMs: number) => Moment,
  fromMs: number,
  toMs: number,
): readonly Moment[] =>
  Array.from({ length: Math.ceil((toMs - fromMs) / SANDBOX_TELEMETRY_STEP_MS) }, (_, index) =>
    climate(fromMs + index * SANDBOX_TELEMETRY_STEP_MS),
  );

const tasks = { building: seedBuilding, telemetry: seedTelemetry } as const;

await answerTasks(async (db, given) => {
  const task = given as SeedingTask;
  return tasks[task.what](db, task);
});
