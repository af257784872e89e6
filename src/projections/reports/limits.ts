// Reports (contract.md section 5)
/** Days that one statement of a report reads, in whole intervals. */
export const REPORT_SLICE_DAYS_MAX = 31;
/** Timeout of a statement of a report: a connection is held for less than 2 s. */
export const REPORT_READ_MAX_MS = 1_800;
/** Groups that one statement ranks; further groups count among the others. */
export const REPORT_RANKED_GROUPS_MAX = 20_000;
