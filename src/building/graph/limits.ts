import { RESOLVE_KEYS_MAX } from '../../limits.ts';

// Tickets in bulk (contract.md section 5)
/** Ticket locations resolved per statement. */
export const LOCATIONS_AT_ONCE_MAX = 256;

// Building graph (contract.md section 6)
/** Upper bound of nodes per resolve request: a code can match one node of each kind. */
export const RESOLVED_NODES_MAX = 4 * RESOLVE_KEYS_MAX;
/** A write waits this long for an import into the same building. */
export const BUILDING_BUSY_MAX_MS = 1_500;
/** Rows per statement of an import. */
export const IMPORT_ROWS_AT_ONCE = 5_000;
/** Batch size of adding missing searchable text to places. */
export const PLACE_WORDS_AT_ONCE = 1_000;
/** Interval of the sweep for places without searchable text. */
export const PLACE_WORDS_SWEEP_MS = 60_000;

// The outbox of graph and telemetry (design.md decision 10)
/** Announcements per transaction that moves them to the log. */
export const ANNOUNCEMENTS_AT_ONCE_MAX = 100;
/** Stored bytes of events per transaction of the relay; a single larger event is moved. */
export const ANNOUNCEMENTS_STORED_BYTES_MAX = 256 * 1024;
/** Upper bound of one append of announcements; a single larger event is appended alone. */
export const ANNOUNCEMENTS_APPENDED_BYTES_MAX = 512 * 1024;
/** Events at a journal's end searched at once for those that a crashed relay has stored. */
export const ANNOUNCEMENTS_SEARCHED_AT_ONCE = 10;
/** Journals whose end a relay remembers; the end of any other is read before the append. */
export const ANNOUNCEMENT_JOURNALS_KNOWN_MAX = 10_000;
/** Attempts of a relay while an append of a killed relay may still become visible. */
export const ANNOUNCEMENT_ATTEMPTS_MAX = 3;
/** Retry interval of announcements that have not reached the log. */
export const ANNOUNCEMENT_SWEEP_MS = 5_000;
/** Outlines per statement; one has at most 200 positions. */
export const SHAPES_AT_ONCE_MAX = 500;
/** Precision of the best position of a label. */
export const LABEL_PRECISION_METRES = 0.1;
/** Squares along a room that are tested for its label. */
export const LABEL_SQUARES_MAX = 1_000;
