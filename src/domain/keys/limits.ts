// API keys and audit (interface.md «Limits», contract.md section 3)
export const KEY_LIFETIME_DAYS_MIN = 1;
export const KEY_LIFETIME_DAYS_MAX = 365;
/** Readers of the audit who are held, of one caller, */
export const AUDIT_WAITING_OF_CALLER_MAX = 4;
/** of one organisation, */
export const AUDIT_WAITING_OF_ORGANISATION_MAX = 20;
/** and of all. */
export const AUDIT_WAITING_MAX = 500;
