// Telemetry (contract.md section 6)
/** Points of all buildings together that are kept in memory, to check what is sent. */
export const TELEMETRY_POINTS_CACHED_MAX = 400_000;
/** Points that one statement fetches into it. */
export const TELEMETRY_POINTS_READ_ROWS = 10_000;
/** Rows of one answer that reads a point; `nextFrom` goes on. */
export const OBSERVATIONS_PAGE_MAX = 10_000;
/** One statement reads so many days, */
export const OBSERVATIONS_READ_AT_ONCE_DAYS = 7;
/** and one answer goes on to further ones for so long. */
export const OBSERVATIONS_READ_MAX_MS = 1_500;
/** A dry run looks at so many points times days. */
export const DRY_RUN_POINT_DAYS_MAX = 3_660;
/** And tells of so many faults. */
export const DRY_RUN_FAULTS_MAX_ROWS = 10_000;
/** A day is sealed so long after its end (UTC): most of what is late has come by then. */
export const SEALED_AFTER_MS = 3_600_000;
/** Series that one statement searches for days to seal. */
export const SEALED_SERIES_AT_ONCE_MAX = 500;
/** Samples that one transaction seals, or a day of one series. */
export const SEALED_SAMPLES_AT_ONCE_MAX = 20_000;
/** An ingest that finds its building changed is checked anew so often. */
export const INGEST_ATTEMPTS_MAX = 5;
