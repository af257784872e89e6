// Tickets (interface.md «Limits», contract.md section 5)
/** Events per read of a ticket's stream for its timeline. */
export const TIMELINE_READ_AT_ONCE_EVENTS = 100;
/** Folded tickets at page ends, cached for readers of the next page. */
export const TIMELINE_PLACES_KEPT_MAX = 500;
/** Estimated bytes of these cached tickets. */
export const TIMELINE_PLACES_KEPT_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes after which a page of a timeline ends; the next page continues. */
export const TIMELINE_PAGE_BYTES_MAX = 1024 * 1024;
/** Tickets up to which a search is counted. */
export const SEARCH_TOTAL_MAX = 10_000;
/** Timeout of a statement that reads tickets; a search starts no statement after it. */
export const TICKET_READ_MAX_MS = 900;
/** Ids of places that one search lists, shared equally by its words. */
export const PLACES_LISTED_MAX = 10_000;
/** Timeout of the statement that lists places; after it each ticket's place is tested. */
export const PLACES_READ_MAX_MS = 200;

/** Tickets up to which a list by answers is counted, and sorted without an index. */
export const ANSWERED_TOTAL_MAX = 5_000;
/** Fields of one ticket whose answers can be filtered by; a form has at most 40. */
export const ANSWERED_FIELDS_MAX = 100;

// Tickets in bulk (contract.md section 5)
/** Ticket exports that query the database concurrently. */
export const TICKET_EXPORT_READS_AT_ONCE_MAX = 2;
/** Rows scanned per export query. */
export const TICKET_EXPORT_SEARCHED_ROWS = 1_000;
/** Consecutive timeouts of an export's query for a single ticket, after which it ends. */
export const TICKET_EXPORT_TIMEOUTS_MAX = 5;
/** Tickets read per export query: at most 13 MiB. */
export const TICKET_EXPORT_READ_ROWS = 100;

// The change feed (contract.md section 5)
/** Bytes after which a page of the change feed ends; the next page continues. */
export const CHANGES_PAGE_BYTES_MAX = 1024 * 1024;
/** Ticket streams that one page reads concurrently. */
export const CHANGES_STREAMS_AT_ONCE_MAX = 16;
/** Folded tickets cached for readers of the change feed. */
export const CHANGES_TICKETS_CACHED_MAX = 1_000;
/** Estimated bytes of these cached tickets. */
export const CHANGES_TICKETS_CACHED_BYTES_MAX = 64 * 1024 * 1024;
/** Latest changes cached per ticket, because concurrent readers get the same ones. */
export const CHANGES_OF_TICKET_KEPT_MAX = 8;
/** Cached organisations of tickets; a ticket's organisation never changes. */
export const TICKET_OWNERS_CACHED_MAX = 50_000;
/** Streams for which the expiry of their personal data is cached. */
export const TICKET_EXPIRIES_CACHED_MAX = 2_000;
/** Assigned users that one query of the tickets always returns, and as many teams. */
export const ASSIGNEES_FOUND_MAX = 500;
/** Assigned users whose ids one query compares with a search, and as many teams. */
export const ASSIGNEES_SEARCHED_MAX = 2_000;
