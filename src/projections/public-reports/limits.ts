/** Admitted reports older than the window are deleted at most this often by one process. */
export const ADMISSIONS_SWEEP_MS = 600_000;
/** How long a report waits for others of its source, room or organisation to be counted. */
export const ADMISSION_WAIT_MAX_MS = 2_000;
