// Requests (contract.md section 1)
/** Longest time that a starting server waits for an unreachable database or log. */
export const START_WAIT_MAX_MS = 120_000;
/** Longest pause between a starting server's attempts. */
export const START_RETRY_MAX_MS = 2_000;
/** Longest interval of polling a started server's readiness. */
export const READY_LOOK_MAX_MS = 250;
/** A server that is not ready this long after its start logs the reasons. */
export const NOT_READY_NOTICE_MS = 10_000;

// API keys and audit (interface.md «Limits», contract.md section 3)
/** `atrium audit verify` waits this long for the audit to reach the log's head. */
export const AUDIT_VERIFY_WAIT_MS = 5_000;
/**
 * A command waits this long for the process that feeds a read model to begin a requested rebuild,
 * verification, retry or skip. `--wait` overrides it.
 */
export const REQUEST_BEGUN_MAX_MS = 30_000;
/** A checkpoint holds a chain's hash at its end and at every multiple of this number. */
export const AUDIT_CHECKPOINT_EVERY_RECORDS = 1_000;
/** Records of one journal that `atrium audit verify` names; of the others it prints the number. */
export const AUDIT_NAMED_MAX_RECORDS = 100;

// Moving the log (docs/operating/move-the-log.md)
/** Events between two checksums in an exported file. */
export const EXPORT_MARK_EVENTS = 10_000;
/** Streams whose first revision an export keeps in memory. */
export const EXPORT_STREAMS_KEPT_MAX = 100_000;
/** Batch size of `atrium events export --erase`, in commands. */
export const EXPORT_SEALED_AT_ONCE = 500;
/** Upper bound of a line in an exported file. */
export const EVENT_LINE_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes per append, below the 1 MiB limit of EventStoreDB with room for its overhead. */
export const IMPORT_APPEND_BYTES_MAX = 900_000;
/** Events imported as one block; `--fast` may reorder events within a block. */
export const IMPORT_BLOCK_EVENTS = 1_024;
export const IMPORT_APPENDS_AT_ONCE = 64;
/** An import gives up when the log has been unreachable for this time. */
export const IMPORT_RETRY_MAX_MS = 120_000;
/** Streams and events that an error message names. */
export const IMPORT_NAMED_MAX_EVENTS = 10;
/** Interval of progress lines on a terminal. */
export const PROGRESS_TERMINAL_MS = 250;
/** Interval of progress lines elsewhere. */
export const PROGRESS_LINE_MS = 5_000;

// Backups (docs/operating/backup-and-restore.md)
/** Uncompressed bytes of one stored part; a part for a bucket is buffered before it is sent. */
export const BACKUP_PART_BYTES = 32 * 1024 * 1024;
/** Events per segment of a log in Postgres. */
export const BACKUP_SEGMENT_EVENTS = 100_000;
/** Segments of a log in EventStoreDB before it is copied from its start again. */
export const BACKUP_EXPORTS_MAX = 30;
/** Batch size of looking up attachments. */
export const BACKUP_FILES_LISTED_AT_ONCE = 500;
/** Concurrency of storing attachments. */
export const BACKUP_FILES_AT_ONCE = 8;
/** A failed scheduled backup is retried after this time. */
export const BACKUP_RETRY_MS = 5 * 60_000;
/**
 * A backup that has not ended so long after SIGTERM is killed. It exists only with its manifest, so
 * that a killed one leaves nothing that could be restored.
 */
export const BACKUP_KILLED_AFTER_MS = 3_000;
/** How long a stopping server waits for its backup, which may have been killed. */
export const BACKUP_CLOSE_MAX_MS = 4_000;
/** Longest interval of reading the newest backup's time, for the metric of its age. */
export const BACKUP_LOOK_MS = 10 * 60_000;
/**
 * A temporary directory of another container is removed this long after its last change: longer
 * than any restore takes for one segment of the log.
 */
export const BACKUP_TEMPORARY_MAX_MS = 24 * 60 * 60_000;
/** Upper bound of a manifest, which is held in memory. */
export const BACKUP_MANIFEST_BYTES_MAX = 64 * 1024 * 1024;

// Rebuilding read models (docs/operating/rebuild-a-read-model.md)
/** Poll interval for the progress of an operator's request. */
export const REQUEST_LOOK_MS = 250;

// `atrium doctor` (docs/operating/doctor.md)
/** Timeout of one check. */
export const DOCTOR_CHECK_MAX_MS = 5_000;
/** Share of a check's timeout for reading certificates, which leaves time to report the result. */
export const CERTIFICATE_TIME_SHARE = 0.8;
/** Timeout of closing the checks' connections. */
export const DOCTOR_CLOSE_MAX_MS = 2_000;
/** Tolerated difference between clocks; less than the tolerated skew of tokens. */
export const DOCTOR_CLOCK_SKEW_MAX_MS = 5_000;
/** Far more than the interval at which chains are written. */
export const AUDIT_CHAIN_LAG_MAX_S = 300;
/** With fewer free bytes the disk counts as almost full. */
export const DOCTOR_DISK_FREE_MIN_BYTES = 1024 ** 3;
export const DOCTOR_DISK_FREE_MIN_PERCENT = 5;
/** The check warns of a certificate that expires within this time. */
export const CERTIFICATE_WARNING_DAYS = 21;
/** The check fails if a certificate expires within this time: renewal may take a weekend. */
export const CERTIFICATE_FAILURE_DAYS = 3;
/** Connections to Postgres per process, as in docs/operating/sizing.md. */
export const PROCESS_DATABASE_CONNECTIONS = 15;
/** With fewer free connections a running server may fail to connect. */
export const DATABASE_CONNECTIONS_FREE_MIN = 3;
/** Descriptors other than callers': code, files, the database, the log, the bus, sandboxes. */
export const PROCESS_DESCRIPTORS = 1_000;
/** {@link PROCESS_DESCRIPTORS} and those of a hundred callers. */
export const DESCRIPTORS_MIN = 1_100;
/** Deleted journals use disk in EventStoreDB until a scavenge; once a week is recommended. */
export const SCAVENGE_AGE_MAX_DAYS = 14;
/** Share of a stream's limit beyond which the check warns: a full stream rejects messages. */
export const NATS_FULLNESS_WARNING = 0.7;
/** Share of a stream's limit beyond which the check fails. */
export const NATS_FULLNESS_MAX = 0.9;

// Probes: the doctor's checks as metrics (docs/operating/alerts.md)
/** Longest time from the start to the first probes. */
export const PROBE_FIRST_MS = 20_000;
/** Timeout of one probe. */
export const PROBE_MAX_MS = 30_000;
/** Longest time from a failed probe to its next run. */
export const PROBE_RETRY_MS = 5 * 60_000;
export const CONNECTIONS_LOOK_MS = 60_000;
export const CLOCKS_LOOK_MS = 5 * 60_000;
export const NATS_LOOK_MS = 5 * 60_000;
export const EVENTSTORE_LOOK_MS = 5 * 60_000;
export const CERTIFICATES_LOOK_MS = 60 * 60_000;
/** Interval of the probe of secret keys, which reads one row per key. */
export const SECRET_KEYS_LOOK_MS = 60 * 60_000;
/** Interval of the probe for lost keys of persons. */
export const PERSON_KEYS_LOOK_MS = 60 * 60_000;

// Consumers of the log: projections, processes, timers
/**
 * Ticket numbers skipped after a restore, because lost tickets may have been published with them.
 */
export const RESTORE_NUMBERS_SKIPPED = 1_000;

// Files of attachments
/** Files compared by one `atrium doctor --files`. */
export const DOCTOR_FILES_COMPARED_MAX = 500_000;
/** Missing files that `atrium doctor --files` names. */
export const DOCTOR_FILES_NAMED_MAX = 20;

// `atrium support-bundle` (docs/operating/support-bundle.md)
/** Timeout of one section; the doctor's checks run concurrently within it. */
export const SUPPORT_SECTION_MAX_MS = 30_000;
/** A larger section is omitted. */
export const SUPPORT_SECTION_BYTES_MAX = 2 * 1024 * 1024;
/** Bytes read from the end of a log file. */
export const SUPPORT_LOG_BYTES_MAX = 1024 * 1024;
/** Upper bound of listed tables, parked streams and transactions, each. */
export const SUPPORT_ROWS_MAX = 200;

// Secrets (docs/operating/personal-data.md)
/** Rows per statement of `atrium secrets rewrap`. */
export const SECRETS_REWRAPPED_AT_ONCE = 1_000;
