/**
 * Samples of the points of buildings: written first, then announced. contract.md section 6,
 * design.md decision 10. Every call names an organisation; another organisation's building does not
 * exist for it.
 */
import type { Instant, Occasion, Refusal } from '../../engine/aggregates/decider.ts';
import type { Observation } from '../../domain/telemetry/observations.ts';

export interface Telemetry {
  /**
   * Stores all samples of one request or none; they are durable when this resolves. A repeated
   * point and time replaces the earlier sample.
   *
   * Refuses `NOT_FOUND` for a building that is not the organisation's, and what
   * `validationErrorsOf` finds.
   *
   * @param observations 1 to {@link OBSERVATIONS_AT_ONCE_MAX}.
   * @throws `LogUnavailable` if imports into the building came between again and again.
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
   * @returns `null` for an id that is no point of a building of the organisation.
   */
  samples(point: PointRange, range: SampleRange): Promise<ReadPage<SampleRow> | null>;
  buckets(
    point: PointRange,
    range: SampleRange,
    bucketMs: number,
  ): Promise<ReadPage<BucketRow> | null>;
}

/** Of which point. */
export interface PointRange {
  readonly organisation: string;
  readonly buildingId: string;
  readonly pointId: string;
}

/** Milliseconds since 1970. */
export interface SampleRange {
  readonly fromMs: number;
  /** Not in it. */
  readonly toMs: number;
}

export interface ReadPage<Row> {
  readonly items: readonly Row[];
  /** Where to go on; `null` at the end of the range. */
  readonly nextFrom: Instant | null;
}

/** A sample as it is read. */
export interface SampleRow {
  readonly timestamp: Instant;
  readonly value: number | boolean;
}

/** The samples of a bucket, of which there is at least one. */
export interface BucketRow {
  /** When the bucket begins: a multiple of its length, counted from midnight (UTC). */
  readonly timestamp: Instant;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly count: number;
}
