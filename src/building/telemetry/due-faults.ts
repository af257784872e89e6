/**
 * Faults that begin or end without a sample: a point is stale, a condition has held for long
 * enough, a flapping fault has been quiet. The due time is derived from rows, so that no timer can
 * be lost.
 */
import type { ClientBase, Pool } from 'pg';
import type { Instant, Occasion } from '../../engine/aggregates/decider.ts';
import { DUE_PAIRS_AT_ONCE } from '../../domain/telemetry/limits.ts';
import { withoutSample, type Condition } from '../../domain/telemetry/rules.ts';
import { isBusy } from '../../engine/postgres/errors.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { announcementCapacity } from './announcement-capacity.ts';
import type { Diagnostics } from './diagnostics.ts';
import type { FaultPoint } from './fault-rows.ts';
import { makeSeries } from './points.ts';
import type { RunSlice } from './run-slice.ts';
import { memoryOf } from './rule-memory.ts';
import { takeTurn, type StoredRule } from './rule-rows.ts';
import { followingOf, recordTurns, type WatchedPair } from './rule-turns.ts';

export interface DueFaultsParts {
  readonly db: Pool;
  /** Called after each commit that left announcements to be moved to the log. */
  readonly announced: () => void;
  /** Shared with the evaluation of ingests. */
  readonly runSlice: RunSlice;
}

export const dueFaults = ({
  db,
  announced,
  runSlice,
}: DueFaultsParts): Pick<Diagnostics, 'nextDueAt' | 'recordDue'> => {
  /** By building, the revision of its nodes at which every point had a series. */
  const madeFor = new Map<string, number>();

  const makeMissingSeries = async () => {
    const { rows } = await db.query<{ buildingId: string; revision: number }>(
      `select id as "buildingId", revision from graph.building
       where id in (select building_id from telemetry.rule where comparison = 'stale')`,
    );
    for (const { buildingId, revision } of rows) {
      if (madeFor.get(buildingId) === revision) continue;
      try {
        await transaction(db, async (client) => {
          if (await takeTurn(client, buildingId)) await makeSeries(client, buildingId);
        });
        madeFor.set(buildingId, revision);
      } catch (error) {
        // An import runs: the faults of other buildings do not wait for it.
        if (!isBusy(error)) throw error;
      }
    }
  };

  return {
    async nextDueAt(except = []) {
      await makeMissingSeries();
      const { rows } = await db.query<{ due: Instant | Date | null }>(
        `${DUE} select min(due_at) as due from due where building_id <> all($1::uuid[])`,
        [except],
      );
      const due = rows[0]?.due ?? null;
      return due === null ? null : new Date(due).toISOString();
    },

    async recordDue(occasion, signal) {
      await makeMissingSeries();
      const failures = new Map<string, unknown>();
      const finished = new Set<string>();
      for (;;) {
        const except = [...failures.keys(), ...finished];
        const buildings = await buildingsDue(db, occasion.at, except);
        if (buildings.length === 0) return failures;
        // One slice per building in turn, so that no building waits for all slices of another.
        for (const building of buildings) {
          signal.throwIfAborted();
          try {
            const pairs = await runSlice(signal, () => recordIn(db, building, occasion));
            if (pairs < DUE_PAIRS_AT_ONCE) finished.add(building.buildingId);
          } catch (error) {
            failures.set(building.buildingId, error);
          }
        }
        announced();
        await announcementCapacity(db, announced, signal);
      }
    },
  };
};

/**
 * A pair of rule and point is due only after its stored samples have been evaluated, because they
 * take precedence over the clock.
 */
const EVALUATED = `not exists (
  select from telemetry.latest
  where latest.series_id = followed.series_id and latest.observed_at > followed.observed_at
)`;

/** The pairs of rule and point that are due without further samples. */
const DUE = `with due as (
    select rule.building_id, rule.id as rule_id, series.id as series_id,
           coalesce(latest.observed_at, rule.created_at)
             + make_interval(secs => rule.threshold + rule.for_seconds) as due_at
    from telemetry.rule
    join telemetry.series on series.building_id = rule.building_id
    join graph.point on point.id = series.point_id
    left join telemetry.latest on latest.series_id = series.id
    where rule.comparison = 'stale'
      and (rule.series_id = series.id or rule.point_class = point.point_class)
      and not exists (
        select from telemetry.fault
        where fault.rule_id = rule.id and fault.series_id = series.id
          and fault.closed_at is null and (fault.flapped_at is null or fault.flap_breached)
      )
    union all
    select rule.building_id, rule.id, breach.series_id,
           breach.since + make_interval(secs => rule.for_seconds)
    from telemetry.breach
    join telemetry.rule on rule.id = breach.rule_id
    join telemetry.followed on followed.series_id = breach.series_id
    where ${EVALUATED}
    union all
    select fault.building_id, fault.rule_id, fault.series_id, fault.flapped_at + interval '1 hour'
    from telemetry.fault
    join telemetry.followed on followed.series_id = fault.series_id
    where fault.closed_at is null and fault.flapped_at is not null and ${EVALUATED}
  )`;

interface DueBuilding {
  readonly buildingId: string;
  readonly organisation: string;
}

const buildingsDue = async (
  db: Pool,
  at: Instant,
  except: readonly string[],
): Promise<readonly DueBuilding[]> => {
  const { rows } = await db.query<DueBuilding>(
    `${DUE} select id as "buildingId", organisation from graph.building
     where id in (select building_id from due where due_at <= $1) and id <> all($2::uuid[])`,
    [at, except],
  );
  return rows;
};

const recordIn = (db: Pool, { buildingId, organisation }: DueBuilding, occasion: Occasion) =>
  transaction(db, async (client) => {
    if (!(await takeTurn(client, buildingId))) return 0;
    // Queried again under the lock: a sample may have arrived meanwhile.
    const due = await pairsDue(client, buildingId, occasion.at);
    const memory = await memoryOf(client, [...new Set(due.map(({ seriesId }) => seriesId))]);
    // Postgres counts in microseconds, so rows due within this millisecond are included.
    const untilMs = Date.parse(occasion.at) + 1;
    const pairs = due.map((pair): WatchedPair => {
      const { ruleId, seriesId, heardMs, heardValue } = pair;
      const before = memory.of(ruleId, seriesId);
      // A stored sample ends the silence, even if the rules have not evaluated it yet.
      const heard = heardMs === null ? null : { atMs: heardMs, value: heardValue! };
      const last = pair.comparison === 'stale' ? heard : memory.last(seriesId);
      const { state, turns } = withoutSample(pair, followingOf(pair, before, last), untilMs);
      return { rule: pair, point: pair, before, state, turns, untilMs };
    });
    await recordTurns(client, buildingId, pairs, [], { ...occasion, organisation });
    return pairs.length;
  });

type DuePair = FaultPoint &
  Condition &
  Pick<StoredRule, 'ruleId' | 'title' | 'severity' | 'raiseTicket' | 'createdAt'> & {
    readonly heardMs: number | null;
    readonly heardValue: number | null;
  };

const pairsDue = async (
  client: ClientBase,
  buildingId: string,
  at: Instant,
): Promise<readonly DuePair[]> => {
  const { rows } = await client.query<DuePair>(
    `${DUE}
     select rule.id as "ruleId", title, severity, comparison, threshold,
            for_seconds as "forSeconds", raise_ticket as "raiseTicket", created_at as "createdAt",
            series.id as "seriesId",
            point.id as "pointId", point.element_id as "elementId",
            point.value_type as "valueType", latest.value as "heardValue",
            (extract(epoch from latest.observed_at) * 1000)::double precision as "heardMs"
     from (
       select rule_id, series_id, min(due_at) as due_at from due
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
