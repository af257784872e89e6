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

// Previews of pictures
/** Longer side of a preview, in pixels; a smaller picture keeps its size. */
export const PREVIEW_SIDE_MAX = 512;
/** Pixels of a picture that is decoded: the largest that phones take have 108 million. */
export const PREVIEW_PIXELS_MAX = 120_000_000;
/** From the start to the end of the process that decodes a picture. */
export const PREVIEW_MAX_MS = 15_000;
/** Memory of that process, in which V8 reserves {@link PREVIEW_RESERVED_MIB} that it never uses. */
export const PREVIEW_MEMORY_MAX_MIB = 640;
/** Address space of V8 that counts as data, and is not touched. */
export const PREVIEW_RESERVED_MIB = 560;
/** A preview itself. */
export const PREVIEW_BYTES_MAX = 1024 * 1024;
/** Attempts at a picture that ends its process, after which it has no preview. */
export const PREVIEW_ATTEMPTS_MAX = 3;
