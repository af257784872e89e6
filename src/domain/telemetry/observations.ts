/** An ingest: its samples, and the update of each point. contract.md section 6. */
import type { PointUpdate } from './events.ts';
import { type Instant, refuse, type Refusal } from '../../engine/aggregates/decider.ts';
import {
  OBSERVATIONS_ANNOUNCED_POINTS_MAX,
  OBSERVED_AHEAD_MAX_MS,
  OBSERVED_AT_MIN,
  OBSERVED_DAYS_AT_ONCE_MAX,
} from './limits.ts';
import { ERRORS_NAMED_MAX } from '../../limits.ts';
import { DAY_MS } from '../../engine/time/calendar.ts';

/** A sample as it was sent. */
export interface Observation {
  /** In lower case. */
  readonly pointId: string;
  readonly value: number | boolean;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** The properties of a point that an ingest needs. */
export interface IngestPoint {
  readonly elementId: string;
  readonly spaceId: string | null;
  readonly valueType: 'number' | 'boolean';
  readonly unit: string | null;
}

/**
 * Refuses `VALIDATION_FAILED` for a time before {@link OBSERVED_AT_MIN} or more than {@link
 * OBSERVED_AHEAD_MAX_MS} after `nowMs`, for a value that is not of its point's type, and for more
 * than {@link OBSERVED_DAYS_AT_ONCE_MAX} different days, and `REFERENCE_NOT_FOUND` for an id that
 * is no point of the building, with at most {@link ERRORS_NAMED_MAX} errors.
 */
export const validationErrorsOf = (
  observations: readonly Observation[],
  points: ReadonlyMap<string, IngestPoint>,
  nowMs: number,
): Refusal | null => {
  const earliestMs = Date.parse(OBSERVED_AT_MIN);
  const latestMs = nowMs + OBSERVED_AHEAD_MAX_MS;
  const invalid: Misfit[] = [];
  const unknown: Misfit[] = [];
  observations.forEach(({ pointId, value, atMs }, index) => {
    const point = points.get(pointId);
    const path = (member: string) => `observations[${index}].${member}`;
    if (!point) unknown.push({ path: path('pointId'), message: NO_POINT });
    else if (typeof value !== point.valueType)
      invalid.push({ path: path('value'), message: `must be a ${point.valueType}` });
    if (atMs > latestMs) invalid.push({ path: path('timestamp'), message: TOO_FAR_AHEAD });
    if (atMs < earliestMs) invalid.push({ path: path('timestamp'), message: TOO_OLD });
  });
  const days = new Set(observations.map(({ atMs }) => Math.floor(atMs / DAY_MS))).size;
  if (days > OBSERVED_DAYS_AT_ONCE_MAX)
    invalid.push({ path: 'observations', message: tooManyDays(days) });
  if (invalid.length > 0) return refusal('VALIDATION_FAILED', invalid);
  return unknown.length > 0 ? refusal('REFERENCE_NOT_FOUND', unknown) : null;
};

interface Misfit {
  readonly path: string;
  readonly message: string;
}

const refusal = (code: 'VALIDATION_FAILED' | 'REFERENCE_NOT_FOUND', errors: readonly Misfit[]) => {
  const { path, message } = errors[0]!;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return refuse(code, `${path}: ${message}${more}`, { errors: errors.slice(0, ERRORS_NAMED_MAX) });
};

const NO_POINT = 'is not the internal id of a point of this building';
const TOO_FAR_AHEAD = `is more than ${OBSERVED_AHEAD_MAX_MS / 60_000} minutes in the future`;
const tooManyDays = (days: number) =>
  `must span at most ${OBSERVED_DAYS_AT_ONCE_MAX} different days (UTC); they span ${days}`;
const TOO_OLD = `must not be before ${OBSERVED_AT_MIN}`;

/**
 * Each point's samples by time, points by `order`; of two samples of one point and time, the last
 * one sent wins.
 */
export const samplesByPoint = (
  observations: readonly Observation[],
  order: (pointId: string) => number,
): ReadonlyMap<string, readonly Observation[]> => {
  const sorted = observations
    .map((observation, index) => ({ observation, index, place: order(observation.pointId) }))
    .sort(
      (a, b) => a.place - b.place || a.observation.atMs - b.observation.atMs || a.index - b.index,
    );
  const samples = new Map<string, Observation[]>();
  for (const { observation } of sorted) {
    const ofPoint = samples.get(observation.pointId);
    if (!ofPoint) samples.set(observation.pointId, [observation]);
    else if (ofPoint.at(-1)!.atMs === observation.atMs) ofPoint[ofPoint.length - 1] = observation;
    else ofPoint.push(observation);
  }
  return samples;
};

/** The latest value of each point, one list per announcement. Each list is built when read. */
export function* updatesOf(
  samples: ReadonlyMap<string, readonly Observation[]>,
  points: ReadonlyMap<string, IngestPoint>,
): Generator<readonly PointUpdate[]> {
  let updates: PointUpdate[] = [];
  for (const [pointId, ofPoint] of samples) {
    if (updates.length === OBSERVATIONS_ANNOUNCED_POINTS_MAX) {
      yield updates;
      updates = [];
    }
    const { elementId, spaceId, unit } = points.get(pointId)!;
    const { value, atMs } = ofPoint.at(-1)!;
    const update = { pointId, elementId, spaceId, value, unit, observedAt: instantOf(atMs) };
    if (ofPoint.length === 1) updates.push(update);
    else {
      const earlier = ofPoint.slice(0, -1).map((it): Earlier => [atMs - it.atMs, it.value]);
      updates.push({ ...update, earlier });
    }
  }
  if (updates.length > 0) yield updates;
}

type Earlier = NonNullable<PointUpdate['earlier']>[number];

const instantOf = (ms: number): Instant => new Date(ms).toISOString();
