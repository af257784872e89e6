import { OBSERVATIONS_AT_ONCE_MAX } from '../../limits.ts';

/** Members and items of a body: three per observation, and room for invalid ones. */
export const OBSERVATIONS_BODY_VALUES_MAX = 5 * OBSERVATIONS_AT_ONCE_MAX;
/** Range of a read that names no beginning. */
export const OBSERVATIONS_READ_DEFAULT_MS = 24 * 3_600_000;
/** Concurrent large ingests. */
export const LARGE_INGESTS = { ofCaller: 1, ofOrganisation: 1, inAll: 4, waitMs: 10_000 } as const;
/** Concurrent reads of samples; `inAll` leaves connections to other requests. */
export const SAMPLE_READS = { ofCaller: 2, ofOrganisation: 3, inAll: 6, waitMs: 5_000 } as const;
/** Concurrent dry runs of rules. */
export const DRY_RUNS = { ofCaller: 1, ofOrganisation: 2, inAll: 4 } as const;
export const RULE_TITLE_CHARACTERS_MAX = 200;
export const SEVERITY_CHARACTERS_MAX = 64;
/** Upper bound of `forSeconds` and of the threshold of `stale`: a year. */
export const RULE_SECONDS_MAX_S = 366 * 24 * 3_600;
export const FAULTS_PAGE_DEFAULT = 100;
export const FAULTS_PAGE_MAX = 1_000;
