// API keys and audit (interface.md «Limits», contract.md section 3)
/** An export asks for so many records at once, whenever its reader has taken those before. */
export const AUDIT_EXPORT_AT_ONCE_ROWS = 1_000;
/** One answer of a key's history searches so many events at most; `nextCursor` goes on. */
export const HISTORY_SEARCH_EVENTS_MAX = 10_000;
