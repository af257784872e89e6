import type { Pool } from 'pg';
import type { Condition } from '../../domain/telemetry/rules.ts';
import type { Diagnostics, FaultDetail, FaultRow } from './diagnostics.ts';
import { valueOf } from './fault-rows.ts';

export const faultList =
  (db: Pool): Diagnostics['faults'] =>
  async (organisation, buildingId, { open, spaceId, limit, offset }) => {
    const { rows } = await db.query<{ known: boolean; total: number; items: Stored[] }>(
      // Twice, so that a page reads no further than its end.
      `with fault as not materialized (
         select * from telemetry.fault
         where building_id = $2 ${open === undefined ? '' : open ? IS_OPEN : IS_CLOSED}
           and ($5::uuid is null or exists (
             select from telemetry.series
             join graph.point on point.id = series.point_id
             join graph.element on element.id = point.element_id
             where series.id = fault.series_id and element.space_id = $5))
       )
       select exists (select from graph.building where id = $2 and organisation = $1) as known,
              (select count(*)::int from fault) as total,
              (select coalesce(json_agg(item), '[]') from (
                 select fault.id as "faultId", rule_id as "ruleId", point.id as "pointId",
                        point.element_id as "elementId", point.value_type as "valueType",
                        severity, title, case when value_known then value end as value,
                        opened_at as "openedAt", closed_at as "closedAt",
                        flap_count as "flapCount", flapped_at is not null as "isFlapping"
                 from fault
                 join telemetry.series on series.id = fault.series_id
                 join graph.point on point.id = series.point_id
                 order by opened_at desc, fault.id limit $3 offset $4
               ) as item) as items`,
      [organisation, buildingId, limit, offset, spaceId ?? null],
    );
    const { known, total, items } = rows[0]!;
    return known ? { items: items.map(faultRow), limit, offset, total } : null;
  };

/** Conditions without a parameter, which partial indexes match. */
const IS_OPEN = 'and closed_at is null';
const IS_CLOSED = 'and closed_at is not null';

export const faultsAlone = (db: Pool): Pick<Diagnostics, 'fault' | 'noteTicket'> => ({
  async fault(organisation, buildingId, faultId) {
    const { rows } = await db.query<Stored & Pick<FaultDetail, 'point'> & Partial<Condition>>(
      `select fault.id as "faultId", fault.rule_id as "ruleId", point.id as "pointId",
              point.element_id as "elementId", point.value_type as "valueType",
              fault.severity, fault.title, case when value_known then value end as value,
              opened_at as "openedAt", closed_at as "closedAt", flap_count as "flapCount",
              flapped_at is not null as "isFlapping", rule.comparison, rule.threshold,
              rule.for_seconds as "forSeconds",
              json_build_object('code', node.code, 'name', node.name, 'unit', point.unit,
                'pointClass', point.point_class) as point
       from telemetry.fault
       join graph.building on building.id = fault.building_id
       join telemetry.series on series.id = fault.series_id
       join graph.point on point.id = series.point_id
       join graph.node on node.id = point.id
       left join telemetry.rule on rule.id = fault.rule_id
       where fault.id = $3 and fault.building_id = $2 and building.organisation = $1`,
      [organisation, buildingId, faultId],
    );
    const found = rows[0];
    if (found === undefined) return null;
    const { point, comparison, threshold, forSeconds, ...stored } = found;
    // All three members are in one row, and so present or absent together.
    const condition = comparison ? ({ comparison, threshold, forSeconds } as Condition) : null;
    return { ...faultRow(stored), point, condition };
  },

  async noteTicket(faultId, at) {
    await db.query(
      'update telemetry.fault set ticket_at = $2 where id = $1 and ticket_at is null',
      [faultId, at],
    );
  },
});

type Stored = Omit<FaultRow, 'value' | 'flapping' | 'flapCount'> & {
  readonly value: number | null;
  readonly valueType: 'number' | 'boolean';
  readonly flapCount: number;
  readonly isFlapping: boolean;
};

const faultRow = (stored: Stored): FaultRow => {
  const { value, valueType, openedAt, closedAt, flapCount, isFlapping, ...fault } = stored;
  return {
    ...fault,
    value: value === null ? null : valueOf(valueType, value),
    openedAt: new Date(openedAt).toISOString(),
    closedAt: closedAt && new Date(closedAt).toISOString(),
    ...flappingMembers(flapCount, isFlapping && closedAt === null),
  };
};

/** Only a fault that has flapped has these members. */
export const flappingMembers = (flapCount: number, flapping: boolean) =>
  flapCount === 0 ? {} : { flapping, flapCount };
