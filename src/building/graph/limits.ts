import { RESOLVE_KEYS_MAX } from '../../limits.ts';

// Tickets in bulk (contract.md section 5)
/** Places of tickets that one statement looks up. */
export const LOCATIONS_AT_ONCE_MAX = 256;

// Building graph (contract.md section 6)
/** Nodes that the keys of one question may be; a code is one per kind. */
export const RESOLVED_NODES_MAX = 4 * RESOLVE_KEYS_MAX;
/** A write to a building that is being imported into waits so long at most. */
export const BUILDING_BUSY_MAX_MS = 1_500;
/** Rows that one statement of an import carries. */
export const IMPORT_ROWS_AT_ONCE = 5_000;

// The outbox of graph and telemetry (design.md decision 10)
/** Announcements that one transaction moves to the log. */
export const ANNOUNCEMENTS_AT_ONCE_MAX = 100;
/** Upper bound of their events' stored bytes per transaction; a single larger event is moved. */
export const ANNOUNCEMENTS_STORED_BYTES_MAX = 256 * 1024;
/** Of their events that one append takes, or a single one. */
export const ANNOUNCEMENTS_APPENDED_BYTES_MAX = 512 * 1024;
/** An announcement that did not reach the log at once is tried again so often. */
export const ANNOUNCEMENT_SWEEP_MS = 5_000;
