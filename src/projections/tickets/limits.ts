// Tickets (interface.md «Limits», contract.md section 5)
/** Events of a ticket's stream that are read at once for it. */
export const TIMELINE_READ_AT_ONCE_EVENTS = 100;
/** Tickets as they were at the end of a page, for those who read on. */
export const TIMELINE_PLACES_KEPT_MAX = 500;
/** And about so much memory of them. */
export const TIMELINE_PLACES_KEPT_BYTES_MAX = 16 * 1024 * 1024;
/** A page of a timeline ends after so much text, and goes on with the next one. */
export const TIMELINE_PAGE_BYTES_MAX = 1024 * 1024;
export const SEARCH_TOTAL_MAX = 10_000;
/** A statement that reads tickets ends after so long, and a search begins no further one. */
export const TICKET_READ_MAX_MS = 900;

// Tickets in bulk (contract.md section 5)
/** So many of them ask the database at the same time. */
export const TICKET_EXPORT_READS_AT_ONCE_MAX = 2;
/** An export looks for tickets among so many at once, */
export const TICKET_EXPORT_SEARCHED_ROWS = 1_000;
/** and reads so many at once: the longest there may be take 13 MiB. */
export const TICKET_EXPORT_READ_ROWS = 100;

// The change feed (contract.md section 5)
/** A page of the feed ends after so much text, and goes on with the next one. */
export const CHANGES_PAGE_BYTES_MAX = 1024 * 1024;
/** Tickets of one page whose streams are read at once. */
export const CHANGES_STREAMS_AT_ONCE_MAX = 16;
/** Tickets kept folded for those who follow their changes; the streams are the truth. */
export const CHANGES_TICKETS_CACHED_MAX = 1_000;
/** And about so much memory of them. */
export const CHANGES_TICKETS_CACHED_BYTES_MAX = 64 * 1024 * 1024;
/** Of each, so many of its latest changes: readers that wait together are shown the same ones. */
export const CHANGES_OF_TICKET_KEPT_MAX = 8;
/** Whose a ticket is never changes. */
export const TICKET_OWNERS_CACHED_MAX = 50_000;
