/** The thread that computes the truth about planted faults. */
import type { Pool } from 'pg';
import { buildingDocument } from '../domain/sandboxes/generator/building.ts';
import type { Instant } from '../engine/aggregates/decider.ts';
import { plantedFaults } from '../domain/sandboxes/generator/planted-faults.ts';
import { answerTasks } from './generator-thread.ts';
import type { GeneratorOutcome } from './generator-threads.ts';
import { PLANTED_FAULT_POINTS_MAX } from './limits.ts';
import type { PlantedFaults, PlantedFaultsTask } from './planted-faults.ts';

/** Time range of the sandbox's own values, in milliseconds; `null`: it was not recorded. */
const rangeOfValues = async (db: Pool, isLive: boolean) => {
  const { rows } = await db.query<{ readonly from: Instant; readonly to: Instant }>(
    `select from_at as "from", greatest(to_at, case when $1 then
       (select max(observed_at) from telemetry.latest) end) as "to" from hosting.seeded`,
    [isLive],
  );
  const [seeded] = rows;
  return seeded === undefined
    ? null
    : { fromMs: Date.parse(seeded.from), toMs: Date.parse(seeded.to) };
};

const idsByCode = async (db: Pool, externalId: string | null | undefined) => {
  const { rows } = await db.query<{ readonly kind: string; readonly code: string; id: string }>(
    `select node.kind, node.code, node.id
     from graph.node node join graph.node building on building.id = node.building_id
     where node.kind in ('element', 'point') and building.kind = 'building'
       and building.external_id = $1`,
    [externalId],
  );
  const of = (kind: string) =>
    new Map(rows.filter((row) => row.kind === kind).map(({ code, id }) => [code, id]));
  return { elements: of('element'), points: of('point') };
};

const read = async (
  db: Pool,
  { parameters, range }: PlantedFaultsTask,
): Promise<GeneratorOutcome> => {
  const values = await rangeOfValues(db, parameters.liveTelemetry);
  if (values === null) return { type: 'done', result: null };
  const { from, to } = range;
  const bounded = {
    fromMs: from === null ? values.fromMs : Math.max(values.fromMs, Date.parse(from)),
    toMs: to === null ? values.toMs : Math.min(values.toMs, Date.parse(to)),
  };
  const document = buildingDocument(parameters);
  const { elements, points } = await idsByCode(db, document.building.externalId);
  const items = plantedFaults(parameters, document, bounded).flatMap((fault) => {
    const elementId = elements.get(fault.elementCode);
    const pointIds = fault.pointCodes.flatMap((code) => points.get(code) ?? []);
    if (elementId === undefined || pointIds.length === 0) return [];
    const [begins, ends] = [fault.fromMs, fault.toMs].map((ms) => new Date(ms).toISOString());
    return [{ kind: fault.kind, elementId, pointIds, from: begins!, to: ends! }];
  });
  const named = items.reduce((sum, { pointIds }) => sum + pointIds.length, 0);
  if (named > PLANTED_FAULT_POINTS_MAX) {
    const reason = `has ${named} points with faults up to the end; request a shorter period`;
    return { type: 'refused', reason };
  }
  const result: PlantedFaults = items;
  return { type: 'done', result };
};

await answerTasks((db, task) => read(db, task as PlantedFaultsTask));
