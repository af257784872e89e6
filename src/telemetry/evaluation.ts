/**
 * Rules follow ingests. What a rule remembers of a point is in rows that change in the transaction
 * that records what it has found: an ingest shown twice, by whoever, counts once.
 */
import type { ClientBase, Pool } from 'pg';
import type { PointsUpdated, PointUpdate } from '../domain/building/events.ts';
import { follow, type Following, type RuleSample, type Turn } from '../domain/telemetry/rules.ts';
import { transaction } from '../db/transaction.ts';
import type { Diagnostics } from './diagnostics.ts';
import { closeFaults, openFaults, type ClosedFault, type NewFault } from './fault-rows.ts';
import { memoryOf, remember, type Breach, type RuleMemory } from './rule-memory.ts';
import { rulesOf, takeTurn, type StoredRule } from './rule-rows.ts';

/** @param announced Called after each commit that left announcements to be moved to the log. */
export const evaluation = (
  db: Pool,
  announced: () => void,
): Pick<Diagnostics, 'hasRules' | 'evaluate'> => ({
  async hasRules(buildingId) {
    const { rowCount } = await db.query(
      'select from telemetry.rule where building_id = $1 limit 1',
      [buildingId],
    );
    return rowCount === 1;
  },

  async evaluate(fact, occasion) {
    const { buildingId } = fact;
    const opened = await transaction(db, async (client) => {
      if (!(await takeTurn(client, buildingId))) return 0;
      const rules = await rulesOf(client, buildingId);
      if (rules.length === 0) return 0;
      const points = await pointsOf(client, fact);
      const memory = await memoryOf(
        client,
        points.map(({ seriesId }) => seriesId),
      );
      const found = findings(rules, points, memory);
      await remember(client, found);
      await closeFaults(client, found.closed);
      await openFaults(client, buildingId, found.opened, occasion);
      return found.opened.length;
    });
    if (opened > 0) announced();
  },
});

interface ShownPoint {
  readonly seriesId: number;
  readonly pointId: string;
  readonly elementId: string;
  readonly pointClass: string;
  readonly valueType: 'number' | 'boolean';
  readonly samples: readonly RuleSample[];
}

/** The points of an ingest, under the ids they have by now; without those that are gone. */
const pointsOf = async (
  client: ClientBase,
  { buildingId, points }: PointsUpdated,
): Promise<readonly ShownPoint[]> => {
  const { rows } = await client.query<Omit<ShownPoint, 'samples'> & { readonly asked: string }>(
    `select asked.id as asked, series.id as "seriesId", point.id as "pointId",
            point.element_id as "elementId", point.point_class as "pointClass",
            point.value_type as "valueType"
     from unnest($2::uuid[]) as asked(id)
     join lateral (
       select asked.id
       union
       select n.id from graph.former_node f
       join graph.node n using (building_id, kind, source_system, external_id)
       where f.building_id = $1 and f.id = asked.id
     ) as heir on true
     join graph.point on point.id = heir.id
     join telemetry.series on series.point_id = heir.id and series.building_id = $1`,
    [buildingId, points.map(({ pointId }) => pointId)],
  );
  const updates = new Map(points.map((update) => [update.pointId, update]));
  return rows.map(({ asked, ...point }) => ({ ...point, samples: samplesOf(updates.get(asked)!) }));
};

const samplesOf = ({ observedAt, value, earlier = [] }: PointUpdate): readonly RuleSample[] => {
  const latestMs = Date.parse(observedAt);
  return [
    ...earlier.map(([beforeMs, each]) => ({ atMs: latestMs - beforeMs, value: Number(each) })),
    { atMs: latestMs, value: Number(value) },
  ];
};

interface Findings {
  readonly followed: (RuleSample & { readonly seriesId: number })[];
  readonly breaches: Breach[];
  readonly recovered: Omit<Breach, 'sinceMs'>[];
  readonly opened: NewFault[];
  readonly closed: ClosedFault[];
}

/** What every rule makes of every point that it follows. */
const findings = (
  rules: readonly StoredRule[],
  points: readonly ShownPoint[],
  memory: RuleMemory,
): Findings => {
  const found: Findings = { followed: [], breaches: [], recovered: [], opened: [], closed: [] };
  for (const point of points) {
    const { seriesId, samples } = point;
    const last = memory.last(seriesId);
    const latest = samples.at(-1)!;
    if (last === null || last.atMs < latest.atMs) found.followed.push({ seriesId, ...latest });
    for (const rule of rules) {
      if (rule.seriesId !== seriesId && rule.pointClass !== point.pointClass) continue;
      const { ruleId } = rule;
      const before = memory.of(ruleId, seriesId);
      let state: Following = { last, ...before };
      const turns: Turn[] = [];
      for (const sample of samples) {
        const next = follow(rule, state, sample);
        state = next.state;
        turns.push(...next.turns);
      }
      const { breachedSinceMs: sinceMs } = state;
      if (sinceMs !== before.breachedSinceMs) {
        if (sinceMs === null) found.recovered.push({ ruleId, seriesId });
        else found.breaches.push({ ruleId, seriesId, sinceMs });
      }
      addFaults(found, rule, point, turns, before.faultId);
    }
  }
  return found;
};

/** The first turn may end a fault that was open before. */
const addFaults = (
  found: Findings,
  rule: StoredRule,
  point: ShownPoint,
  turns: readonly Turn[],
  openFaultId: string | null,
) => {
  turns.forEach((turn, index) => {
    if (turn.type === 'opened') {
      const { atMs: openedMs, value } = turn;
      const closedMs = turns[index + 1]?.atMs ?? null;
      found.opened.push({ rule, point, value, openedMs, closedMs });
    } else if (index === 0) found.closed.push({ faultId: openFaultId!, closedMs: turn.atMs });
  });
};
