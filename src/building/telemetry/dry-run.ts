/** Evaluates a rule on stored samples: the fold for live samples, with an empty initial state. */
import type { Pool } from 'pg';
import { DAY_MS } from '../../engine/time/calendar.ts';
import { refuse } from '../../engine/aggregates/decider.ts';
import { forEachInSlices } from '../../engine/concurrency/slices.ts';
import { foldTurns, noFaults, type Fault } from '../../domain/telemetry/flapping.ts';
import {
  follow,
  unfollowed,
  withoutSample,
  type Condition,
  type Followed,
  type Following,
  type RuleSample,
} from '../../domain/telemetry/rules.ts';
import { DRY_RUN_FAULTS_MAX_ROWS, DRY_RUN_POINT_DAYS_MAX } from './limits.ts';
import { OBSERVED_AT_MIN } from '../../domain/telemetry/limits.ts';
import type { Diagnostics, FoundFault, RuleTarget } from './diagnostics.ts';
import { valueOf } from './fault-rows.ts';
import { flappingMembers } from './faults.ts';
import { lastSampleBefore, midnightAfter, readDay } from './reads.ts';
import { isOwned } from './rule-rows.ts';
import { unknownPoint } from './rules.ts';
import type { SampleRange } from './telemetry.ts';

/** @param keptFromMs Older samples are not evaluated. */
export const dryRun =
  (db: Pool, keptFromMs: () => number): Diagnostics['dryRun'] =>
  async (organisation, buildingId, rule, range, signal) => {
    if (!(await isOwned(db, organisation, buildingId)))
      return refuse('NOT_FOUND', 'No building has this id.');
    const points = await pointsOf(db, buildingId, rule);
    if (rule.pointId !== null && points.length === 0) return unknownPoint();
    const days = Math.ceil((range.toMs - range.fromMs) / DAY_MS);
    if (points.length * days > DRY_RUN_POINT_DAYS_MAX)
      return tooLong(
        `${points.length} points over ${days} days are more than ${DRY_RUN_POINT_DAYS_MAX}`,
      );
    const bounds = { keptFromMs: keptFromMs(), signal };
    const found: FoundFault[] = [];
    for (const point of points) {
      const faultsMax = DRY_RUN_FAULTS_MAX_ROWS - found.length;
      const faults = await faultsOf(db, rule, point, range, { ...bounds, faultsMax });
      if (faults === null) return tooLong(`There are more than ${DRY_RUN_FAULTS_MAX_ROWS} faults`);
      found.push(...faults);
    }
    return found;
  };

const tooLong = (message: string) =>
  refuse('VALIDATION_FAILED', `${message}.`, { errors: [{ path: 'from', message }] });

interface TriedPoint {
  readonly pointId: string;
  /** `null`: the point has no samples. */
  readonly seriesId: number | null;
  readonly valueType: 'number' | 'boolean';
  /** The point's last sample. */
  readonly latest: RuleSample | null;
}

interface Bounds {
  /** Older samples are not evaluated. */
  readonly keptFromMs: number;
  readonly faultsMax: number;
  readonly signal: AbortSignal;
}

const pointsOf = async (
  db: Pool,
  buildingId: string,
  { pointId, pointClass }: RuleTarget,
): Promise<readonly TriedPoint[]> => {
  const { rows } = await db.query<
    Omit<TriedPoint, 'latest'> & { readonly atMs: number | null; readonly value: number }
  >(
    `select point.id as "pointId", series.id as "seriesId", point.value_type as "valueType",
            (extract(epoch from latest.observed_at) * 1000)::double precision as "atMs",
            latest.value
     from graph.node n
     join graph.point on point.id = n.id
     left join telemetry.series on series.point_id = n.id
     left join telemetry.latest on latest.series_id = series.id
     where n.building_id = $1 and n.kind = 'point'
       and (n.id = $2::uuid or point.point_class = $3)
     order by n.code`,
    [buildingId, pointId, pointClass],
  );
  return rows.map(({ atMs, value, ...point }) => ({
    ...point,
    latest: atMs === null ? null : { atMs, value },
  }));
};

/**
 * Evaluates the rule as if created at the beginning of the range, one day at a time, so that no
 * statement and no turn of the event loop is long.
 *
 * @returns `null` for more than `faultsMax` faults.
 */
const faultsOf = async (
  db: Pool,
  condition: Condition,
  { pointId, seriesId, valueType, latest }: TriedPoint,
  { fromMs, toMs }: SampleRange,
  { keptFromMs, faultsMax, signal }: Bounds,
): Promise<readonly FoundFault[] | null> => {
  // There are no earlier samples, and Postgres does not support all years that a request may name.
  const firstMs = Math.max(fromMs, keptFromMs, Date.parse(OBSERVED_AT_MIN));
  if (firstMs >= toMs) return [];
  const before = await sampleBefore(db, condition, { seriesId, latest }, firstMs);
  const last = before !== null && before.atMs >= keptFromMs ? before : null;
  let state: Following = { ...unfollowed, last, watchedSinceMs: firstMs };
  let faults = noFaults;
  const found = new Map<number, Fault>();
  const take = (next: Followed, untilMs: number) => {
    state = next.state;
    faults = foldTurns(faults, next.turns, untilMs, (fault) => found.set(fault.openedMs, fault));
  };
  const foldPage = (samples: readonly RuleSample[]) => {
    signal.throwIfAborted();
    return forEachInSlices(samples, (sample) =>
      take(follow(condition, state, sample), sample.atMs),
    );
  };
  if (seriesId !== null)
    for (let atMs = firstMs; atMs < toMs;) {
      const day = { fromMs: atMs, toMs: Math.min(midnightAfter(atMs, 1), toMs) };
      await readDay(db, seriesId, day, foldPage);
      if (found.size > faultsMax) return null;
      atMs = day.toMs;
    }
  take(withoutSample(condition, state, toMs), toMs);
  if (found.size > faultsMax) return null;
  return [...found.values()].map(({ openedMs, closedMs, value, flapping, flapCount }) => ({
    pointId,
    openedAt: new Date(openedMs).toISOString(),
    closedAt: closedMs === null ? null : new Date(closedMs).toISOString(),
    value: value === null ? null : valueOf(valueType, value),
    ...flappingMembers(flapCount, flapping !== null),
  }));
};

/** The sample from which silence counts at the beginning of the range; `null`: there is none. */
const sampleBefore = async (
  db: Pool,
  { comparison }: Condition,
  { seriesId, latest }: Pick<TriedPoint, 'seriesId' | 'latest'>,
  firstMs: number,
): Promise<RuleSample | null> => {
  if (latest === null || latest.atMs < firstMs) return latest;
  return comparison === 'stale' && seriesId !== null
    ? lastSampleBefore(db, seriesId, firstMs)
    : null;
};
