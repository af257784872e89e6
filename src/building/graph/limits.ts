import { RESOLVE_KEYS_MAX } from '../../limits.ts';

// Tickets in bulk (contract.md section 5)
/** Ticket locations resolved per statement. */
export const LOCATIONS_AT_ONCE_MAX = 256;

// Building graph (contract.md section 6)
/** Upper bound of nodes per resolve request: a code can match one node of each kind. */
export const RESOLVED_NODES_MAX = 4 * RESOLVE_KEYS_MAX;
/** How long a write waits for an import into the same building. */
export const BUILDING_BUSY_MAX_MS = 1_500;
/** Rows per statement of an import. */
export const IMPORT_ROWS_AT_ONCE = 5_000;
/** Places per statement that are given their searchable text afterwards. */
export const PLACE_WORDS_AT_ONCE = 1_000;
/** How often places without searchable text are looked for. */
export const PLACE_WORDS_SWEEP_MS = 60_000;

// The outbox of graph and telemetry (design.md decision 10)
/** Announcements that one transaction moves to the log. */
export const ANNOUNCEMENTS_AT_ONCE_MAX = 100;
/** Upper bound of their events' stored bytes per transaction; a single larger event is moved. */
export const ANNOUNCEMENTS_STORED_BYTES_MAX = 256 * 1024;
/** Upper bound of one append of announcements; a single larger event is appended alone. */
export const ANNOUNCEMENTS_APPENDED_BYTES_MAX = 512 * 1024;
/** Events at the end of a journal that are searched at once for what a crashed relay stored. */
export const ANNOUNCEMENTS_SEARCHED_AT_ONCE = 10;
/** Journals whose end a relay remembers; the end of any other is read before the append. */
export const ANNOUNCEMENT_JOURNALS_KNOWN_MAX = 10_000;
/** Attempts of a round while the append of a relay that was killed comes to light. */
export const ANNOUNCEMENT_ATTEMPTS_MAX = 3;
/** Retry interval of announcements that did not reach the log. */
export const ANNOUNCEMENT_SWEEP_MS = 5_000;
