/** Numbers of the interface and the contract that several capabilities share. */

// Tickets (interface.md «Limits», contract.md section 5)
export const TEXT_CHARACTERS_MAX = 20_000;
export const CATEGORY_CHARACTERS_MAX = 200;
export const ASSIGNEE_CHARACTERS_MAX = 200;
/** Members and items of all levels together. */
export const FREE_FORM_MEMBERS_MAX = 1_000;
export const FREE_FORM_DEPTH_MAX = 20;
export const CURSOR_CHARACTERS_MAX = 200;

// The bus and work orders (contract.md sections 5 and 9)
export const BUS_EVENT_ID_CHARACTERS_MAX = 200;
export const BUS_PREFIX_CHARACTERS_MAX = 64;

// Announcements of buildings and messages of the bus (contract.md sections 6 and 9)
export const ANNOUNCEMENT_RETENTION_DAYS = 7;

// NATS as the bus (contract.md section 9)
/** Timeout of one NATS call, publications included. */
export const NATS_ANSWER_MAX_MS = 5_000;

// Building graph (contract.md section 6)
export const SPACES_PAGE_MAX = 1_000;
export const SPACES_PAGE_CAPPED_MAX = 100;
export const POINT_CLASS_CHARACTERS_MAX = 100;
/** Identifiers and codes per resolve request. */
export const RESOLVE_KEYS_MAX = 10_000;
/** Paths in a body or a file that a VALIDATION_FAILED names. */
export const ERRORS_NAMED_MAX = 20;

// Telemetry (contract.md section 6)
/** Observations per request. */
export const OBSERVATIONS_AT_ONCE_MAX = 5_000;
/** Upper bound of `TELEMETRY_RETENTION_DAYS`. */
export const TELEMETRY_RETENTION_MAX_DAYS = 36_525;

// Backups (contract.md section 10)
/** Least time between two scheduled backups. */
export const BACKUP_INTERVAL_MIN_MS = 15 * 60_000;
export const BACKUP_INTERVAL_MAX_MS = 31 * 24 * 60 * 60_000;
/** Upper bound of `BACKUP_KEEP`. */
export const BACKUPS_KEPT_MAX = 1_000;

// Requests (contract.md section 1)
export const BODY_BYTES_MAX = 1024 * 1024;
export const IMPORT_BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Characters of an unknown member's name that an error path repeats. */
export const MEMBER_NAMED_CHARACTERS_MAX = 100;
/** Members and items of a JSON body on all levels, unless its route has its own limit. */
export const BODY_VALUES_MAX = 5_000;
export const HEADER_BYTES_MAX = 16 * 1024;
/** Deadline of a response; longer than the timeout of a call to the log. */
export const REQUEST_ANSWER_MAX_MS = 15_000;
/** Deadline of building imports, advances of the virtual clock and dry runs of rules. */
export const REQUEST_ANSWER_LONG_MAX_MS = 300_000;
/** Cache time of the results of readiness and measurements. */
export const READINESS_KEPT_MS = 1_000;
/** A longer lag is reported by readiness and `atrium doctor`, and raises an alert. */
export const LAG_MAX_S = 60;
/** An export whose reader has accepted no bytes for this long is ended. */
export const EXPORT_UNREAD_MAX_MS = 300_000;
/** A stopping server in production reports not ready for this long before it stops. */
export const SHUTDOWN_DELAY_DEFAULT_S = 5;
/** Upper bound of the configured shutdown delay. */
export const SHUTDOWN_DELAY_MAX_S = 300;
/** A stopping server waits this long for requests in progress. */
export const STOP_GRACE_MS = 20_000;
/**
 * Consumers end after the requests in progress, but wait no longer for them: a call to the log that
 * consumers have in progress may take as long as `LOG_CALL_TIMEOUT_MS`.
 */
export const STOP_REQUESTS_MS = 6_000;
/** How long a stop waits for an advance of the virtual clock, which the next start continues. */
export const STOP_TRAVEL_MS = 2_000;
/** How long the platform's requests wait in a stop for the sandboxes of the process to end. */
export const STOP_SANDBOXES_MS = 8_000;
/** A longer stop is logged, with the tasks that it waits for. */
export const STOP_NOTED_MS = 10_000;
/** A GET with a position waits this long for the read model to reach it. */
export const READ_YOUR_WRITES_WAIT_MS = 2_000;
/** A command's response waits this long for the affected read models. */
export const COMMAND_VISIBLE_WAIT_MS = 500;

// Identity (contract.md section 2)
export const ORGANISATION_CHARACTERS_MAX = 64;

// API keys and audit (interface.md «Limits», contract.md section 3)
export const KEYS_ACTIVE_MAX = 5;
/** Folded keyrings cached in memory; each request verifies the revision with the log. */
export const KEYRINGS_CACHED_MAX = 2_000;

// Kernel (design.md decisions 4 to 6)
/**
 * Sweep interval of a process without peers, where only a crash or an unreachable log leaves
 * unfinished work.
 */
export const ALONE_SWEEP_MS = 30_000;
/** Records of a shared journal that one section of the use index covers. */
export const USE_INDEX_SECTION_RECORDS = 10_000;
