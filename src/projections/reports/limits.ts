// Reports (contract.md section 5)
/** Days that one statement of a report reads, in whole intervals; an hour more where clocks change. */
export const REPORT_SLICE_DAYS_MAX = 31;
/** Groups that one statement ranks; those with fewer tickets count among the others. */
export const REPORT_RANKED_GROUPS_MAX = 20_000;
