// Requests (contract.md section 1)
/** How long a server that starts waits for a database and a log that cannot be reached yet. */
export const START_WAIT_MAX_MS = 120_000;
/** It tries again after so long at most. */
export const START_RETRY_MAX_MS = 2_000;

// API keys and audit (interface.md «Limits», contract.md section 3)
/** `atrium audit verify` waits so long for the audit to show what the log held when it began. */
export const AUDIT_VERIFY_WAIT_MS = 5_000;
/**
 * A command waits this long for the process that feeds a read model to begin a requested rebuild,
 * verification, retry or skip. `--wait` overrides it.
 */
export const REQUEST_BEGUN_MAX_MS = 30_000;
/** A checkpoint holds a chain's hash at its end, and after so many records each. */
export const AUDIT_CHECKPOINT_EVERY_RECORDS = 1_000;
/** Records of one journal that `atrium audit verify` names; of more, how many they are. */
export const AUDIT_NAMED_MAX_RECORDS = 100;

// Moving the log (docs/operating/move-the-log.md)
/** A file of events says so often how far it is whole. */
export const EXPORT_MARK_EVENTS = 10_000;
/** Streams of which the export remembers where they begin. */
export const EXPORT_STREAMS_KEPT_MAX = 100_000;
/** A longer line is not one of ours. */
export const EVENT_LINE_BYTES_MAX = 64 * 1024 * 1024;
/** Below the 1 MiB that EventStoreDB takes in one append, with room for what it adds. */
export const IMPORT_APPEND_BYTES_MAX = 900_000;
/** Events of a file that are sent together; with `--fast`, they may change places among them. */
export const IMPORT_BLOCK_EVENTS = 1_024;
export const IMPORT_APPENDS_AT_ONCE = 64;
/** A log that cannot be reached is asked again for so long; then the import ends. */
export const IMPORT_RETRY_MAX_MS = 120_000;
/** Streams and events that a refusal names. */
export const IMPORT_NAMED_MAX_EVENTS = 10;
/** How often a progress line is shown, on a terminal and elsewhere. */
export const PROGRESS_TERMINAL_MS = 250;
export const PROGRESS_LINE_MS = 5_000;

// Rebuilding read models (docs/operating/rebuild-a-read-model.md)
/** How often the operator's command looks at how far its request is. */
export const REQUEST_LOOK_MS = 250;

// `atrium doctor` (docs/operating/doctor.md)
/** A check that has no answer by then has failed. */
export const DOCTOR_CHECK_MAX_MS = 5_000;
/** What was opened for it is waited for so long when it is closed. */
export const DOCTOR_CLOSE_MAX_MS = 2_000;
/** As far as another clock may be off; below the skew that tokens are allowed. */
export const DOCTOR_CLOCK_SKEW_MAX_MS = 5_000;
/** The audit's chains are written every few seconds, and how far they are every minute. */
export const AUDIT_CHAIN_LAG_MAX_S = 300;
/** Less is a disk that is about to be full: in bytes, or of the whole. */
export const DOCTOR_DISK_FREE_MIN_BYTES = 1024 ** 3;
export const DOCTOR_DISK_FREE_MIN_PERCENT = 5;

// Consumers of the log: projections, processes, timers
/** Numbers of tickets left out after a restore: told to somebody, and shown by no list yet. */
export const RESTORE_NUMBERS_SKIPPED = 1_000;
