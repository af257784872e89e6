/** Timeout of creating or dropping a database. */
export const SANDBOX_DATABASE_TIMEOUT_MS = 120_000;
/** A larger database is copied file by file, a smaller one through the WAL. */
export const FILE_COPY_BYTES_MIN = 50 * 1024 ** 2;
/** Snapshots that one process copies concurrently. */
export const SNAPSHOTS_MADE_AT_ONCE_MAX = 2;
/** {@link SNAPSHOTS_MADE_AT_ONCE_MAX} for one organisation. */
export const SNAPSHOTS_MADE_AT_ONCE_OF_ORGANISATION_MAX = 1;
/** Per attempt, a snapshot waits this long for a sandbox that is busy or in another process. */
export const SNAPSHOT_ASLEEP_WAIT_MAX_MS = 60_000;
/** Poll interval of a snapshot that waits for a sandbox. */
export const SNAPSHOT_ASLEEP_LOOK_MS = 250;
/** Requests in progress delay a copy of their sandbox by at most this time. */
export const SANDBOX_QUIET_WAIT_MAX_MS = 2_000;
/** A request waits this long while its sandbox is copied; then it is answered 503. */
export const SANDBOX_COPY_WAIT_MAX_MS = 5_000;
/** A process that yields a sandbox waits this long for the other process to claim it. */
export const SANDBOX_GIVEN_WAY_MAX_MS = 5_000;
/** Connections to one sandbox's database, in addition to those of its log. */
export const SANDBOX_CONNECTIONS_MAX = 4;
/** Deadline for starting a sandbox; a request that waits longer is answered 503. */
export const SANDBOX_START_MAX_MS = 30_000;
/** A sandbox without requests for this long is stopped. */
export const SANDBOX_IDLE_MAX_MS = 600_000;
/** Interval of the maintenance that stops idle sandboxes and starts due ones. */
export const SANDBOX_LOOK_MS = 10_000;
/** Due sandboxes that one process starts concurrently. */
export const SANDBOXES_WOKEN_AT_ONCE_MAX = 4;
/** Long-term share of its process's event loop that one sandbox may use. */
export const SANDBOX_LOOP_SHARE = 0.25;
/** Burst of event loop time that an idle sandbox may use; then its requests are refused. */
export const SANDBOX_LOOP_BURST_MS = 2_500;
/** Background work of a sandbox gets a slice after this time, even beyond its share. */
export const SANDBOX_LOOP_TURN_WAIT_MAX_MS = 2_000;
/** Connection timeout to the process that hosts a sandbox. */
export const SANDBOX_PROXY_CONNECT_MAX_MS = 2_000;
/** Timeout of a proxied request; longer than the deadline of any request. */
export const SANDBOX_PROXY_ANSWER_MAX_MS = 310_000;
/** Interval at which databases without a sandbox are dropped. */
export const SANDBOX_SWEEP_MS = 3_600_000;
/** Interval of the samples that a sandbox is seeded with. */
export const SANDBOX_TELEMETRY_STEP_MS = 900_000;
/** Interval of live samples. */
export const SANDBOX_LIVE_STEP_MS = 60_000;
/** Samples that a sandbox's clock advances add, together, per hour of real time. */
export const SANDBOX_ADVANCE_SAMPLES_OF_HOUR_MAX = 600_000;
/** Samples that one advance of a sandbox's clock adds. */
export const SANDBOX_ADVANCE_SAMPLES_MAX = 200_000;
/** Stops per clock advance, at which samples are announced. */
export const SANDBOX_ADVANCE_STOPS_MAX = 24;
/** Heap of the thread that generates a building and its telemetry. */
export const SANDBOX_SEEDING_HEAP_MAX_MIB = 512;
/** Interval of rechecking the session of a connection through the main host. */
export const PASSAGE_SESSION_CHECK_MS = 15_000;
/** Batch size of writing the request log, in rows. */
export const SANDBOX_REQUESTS_BATCH_MAX = 500;
/** Interval at which the request log is written. */
export const SANDBOX_REQUESTS_WRITE_MS = 250;
/** Interval at which the request log is trimmed by age, one day, and by number of rows. */
export const SANDBOX_REQUESTS_TRIM_MS = 60_000;
/** Requests that wait to be written to the request log; further ones are dropped. */
export const SANDBOX_REQUESTS_PENDING_MAX = 5_000;
/** {@link SANDBOX_REQUESTS_PENDING_MAX} for one sandbox. */
export const SANDBOX_REQUESTS_PENDING_OF_SANDBOX_MAX = 1_000;
/** Points that a response with planted faults names, in all faults together. */
export const PLANTED_FAULT_POINTS_MAX = 50_000;
