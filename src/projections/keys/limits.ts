/** Shortest time between two queries of a long poll of the audit. */
export const AUDIT_POLL_MIN_MS = 250;
/** Rows per query of an audit export. */
export const AUDIT_EXPORT_AT_ONCE_ROWS = 1_000;
/** Events that one page of a key's history searches; `nextCursor` continues. */
export const HISTORY_SEARCH_EVENTS_MAX = 10_000;
