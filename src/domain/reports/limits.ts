// Reports (contract.md section 5)
/** Days of a period. */
export const REPORT_DAYS_MAX = 1_100;
/** Intervals of a period. */
export const REPORT_INTERVALS_MAX = 400;
/** Series of a grouped report, besides those of tickets without the member and of the rest. */
export const REPORT_SERIES_MAX = 100;
/** Series of a report whose `series` is not given. */
export const REPORT_SERIES_DEFAULT = 20;
/** Intervals × series. */
export const REPORT_CELLS_MAX = 10_000;
/** Days of a report whose `from` is not given, the last one included. */
export const REPORT_DAYS_DEFAULT = 30;
