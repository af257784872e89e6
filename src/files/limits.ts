// Files beside the log (contract.md section 5)
/** First bytes of a file, from which its type is detected. */
export const FILE_HEAD_BYTES = 16 * 1024;
/** Pieces in which a file is read. */
export const FILE_READ_BYTES = 64 * 1024;
/**
 * Stored files that no event has named by then are removed; longer than any upload takes to end.
 */
export const FILE_ORPHAN_GRACE_MS = 60 * 60_000;
/** Unfinished files of an interrupted upload are removed by then. */
export const FILE_UNFINISHED_MAX_MS = 60 * 60_000;
/** Interval between sweeps. */
export const FILE_SWEEP_MS = 10 * 60_000;
/** Claims that one sweep looks at. */
export const FILE_SWEPT_AT_ONCE = 500;
/** Steps of the removal of a picture's metadata before other work has a turn: 2 ms. */
export const METADATA_STEPS_AT_ONCE_MAX = 1_000;
/** Steps for one picture, 2 s of CPU time: a crafted one has a step or more per byte. */
export const METADATA_STEPS_MAX = 2_000_000;

// Previews of pictures
/** Longer side of a preview, in pixels; a smaller picture keeps its size. */
export const PREVIEW_SIDE_MAX = 512;
/** Pixels of a picture that is decoded: the largest that phones take have 108 million. */
export const PREVIEW_PIXELS_MAX = 120_000_000;
/** Timeout of the process that decodes a picture. */
export const PREVIEW_MAX_MS = 15_000;
/** Memory of that process, in which V8 reserves {@link PREVIEW_RESERVED_MIB} that it never uses. */
export const PREVIEW_MEMORY_MAX_MIB = 640;
/** Address space of V8 that counts as data, and is not touched. */
export const PREVIEW_RESERVED_MIB = 560;
/** A preview itself. */
export const PREVIEW_BYTES_MAX = 1024 * 1024;
/** Attempts at a picture that ends its process, after which it has no preview. */
export const PREVIEW_ATTEMPTS_MAX = 3;
/** Files of attachments that one query of a comparison reads. */
export const FILES_COMPARED_AT_ONCE = 1_000;

// Files in an S3 bucket
/** Connections of a process to the server. */
export const S3_CONNECTIONS_MAX = 256;
/** A server that neither reads nor sends for this long has failed. */
export const S3_SILENT_MAX_MS = 10_000;
/** Timeout of one operation, retries included, up to the first byte that is read. */
export const S3_OPERATION_MAX_MS = 20_000;
/** Timeout of an upload, retries included. */
export const S3_UPLOAD_MAX_MS = 60_000;
/** Attempts of one operation. */
export const S3_ATTEMPTS_MAX = 4;
/** No attempt begins later than this after the first one. */
export const S3_RETRY_UNTIL_MS = 15_000;
/** Pause before the second attempt; each further one is twice as long. */
export const S3_RETRY_FIRST_MS = 200;
/** Bytes read of an error response. */
export const S3_ERROR_BYTES_MAX = 16 * 1024;
/** Bytes read of a page of a listing: 1,000 keys. */
export const S3_LISTING_BYTES_MAX = 4 * 1024 * 1024;
/** Keys in a page of a listing. */
export const S3_LISTED_AT_ONCE = 1_000;
/** Objects of a removed sandbox that are deleted at once. */
export const S3_DELETED_AT_ONCE = 8;
/** Removals of stored files that hold a database connection at once. */
export const FILE_REMOVALS_AT_ONCE = 4;
/**
 * How long the database keeps the lock of a removal while the store does not answer: longer than
 * the removal takes, so that no claim comes between.
 */
export const FILE_REMOVAL_LOCKED_MAX_MS = S3_OPERATION_MAX_MS + 5_000;
/** How long a check of the store is cached for readiness. */
export const FILES_READY_KEPT_MS = 10_000;
/** Timeout of that check. */
export const FILES_READY_MAX_MS = 1_500;

// The scanner of files
/** Concurrent scans of a process. */
export const SCANS_AT_ONCE = 4;
/** Timeout of one attempt, from the connection to the answer. */
export const SCAN_MAX_MS = 60_000;
/** Attempts at a scan whose scanner is away; then the upload is refused. */
export const SCAN_ATTEMPTS_MAX = 3;
/** Pause between two attempts. */
export const SCAN_PAUSE_MS = 500;
/** Timeout of the check whether the scanner is there. */
export const SCAN_READY_MAX_MS = 2_000;
/** How long that answer is kept. */
export const SCAN_READY_KEPT_MS = 5_000;
/** Files of one store that are copied into another concurrently. */
export const FILES_COPIED_AT_ONCE = 4;
