/** Bounds of observations and diagnostic rules. contract.md section 6. */

/** Different days (UTC) per batch of observations: each month has its own partitions. */
export const OBSERVED_DAYS_AT_ONCE_MAX = 40;

/** Diagnostic rules of a building. */
export const RULES_OF_BUILDING_MAX = 200;
/** Diagnostic rules that can match one point, by its id or by its class. */
export const RULES_OF_POINT_MAX = 20;
/** Faults that a rule opens for one point in an hour of data time. */
export const FAULTS_OF_POINT_AN_HOUR_MAX = 12;
/**
 * Tickets of the faults of one rule in an hour of the platform's clock, including tickets raised by
 * hand. Further faults raise none.
 */
export const FAULT_TICKETS_OF_RULE_AN_HOUR_MAX = 20;
/** A flapping fault ends when its condition has not changed for this long. */
export const FLAPPING_QUIET_MS = 3_600_000;

// A slice of an evaluation is one transaction. Its bounds keep it below 50 ms of the event loop.
/** Points per slice. */
export const EVALUATED_POINTS_AT_ONCE = 100;
/** Samples times rules per slice. */
export const EVALUATED_SAMPLES_AT_ONCE = 5_000;
/** Faults opened per slice: each is a row and two announcements. */
export const EVALUATED_FAULTS_AT_ONCE = 150;
/** Due pairs of rule and point per slice. */
export const DUE_PAIRS_AT_ONCE = 250;
/** Buildings evaluated concurrently. */
export const EVALUATED_BUILDINGS_AT_ONCE = 2;
/** Announcements not yet in the log; at this number no further fault is opened. */
export const FAULT_ANNOUNCEMENTS_WAITING_MAX = 1_000;
/** Poll interval of an evaluation that waits for announcements to be appended. */
export const FAULT_ANNOUNCEMENTS_LOOK_MS = 25;
/** Deterministic failures after which the evaluation of a building is parked. */
export const EVALUATION_ATTEMPTS_MAX = 3;

/** Tolerance for samples whose time is ahead of the clock. */
export const OBSERVED_AHEAD_MAX_MS = 5 * 60_000;
/** An earlier sample comes from a clock that was never set; each month has a partition. */
export const OBSERVED_AT_MIN = '2000-01-01T00:00:00.000Z';
/** Points per announcement. */
export const OBSERVATIONS_ANNOUNCED_POINTS_MAX = 500;
/** Observations beyond which an ingest counts as large; large ingests have limited concurrency. */
export const INGEST_LARGE_OBSERVATIONS = 500;
