/** Timeout of creating or dropping a database. */
export const SANDBOX_DATABASE_TIMEOUT_MS = 120_000;
/** A database that is larger is copied file by file, and a smaller one through the WAL. */
export const FILE_COPY_BYTES_MIN = 50 * 1024 ** 2;
/** Snapshots that one process makes concurrently. */
export const SNAPSHOTS_MADE_AT_ONCE_MAX = 2;
/** How long a snapshot waits for a sandbox that is busy, or in another process, per attempt. */
export const SNAPSHOT_ASLEEP_WAIT_MAX_MS = 60_000;
/** Interval at which it looks. */
export const SNAPSHOT_ASLEEP_LOOK_MS = 250;
/** How long the requests of a sandbox are waited for before it is copied. */
export const SANDBOX_QUIET_WAIT_MAX_MS = 2_000;
/** How long a request waits while its sandbox is copied; then it is answered 503. */
export const SANDBOX_COPY_WAIT_MAX_MS = 5_000;
/** How long a process waits until another one has taken the sandbox that it gave way to. */
export const SANDBOX_GIVEN_WAY_MAX_MS = 5_000;
/** Connections to one sandbox's database, in addition to those of its log. */
export const SANDBOX_CONNECTIONS_MAX = 4;
/** Deadline for starting a sandbox; a request that waits longer is answered 503. */
export const SANDBOX_START_MAX_MS = 30_000;
/** A sandbox without requests for this long is stopped. */
export const SANDBOX_IDLE_MAX_MS = 600_000;
/** Interval of the maintenance that stops idle sandboxes and starts due ones. */
export const SANDBOX_LOOK_MS = 10_000;
/** Long-term share of its process's event loop that one sandbox may use. */
export const SANDBOX_LOOP_SHARE = 0.25;
/** Event loop time that an idle sandbox may use at once; then its requests are refused. */
export const SANDBOX_LOOP_BURST_MS = 2_500;
/** How long background work of a sandbox waits for its share before it gets a slice anyway. */
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
/** Samples that the advances of one sandbox add in an hour of real time. */
export const SANDBOX_ADVANCE_SAMPLES_OF_HOUR_MAX = 600_000;
/** Samples that one advance of a sandbox's clock adds. */
export const SANDBOX_ADVANCE_SAMPLES_MAX = 200_000;
/** Stops of one advance at which samples are announced. */
export const SANDBOX_ADVANCE_STOPS_MAX = 24;
/** Heap of the thread that generates a building and its telemetry. */
export const SANDBOX_SEEDING_HEAP_MAX_MIB = 512;
/** Interval at which the session of a connection through the main host is checked again. */
export const PASSAGE_SESSION_CHECK_MS = 15_000;
/** Rows of the request log that are written at once. */
export const SANDBOX_REQUESTS_BATCH_MAX = 500;
/** Interval at which the request log is written. */
export const SANDBOX_REQUESTS_WRITE_MS = 250;
/** Interval at which the request log is trimmed to its day and its number of rows. */
export const SANDBOX_REQUESTS_TRIM_MS = 60_000;
/** Requests that wait to be written to the request log; further ones are dropped. */
export const SANDBOX_REQUESTS_PENDING_MAX = 5_000;
/** As {@link SANDBOX_REQUESTS_PENDING_MAX}, of one sandbox. */
export const SANDBOX_REQUESTS_PENDING_OF_SANDBOX_MAX = 1_000;
/** Points that an answer with planted faults names, all faults together. */
export const PLANTED_FAULT_POINTS_MAX = 50_000;
