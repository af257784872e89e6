/** Contract.md section 4. */

/** Snapshots of one developer's sandboxes, in any state. */
export const SNAPSHOTS_OF_DEVELOPER_MAX = 3;
/** Days that a snapshot is kept. */
export const SNAPSHOT_KEPT_DAYS = 30;
/** A snapshot that is not made this long after its request fails. */
export const SNAPSHOT_MAKING_MAX_MS = 900_000;
