export const KEY_LIFETIME_DAYS_MIN = 1;
export const KEY_LIFETIME_DAYS_MAX = 365;
/** Calendar months: the same day and time of day, or the month's last day. */
export const AUDIT_RETENTION_MONTHS = 18;
/** Concurrent long polls of the audit by one caller. */
export const AUDIT_WAITING_OF_CALLER_MAX = 4;
/** Concurrent long polls of the audit by one organisation. */
export const AUDIT_WAITING_OF_ORGANISATION_MAX = 20;
/** Concurrent long polls of the audit in the process. */
export const AUDIT_WAITING_MAX = 500;
/** Keys that have ended in the list of an organisation's keys; the audit shows all. */
export const KEYS_ENDED_LISTED_MAX = 1_000;
