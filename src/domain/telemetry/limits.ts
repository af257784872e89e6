/** Bounds of what points observe and of the rules that watch them. contract.md section 6. */

/** Different days (UTC) in one batch of observations: each month has partitions of its own. */
export const OBSERVED_DAYS_AT_ONCE_MAX = 40;
