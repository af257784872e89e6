/**
 * Samples of buildings' points, which are stored first and then announced. contract.md section 6,
 * design.md decision 10. Every call names an organisation; another organisation's building does not
 * exist for it.
 */
import type { Instant, Occasion, Refusal } from '../../engine/aggregates/decider.ts';
import type { Observation } from '../../domain/telemetry/observations.ts';

export interface Telemetry {
  /**
   * Stores the samples of one request atomically; they are durable when this resolves. A repeated
   * point and time replaces the earlier sample.
   *
   * Refuses `NOT_FOUND` for a building that is not the organisation's, and the errors of
   * `validationErrorsOf`.
   *
   * @param observations 1 to {@link OBSERVATIONS_AT_ONCE_MAX}.
   * @throws `LogUnavailable` if imports into the building interfered in every attempt.
   */
  observe(
    organisation: string,
    buildingId: string,
    observations: readonly Observation[],
    occasion: Occasion,
  ): Promise<{ readonly accepted: number } | Refusal>;

  /**
   * The samples of a point, oldest first, or their buckets if `bucket` gives a length. At most
   * {@link OBSERVATIONS_PAGE_MAX} rows, and no more than can be read in {@link
   * OBSERVATIONS_READ_MAX_MS}.
   *
   * @returns `null` for an id that is not a point of the organisation's building.
   */
  samples(point: PointRange, range: SampleRange): Promise<ReadPage<SampleRow> | null>;
  buckets(
    point: PointRange,
    range: SampleRange,
    bucketMs: number,
  ): Promise<ReadPage<BucketRow> | null>;
}

/** Identifies a point. */
export interface PointRange {
  readonly organisation: string;
  readonly buildingId: string;
  readonly pointId: string;
}

/** Milliseconds since 1970. */
export interface SampleRange {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

export interface ReadPage<Row> {
  readonly items: readonly Row[];
  /** Start of the next page; `null` at the end of the range. */
  readonly nextFrom: Instant | null;
}

/** A stored sample. */
export interface SampleRow {
  readonly timestamp: Instant;
  readonly value: number | boolean;
}

/** A bucket with at least one sample. */
export interface BucketRow {
  /** Start of the bucket: a multiple of its length, counted from midnight (UTC). */
  readonly timestamp: Instant;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly count: number;
}
