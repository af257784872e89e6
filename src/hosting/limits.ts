// Sandboxes (interface.md «Limits», contract.md section 4)
/** Making or dropping a database takes so long at most. */
export const SANDBOX_DATABASE_TIMEOUT_MS = 120_000;
/** To the database of one sandbox, besides those of its log. */
export const SANDBOX_CONNECTIONS_MAX = 4;
/** A sandbox that is woken is ready within so long, or its request is told to come again. */
export const SANDBOX_START_MAX_MS = 30_000;
/** A sandbox that nobody has called for so long goes to sleep. */
export const SANDBOX_IDLE_MAX_MS = 600_000;
/** How often it is looked at which sandboxes may sleep, and which have something due. */
export const SANDBOX_LOOK_MS = 10_000;
/** Of the time of its process's event loop, a sandbox may use so much in the long run, */
export const SANDBOX_LOOP_SHARE = 0.25;
/** and so many milliseconds at once after it was idle. Beyond that its requests are refused. */
export const SANDBOX_LOOP_BURST_MS = 2_500;
/** How long background work of a sandbox waits for its share before it gets a slice anyway. */
export const SANDBOX_LOOP_TURN_WAIT_MAX_MS = 2_000;
/** A process that hosts a sandbox is reached by another within so long, */
export const SANDBOX_PROXY_CONNECT_MAX_MS = 2_000;
/** and answers what is passed on to it within so long: no request has a longer deadline. */
export const SANDBOX_PROXY_ANSWER_MAX_MS = 310_000;
/** How often databases without a sandbox are swept away. */
export const SANDBOX_SWEEP_MS = 3_600_000;
/** Between two samples of the telemetry that a sandbox begins with. */
export const SANDBOX_TELEMETRY_STEP_MS = 900_000;
/** Between two samples of its live telemetry. */
export const SANDBOX_LIVE_STEP_MS = 60_000;
/** An advance of a sandbox's clock brings so many samples of its points at most, */
export const SANDBOX_ADVANCE_SAMPLES_MAX = 200_000;
/** and stops so often to tell them. */
export const SANDBOX_ADVANCE_STOPS_MAX = 24;
/** Memory that the thread which generates a building and its telemetry may use. */
export const SANDBOX_SEEDING_HEAP_MAX_MIB = 512;
