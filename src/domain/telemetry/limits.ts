/** Bounds of what points observe and of the rules that watch them. contract.md section 6. */

/** Different days (UTC) in one batch of observations: each month has partitions of its own. */
export const OBSERVED_DAYS_AT_ONCE_MAX = 40;

/** Diagnostic rules of a building. */
export const RULES_OF_BUILDING_MAX = 200;
/** Diagnostic rules that can match one point, by its id or by its class. */
export const RULES_OF_POINT_MAX = 20;
/** Faults that a rule opens for one point in an hour of data time. */
export const FAULTS_OF_POINT_AN_HOUR_MAX = 12;
/** A flapping fault ends when its condition has neither begun nor ended for so long. */
export const FLAPPING_QUIET_MS = 3_600_000;

// One slice of an evaluation is one transaction. Its bounds keep it below 50 ms of the event loop.
/** Points that a slice looks up. */
export const EVALUATED_POINTS_AT_ONCE = 100;
/** Samples times the rules that look at them. */
export const EVALUATED_SAMPLES_AT_ONCE = 5_000;
/** Faults that a slice may open: each is a row and two announcements. */
export const EVALUATED_FAULTS_AT_ONCE = 150;
/** Pairs of rule and point that a slice looks at because something is due. */
export const DUE_PAIRS_AT_ONCE = 250;
/** Buildings whose slices are worked at the same time; the others take turns. */
export const EVALUATED_BUILDINGS_AT_ONCE = 2;
/** Announcements that wait for the log: beyond it, no further faults are opened. */
export const FAULT_ANNOUNCEMENTS_WAITING_MAX = 1_000;
/** How often an evaluation looks whether they are fewer. */
export const FAULT_ANNOUNCEMENTS_LOOK_MS = 25;
/** A building whose evaluation fails for a deterministic reason so many times is parked. */
export const EVALUATION_ATTEMPTS_MAX = 3;
