// Requests (contract.md section 1)
/** How long a starting server waits for an unreachable database or log. */
export const START_WAIT_MAX_MS = 120_000;
/** Longest pause between its attempts. */
export const START_RETRY_MAX_MS = 2_000;
/** Longest pause between two looks at whether a started server is ready. */
export const READY_LOOK_MAX_MS = 250;
/** A start that is not ready after this time logs why. */
export const NOT_READY_NOTICE_MS = 10_000;

// API keys and audit (interface.md «Limits», contract.md section 3)
/** How long `atrium audit verify` waits for the audit to reach the log's head at its start. */
export const AUDIT_VERIFY_WAIT_MS = 5_000;
/**
 * A command waits this long for the process that feeds a read model to begin a requested rebuild,
 * verification, retry or skip. `--wait` overrides it.
 */
export const REQUEST_BEGUN_MAX_MS = 30_000;
/** A checkpoint holds a chain's hash at its end and at every multiple of this number. */
export const AUDIT_CHECKPOINT_EVERY_RECORDS = 1_000;
/** Records of one journal that `atrium audit verify` names; beyond that it prints their number. */
export const AUDIT_NAMED_MAX_RECORDS = 100;

// Moving the log (docs/operating/move-the-log.md)
/** Events between two checksums in an exported file. */
export const EXPORT_MARK_EVENTS = 10_000;
/** Streams whose first position an export keeps in memory. */
export const EXPORT_STREAMS_KEPT_MAX = 100_000;
/** Commands whose events `atrium events export --erase` seals at once. */
export const EXPORT_SEALED_AT_ONCE = 500;
/** A longer line was not written by an export. */
export const EVENT_LINE_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes per append, below the 1 MiB limit of EventStoreDB with room for its overhead. */
export const IMPORT_APPEND_BYTES_MAX = 900_000;
/** Events imported as one block; `--fast` may reorder events within a block. */
export const IMPORT_BLOCK_EVENTS = 1_024;
export const IMPORT_APPENDS_AT_ONCE = 64;
/** How long an import retries an unreachable log before it ends. */
export const IMPORT_RETRY_MAX_MS = 120_000;
/** Streams and events that a refusal names. */
export const IMPORT_NAMED_MAX_EVENTS = 10;
/** Interval of progress lines on a terminal. */
export const PROGRESS_TERMINAL_MS = 250;
/** Interval of progress lines elsewhere. */
export const PROGRESS_LINE_MS = 5_000;

// Backups (docs/operating/backup-and-restore.md)
/** Bytes before compression of one stored part; one for a bucket is received whole first. */
export const BACKUP_PART_BYTES = 32 * 1024 * 1024;
/** Events of one segment of a log in Postgres. */
export const BACKUP_SEGMENT_EVENTS = 100_000;
/** Segments of a log in EventStoreDB, before it is copied from its start again. */
export const BACKUP_EXPORTS_MAX = 30;
/** Attachments looked up at once. */
export const BACKUP_FILES_LISTED_AT_ONCE = 500;
/** Attachments stored at once. */
export const BACKUP_FILES_AT_ONCE = 8;
/** A scheduled backup that failed is tried again after this time. */
export const BACKUP_RETRY_MS = 5 * 60_000;
/** Longest time between two looks at the newest backup, for the metric of its age. */
export const BACKUP_LOOK_MS = 10 * 60_000;
/** Bytes of a manifest, which is held in memory. */
export const BACKUP_MANIFEST_BYTES_MAX = 64 * 1024 * 1024;

// Rebuilding read models (docs/operating/rebuild-a-read-model.md)
/** Poll interval for the progress of an operator's request. */
export const REQUEST_LOOK_MS = 250;

// `atrium doctor` (docs/operating/doctor.md)
/** Timeout of one check. */
export const DOCTOR_CHECK_MAX_MS = 5_000;
/** Of the time of a check or a probe: one address that does not answer leaves time to tell. */
export const CERTIFICATE_TIME_SHARE = 0.8;
/** Timeout of closing the connections of the checks. */
export const DOCTOR_CLOSE_MAX_MS = 2_000;
/** Tolerated difference between clocks; below the skew that tokens are allowed. */
export const DOCTOR_CLOCK_SKEW_MAX_MS = 5_000;
/** The audit's chains are written every few seconds and checkpointed every minute. */
export const AUDIT_CHAIN_LAG_MAX_S = 300;
/** Fewer free bytes mean that the disk is almost full. */
export const DOCTOR_DISK_FREE_MIN_BYTES = 1024 ** 3;
export const DOCTOR_DISK_FREE_MIN_PERCENT = 5;
/** A certificate that ends sooner is warned of. */
export const CERTIFICATE_WARNING_DAYS = 21;
/** One that ends sooner has failed: a renewal may take a weekend. */
export const CERTIFICATE_FAILURE_DAYS = 3;
/** Connections to Postgres that a process may hold, as docs/operating/sizing.md counts them. */
export const PROCESS_DATABASE_CONNECTIONS = 15;
/** Fewer free ones, and a server that runs may fail to connect. */
export const DATABASE_CONNECTIONS_FREE_MIN = 3;
/** Descriptors beside those of callers: code, files, the database, the log, the bus, sandboxes. */
export const PROCESS_DESCRIPTORS = 1_000;
/** Fewer than these do not serve a hundred callers beside {@link PROCESS_DESCRIPTORS}. */
export const DESCRIPTORS_MIN = 1_100;
/** Deleted journals keep their bytes in EventStoreDB until a scavenge; once a week is advised. */
export const SCAVENGE_AGE_MAX_DAYS = 14;
/** Share of a stream's bound beyond which it is warned of: a full stream refuses messages. */
export const NATS_FULLNESS_WARNING = 0.7;
/** Share of that bound beyond which it has failed. */
export const NATS_FULLNESS_MAX = 0.9;

// Probes: what the doctor looks at, as metrics (docs/operating/alerts.md)
/** Longest time from the start to the first looks. */
export const PROBE_FIRST_MS = 20_000;
/** Time limit of one look. */
export const PROBE_MAX_MS = 30_000;
/** Longest time from a look that failed to the next one. */
export const PROBE_RETRY_MS = 5 * 60_000;
export const CONNECTIONS_LOOK_MS = 60_000;
export const CLOCKS_LOOK_MS = 5 * 60_000;
export const NATS_LOOK_MS = 5 * 60_000;
export const EVENTSTORE_LOOK_MS = 5 * 60_000;
export const CERTIFICATES_LOOK_MS = 60 * 60_000;
/** Looks at one row per key, among all. */
export const SECRET_KEYS_LOOK_MS = 60 * 60_000;
/** Interval of looking for keys of persons that are lost. */
export const PERSON_KEYS_LOOK_MS = 60 * 60_000;

// Consumers of the log: projections, processes, timers
/**
 * Ticket numbers skipped after a restore, because lost tickets may have been published with them.
 */
export const RESTORE_NUMBERS_SKIPPED = 1_000;

// Files of attachments
/** Files that one `atrium doctor --files` compares. */
export const DOCTOR_FILES_COMPARED_MAX = 500_000;
/** Missing files that it names. */
export const DOCTOR_FILES_NAMED_MAX = 20;

// `atrium support-bundle` (docs/operating/support-bundle.md)
/** Time for one section; the doctor's checks run side by side within it. */
export const SUPPORT_SECTION_MAX_MS = 30_000;
/** A longer section is left out. */
export const SUPPORT_SECTION_BYTES_MAX = 2 * 1024 * 1024;
/** Read of the end of a log file. */
export const SUPPORT_LOG_BYTES_MAX = 1024 * 1024;
/** Tables, parked streams and transactions that are named. */
export const SUPPORT_ROWS_MAX = 200;

// Secrets (docs/operating/personal-data.md)
/** Rows that one statement of `atrium secrets rewrap` changes. */
export const SECRETS_REWRAPPED_AT_ONCE = 1_000;
