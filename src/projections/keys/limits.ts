/** Rows per query of an audit export. */
export const AUDIT_EXPORT_AT_ONCE_ROWS = 1_000;
/** Events that one page of a key's history searches; `nextCursor` continues. */
export const HISTORY_SEARCH_EVENTS_MAX = 10_000;
