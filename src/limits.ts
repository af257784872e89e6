/** Numbers of the interface and the contract that several capabilities share. */

// Tickets (interface.md «Limits», contract.md section 5)
export const TEXT_CHARACTERS_MAX = 20_000;
export const CATEGORY_CHARACTERS_MAX = 200;
export const ASSIGNEE_CHARACTERS_MAX = 200;
/** Members and items, on all levels. */
export const FREE_FORM_MEMBERS_MAX = 1_000;
export const FREE_FORM_DEPTH_MAX = 20;
export const CURSOR_CHARACTERS_MAX = 200;
/** Searches at once, of one caller. */
export const SEARCHES_OF_CALLER_MAX = 2;
/** Of one organisation. */
export const SEARCHES_OF_ORGANISATION_MAX = 3;
/** Of all, who leave the other connections to those who search nothing. */
export const SEARCHES_MAX = 6;
/** Who finds no place waits so long for one. */
export const SEARCH_PLACE_WAIT_MS = 1_000;

// Tickets in bulk (contract.md section 5)
/** Exports at once, of one caller, */
export const TICKET_EXPORTS_OF_CALLER_MAX = 2;
/** of one organisation, */
export const TICKET_EXPORTS_OF_ORGANISATION_MAX = 3;
/** and of all. */
export const TICKET_EXPORTS_MAX = 8;
/** Imports at once, of one caller, */
export const TICKET_IMPORTS_OF_CALLER_MAX = 1;
/** of one organisation, */
export const TICKET_IMPORTS_OF_ORGANISATION_MAX = 2;
/** and of all. */
export const TICKET_IMPORTS_MAX = 4;

// The bus and work orders (contract.md sections 5 and 9)
export const BUS_EVENT_ID_CHARACTERS_MAX = 200;
export const BUS_PREFIX_CHARACTERS_MAX = 64;

// NATS as the bus (contract.md section 9)
/** One call, a publication too. */
export const NATS_ANSWER_MAX_MS = 5_000;

// Configuration of the service desk (contract.md section 5)
/** Simulations at once, of one caller. */
export const SIMULATIONS_OF_CALLER_MAX = 2;
/** Of one organisation. */
export const SIMULATIONS_OF_ORGANISATION_MAX = 4;
/** Of all. */
export const SIMULATIONS_MAX = 16;
/** Who finds no place waits so long for one. */
export const SIMULATION_PLACE_WAIT_MS = 1_000;

// Building graph (contract.md section 6)
export const SPACES_PAGE_MAX = 1_000;
export const SPACES_PAGE_CAPPED_MAX = 100;
export const POINT_CLASS_CHARACTERS_MAX = 100;
/** Identifiers and codes that one question resolves. */
export const RESOLVE_KEYS_MAX = 10_000;
/** Places that a VALIDATION_FAILED names, of a body or of a file. */
export const ERRORS_NAMED_MAX = 20;

// Telemetry (contract.md section 6)
/** Of one request. */
export const OBSERVATIONS_AT_ONCE_MAX = 5_000;
/** Dry runs under way: of one caller, */
export const DRY_RUNS_OF_CALLER_MAX = 1;
/** of one organisation, */
export const DRY_RUNS_OF_ORGANISATION_MAX = 2;
/** and in all. */
export const DRY_RUNS_MAX = 4;
/** Of telemetry that is kept for a term: `TELEMETRY_RETENTION_DAYS`. */
export const TELEMETRY_RETENTION_MAX_DAYS = 36_525;
/** Concurrent large ingests per caller. */
export const LARGE_INGESTS_OF_CALLER_MAX = 1;
/** Concurrent large ingests per organisation. */
export const LARGE_INGESTS_OF_ORGANISATION_MAX = 1;
/** Concurrent large ingests per process. */
export const LARGE_INGESTS_MAX = 4;
/** Longest wait of a large ingest for its turn. */
export const LARGE_INGEST_PLACE_WAIT_MS = 10_000;

// Requests (contract.md section 1)
export const BODY_BYTES_MAX = 1024 * 1024;
export const IMPORT_BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Of the name of an unknown member, in the path that names it. */
export const MEMBER_NAMED_CHARACTERS_MAX = 100;
/** Members and items of a JSON body, on all levels, where its route sets no other bound. */
export const BODY_VALUES_MAX = 5_000;
export const HEADER_BYTES_MAX = 16 * 1024;
/** A request is answered within so long, or told that it was not; longer than a call of the log. */
export const REQUEST_ANSWER_MAX_MS = 15_000;
/** So long for imports of buildings, moves of the virtual clock, and rules that are tried out. */
export const REQUEST_ANSWER_LONG_MAX_MS = 300_000;
/** What readiness and the measurements have found is shown again for this long. */
export const READINESS_KEPT_MS = 1_000;
/** A longer lag is reported by readiness and `atrium doctor`, and has an alert. */
export const LAG_MAX_S = 60;
/** One of which nothing was taken for so long is ended. */
export const EXPORT_UNREAD_MAX_MS = 300_000;
/** In production, a server that is to stop is not ready for so long before it does: */
export const SHUTDOWN_DELAY_DEFAULT_S = 5;
/** for so long at most. */
export const SHUTDOWN_DELAY_MAX_S = 300;
/** How long a stopping server waits for the requests under way. */
export const STOP_GRACE_MS = 20_000;
/** A stop that takes longer than this is logged, with what it waits for. */
export const STOP_NOTED_MS = 10_000;
/** A GET that carries a position is held so long at most. */
export const READ_YOUR_WRITES_WAIT_MS = 2_000;
/** A command's own response waits so long at most for the read models that show it. */
export const COMMAND_VISIBLE_WAIT_MS = 500;

// Identity (contract.md section 2)
export const ORGANISATION_CHARACTERS_MAX = 64;

// API keys and audit (interface.md «Limits», contract.md section 3)
export const KEYS_ACTIVE_MAX = 5;
/** Exports at once, of one caller, */
export const AUDIT_EXPORTS_OF_CALLER_MAX = 2;
/** of one organisation, */
export const AUDIT_EXPORTS_OF_ORGANISATION_MAX = 4;
/** and of all. */
export const AUDIT_EXPORTS_MAX = 32;
/** Keyrings kept folded in memory; the log confirms each, in every request, before it counts. */
export const KEYRINGS_CACHED_MAX = 2_000;

// Kernel (design.md decisions 4 to 6)
/** As above, where nothing but a crash or a log that is away leaves something behind. */
export const ALONE_SWEEP_MS = 30_000;
/** Uses in a shared journal are indexed by organisation, so many at a time. */
export const USE_INDEX_SECTION_RECORDS = 10_000;

// Consumers of the log: projections, processes, timers
/** A process writes down how far it has come at most so often. */
export const PROCESS_SAVED_MS = 50;
