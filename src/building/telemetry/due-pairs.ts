/** The pairs of rule and point that are due without further samples. */
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { DUE_PAIRS_AT_ONCE } from '../../domain/telemetry/limits.ts';
import type { Condition } from '../../domain/telemetry/rules.ts';
import type { FaultPoint } from './fault-rows.ts';
import type { StoredRule } from './rule-rows.ts';

/**
 * Pairs of a `stale` rule: a row per point and rule. The latest value of a point expires with its
 * samples, the last one that rules have evaluated does not.
 */
const SILENT = `
  select rule.building_id, rule.id as rule_id, series.id as series_id,
         coalesce(latest.observed_at, followed.observed_at, rule.created_at)
           + ceil((rule.threshold + rule.for_seconds) * 1000) * interval '1 millisecond' as due_at
  from telemetry.rule
  join telemetry.series on series.building_id = rule.building_id
  join graph.point on point.id = series.point_id
  left join telemetry.latest on latest.series_id = series.id
  left join telemetry.followed on followed.series_id = series.id
  where rule.comparison = 'stale'
    and (rule.series_id = series.id or rule.point_class = point.point_class)
    and not exists (
      select from telemetry.fault
      where fault.rule_id = rule.id and fault.series_id = series.id
        and fault.closed_at is null and (fault.flapped_at is null or fault.flap_breached)
    )`;

/**
 * A pair of rule and point is due only after its stored samples have been evaluated, because they
 * take precedence over the clock.
 */
const EVALUATED = `not exists (
  select from telemetry.latest
  where latest.series_id = followed.series_id and latest.observed_at > followed.observed_at
)`;

/** Pairs whose condition waits for its duration, and flapping faults. */
const WAITING = `
  select rule.building_id, rule.id as rule_id, breach.series_id,
         breach.since + make_interval(secs => rule.for_seconds) as due_at
  from telemetry.breach
  join telemetry.rule on rule.id = breach.rule_id
  join telemetry.followed on followed.series_id = breach.series_id
  where ${EVALUATED}
  union all
  select fault.building_id, fault.rule_id, fault.series_id, fault.flapped_at + interval '1 hour'
  from telemetry.fault
  join telemetry.followed on followed.series_id = fault.series_id
  where fault.closed_at is null and fault.flapped_at is not null and ${EVALUATED}`;

/** Rounded up, so that the time has come by then. */
const firstMs = (column: string) =>
  `ceil(extract(epoch from min(${column})) * 1000)::double precision`;

export interface OwnedBuilding {
  readonly buildingId: string;
  readonly organisation: string;
}

export interface StaleBuilding extends OwnedBuilding {
  /** Changes with the building's points. */
  readonly revision: string;
  /** Changes with the building's `stale` rules. */
  readonly rules: string;
}

/** The buildings with `stale` rules. */
export const staleBuildings = async (db: Pool): Promise<readonly StaleBuilding[]> => {
  const { rows } = await db.query<StaleBuilding>(
    `select building.id as "buildingId", organisation, revision, stale.rules
     from graph.building
     join (
       select building_id, md5(string_agg(id::text, ' ' order by id)) as rules
       from telemetry.rule where comparison = 'stale' group by building_id
     ) as stale on stale.building_id = building.id`,
  );
  return rows;
};

/** When the first point of a building has been silent for too long; `Infinity`: never. */
export const silentAtMs = async (db: Pool, buildingId: string): Promise<number> => {
  const { rows } = await db.query<{ dueMs: number | null }>(
    `select ${firstMs('due_at')} as "dueMs" from (${SILENT} and rule.building_id = $1) as silent`,
    [buildingId],
  );
  return rows[0]!.dueMs ?? Infinity;
};

/** The buildings with other due pairs than silent points. */
export const waitingBuildings = async (
  db: Pool,
): Promise<readonly (OwnedBuilding & { readonly dueMs: number })[]> => {
  const { rows } = await db.query<OwnedBuilding & { readonly dueMs: number }>(
    `select building_id as "buildingId", organisation, ${firstMs('due_at')} as "dueMs"
     from (${WAITING}) as waiting
     join graph.building on building.id = building_id
     group by building_id, organisation`,
  );
  return rows;
};

export type DuePair = FaultPoint &
  Condition &
  Pick<StoredRule, 'ruleId' | 'title' | 'severity' | 'raiseTicket' | 'createdAt'> & {
    /** The latest stored sample, if it has not expired. */
    readonly heardMs: number | null;
    readonly heardValue: number | null;
  };

/** The first due pairs of a building, at most {@link DUE_PAIRS_AT_ONCE}. */
export const pairsDue = async (
  client: ClientBase,
  buildingId: string,
  at: Instant,
): Promise<readonly DuePair[]> => {
  const { rows } = await client.query<DuePair>(
    `select rule.id as "ruleId", title, severity, comparison, threshold,
            for_seconds as "forSeconds", raise_ticket as "raiseTicket", created_at as "createdAt",
            series.id as "seriesId",
            point.id as "pointId", point.element_id as "elementId",
            point.value_type as "valueType", latest.value as "heardValue",
            (extract(epoch from latest.observed_at) * 1000)::double precision as "heardMs"
     from (
       select rule_id, series_id, min(due_at) as due_at from (${SILENT} union all ${WAITING}) as due
       where building_id = $1 and due_at <= $2 group by rule_id, series_id
     ) as pair
     join telemetry.rule on rule.id = pair.rule_id
     join telemetry.series on series.id = pair.series_id
     join graph.point on point.id = series.point_id
     left join telemetry.latest on latest.series_id = pair.series_id
     order by due_at, rule.id, series.id limit ${DUE_PAIRS_AT_ONCE}`,
    [buildingId, at],
  );
  return rows;
};
