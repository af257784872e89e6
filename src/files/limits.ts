// Files beside the log (contract.md section 5)
/** First bytes of a file, from which its type is detected. */
export const FILE_HEAD_BYTES = 16 * 1024;
/** Pieces in which a file is read. */
export const FILE_READ_BYTES = 64 * 1024;
/** A stored file that no event names by then is removed; longer than any upload's end takes. */
export const FILE_ORPHAN_GRACE_MS = 60 * 60_000;
/** An unfinished file of an upload that was cut off is removed by then. */
export const FILE_UNFINISHED_MAX_MS = 60 * 60_000;
/** Time until the next sweep. */
export const FILE_SWEEP_MS = 10 * 60_000;
/** Claims that one sweep looks at. */
export const FILE_SWEPT_AT_ONCE = 500;
