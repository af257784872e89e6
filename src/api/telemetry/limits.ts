import { OBSERVATIONS_AT_ONCE_MAX } from '../../limits.ts';

// Telemetry (contract.md section 6)
/** Members and items of their body: an object of three each, and what is wrong with some. */
export const OBSERVATIONS_BODY_VALUES_MAX = 5 * OBSERVATIONS_AT_ONCE_MAX;
/** Of time, where a read names no beginning. */
export const OBSERVATIONS_READ_DEFAULT_MS = 24 * 3_600_000;
export const RULE_TITLE_CHARACTERS_MAX = 200;
export const SEVERITY_CHARACTERS_MAX = 64;
/** Of `forSeconds`, and of the threshold of `stale`: a year. */
export const RULE_SECONDS_MAX_S = 366 * 24 * 3_600;
/** Faults in a page. */
export const FAULTS_PAGE_DEFAULT = 100;
export const FAULTS_PAGE_MAX = 1_000;
