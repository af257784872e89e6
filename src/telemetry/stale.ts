/**
 * Points that are heard no more. When one is stale follows from its latest sample and its rules,
 * which are rows: there is no timer that could be lost.
 */
import type { ClientBase, Pool } from 'pg';
import type { Instant, Occasion } from '../domain/decider.ts';
import { staleAtMs } from '../domain/telemetry/rules.ts';
import { transaction } from '../db/transaction.ts';
import { STALE_AT_ONCE_MAX } from '../limits.ts';
import type { Diagnostics } from './diagnostics.ts';
import { openFaults, type FaultPoint } from './fault-rows.ts';
import { takeTurn } from './rule-rows.ts';

type Stale = Pick<Diagnostics, 'nextStaleAt' | 'findStale'>;

/** @param announced Called after each commit that left announcements to be moved to the log. */
export const stalePoints = (db: Pool, announced: () => void): Stale => ({
  async nextStaleAt() {
    const { rows } = await db.query<{ due: Instant | Date | null }>(
      `select min(${DUE_AT}) as due ${WATCHED}`,
    );
    const due = rows[0]?.due ?? null;
    return due === null ? null : new Date(due).toISOString();
  },

  async findStale(occasion) {
    for (;;) {
      const buildings = await buildingsDue(db, occasion.at);
      if (buildings.length === 0) return;
      for (const building of buildings) await openIn(db, building, occasion);
      announced();
    }
  },
});

/** Every point that a rule waits for, unless its fault is open. */
const WATCHED = `
  from telemetry.rule
  join telemetry.series on series.building_id = rule.building_id
  join graph.point on point.id = series.point_id
  join telemetry.latest on latest.series_id = series.id
  where rule.comparison = 'stale'
    and (rule.series_id = series.id or rule.point_class = point.point_class)
    and not exists (
      select from telemetry.fault
      where fault.rule_id = rule.id and fault.series_id = series.id and fault.closed_at is null
    )`;

const DUE_AT = `latest.observed_at + make_interval(secs => rule.threshold + rule.for_seconds)`;

interface DueBuilding {
  readonly buildingId: string;
  readonly organisation: string;
}

const buildingsDue = async (db: Pool, at: Instant): Promise<readonly DueBuilding[]> => {
  const { rows } = await db.query<DueBuilding>(
    `select id as "buildingId", organisation from graph.building
     where id in (select rule.building_id ${WATCHED} and ${DUE_AT} <= $1)`,
    [at],
  );
  return rows;
};

const openIn = (db: Pool, { buildingId, organisation }: DueBuilding, occasion: Occasion) =>
  transaction(db, async (client) => {
    if (!(await takeTurn(client, buildingId))) return;
    // Asked again in turn: it may have been heard meanwhile.
    const due = await pointsDue(client, buildingId, occasion.at);
    const faults = due.map(({ lastMs, value, ruleId, title, severity, threshold, ...rest }) => {
      const { forSeconds, ...point } = rest;
      const condition = { comparison: 'stale', threshold, forSeconds } as const;
      const last = { atMs: lastMs, value };
      const openedMs = staleAtMs(condition, { last, breachedSinceMs: null, openedMs: null })!;
      const rule = { ruleId, title, severity, threshold };
      return { rule, point, value, openedMs, closedMs: null };
    });
    await openFaults(client, buildingId, faults, { ...occasion, organisation });
  });

interface DuePoint extends FaultPoint {
  readonly ruleId: string;
  readonly title: string;
  readonly severity: string;
  readonly threshold: number;
  readonly forSeconds: number;
  readonly lastMs: number;
  readonly value: number;
}

const pointsDue = async (
  client: ClientBase,
  buildingId: string,
  at: Instant,
): Promise<readonly DuePoint[]> => {
  const { rows } = await client.query<DuePoint>(
    `select rule.id as "ruleId", title, severity, threshold, for_seconds as "forSeconds",
            series.id as "seriesId", point.id as "pointId", point.element_id as "elementId",
            point.value_type as "valueType", latest.value,
            (extract(epoch from latest.observed_at) * 1000)::double precision as "lastMs"
     ${WATCHED} and rule.building_id = $1 and ${DUE_AT} <= $2
     order by ${DUE_AT}, rule.id, series.id limit ${STALE_AT_ONCE_MAX}`,
    [buildingId, at],
  );
  return rows;
};
