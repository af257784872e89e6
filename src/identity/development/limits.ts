export const DEVELOPMENT_TOKEN_LIFETIME_S = 3_600;
export const SESSION_UNUSED_MAX_S = 30 * 24 * 3_600;
export const DEVICE_CODE_LIFETIME_S = 600;
export const DEVELOPMENT_FORM_BYTES_MAX = 4_096;
/** Codes, tokens and sessions kept in memory; the oldest are evicted. */
export const DEVELOPMENT_ENTRIES_MAX = 20_000;
