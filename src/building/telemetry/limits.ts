/** Points of all buildings cached in memory to validate observations. */
export const TELEMETRY_POINTS_CACHED_MAX = 400_000;
/** Points per query that fills the cache of points. */
export const TELEMETRY_POINTS_READ_ROWS = 10_000;
/** Rows per response with a point's samples; `nextFrom` continues. */
export const OBSERVATIONS_PAGE_MAX = 10_000;
/** Days per statement that reads observations of a point with few of them a day. */
export const OBSERVATIONS_READ_AT_ONCE_DAYS = 7;
/** A statement that takes longer is followed by one that reads a single day. */
export const OBSERVATIONS_READ_QUICK_MS = 100;
/** Time after which a read of observations starts no further statement. */
export const OBSERVATIONS_READ_MAX_MS = 1_500;
/** Points times days per dry run. */
export const DRY_RUN_POINT_DAYS_MAX = 3_660;
/** Faults that a dry run returns. */
export const DRY_RUN_FAULTS_MAX_ROWS = 10_000;
/** Samples that a dry run reads at once. */
export const DRY_RUN_READ_ROWS = 10_000;
/** A page more may be read: a request may hold a connection for 2 s. contract.md section 1. */
export const DRY_RUN_CONNECTION_HELD_MAX_MS = 1_500;
/** A day is sealed this long after its end (UTC), when most late samples have arrived. */
export const SEALED_AFTER_MS = 3_600_000;
/** Series per statement that searches for days to seal. */
export const SEALED_SERIES_AT_ONCE_MAX = 500;
/** Samples per transaction that seals; a day of one series may exceed it. */
export const SEALED_SAMPLES_AT_ONCE_MAX = 20_000;
/** How long an ingest is attempted while its building is imported; a request has 15 s. */
export const INGEST_BUSY_MAX_MS = 10_000;
/** First pause between two attempts of an ingest. */
export const INGEST_PAUSE_FIRST_MS = 10;
/** Longest pause between two attempts of an ingest. */
export const INGEST_PAUSE_MAX_MS = 500;
/** Expired faults per statement that deletes them. */
export const EXPIRED_FAULTS_AT_ONCE = 10_000;
/** By so much a rule may be younger than an ingest: another server's clock gave its time. */
export const SERVER_CLOCKS_APART_MAX_MS = 5_000;
