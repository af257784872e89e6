// Webhooks (interface.md «Limits», contract.md section 7)
/** How long a replaced secret still signs. */
export const WEBHOOK_SECRET_OVERLAP_HOURS = 24;
export const WEBHOOK_ATTEMPTS_MAX = 6;
/** Pauses between the end of each attempt and the start of the next. */
export const WEBHOOK_BACKOFF_MINUTES = [1, 5, 15, 60, 180] as const;
/** Jitter of these pauses, in both directions. */
export const WEBHOOK_JITTER_PERCENT = 10;
/** Failed attempts in a row that pause a subscription. */
export const WEBHOOK_FAILURES_MAX = 10;
/** A paused subscription without an attempt for so long is sent one event as a probe. */
export const WEBHOOK_QUIET_MINUTES = 60;
/** Term of the journals of deliveries: older ones can be neither recovered nor repeated. */
export const DELIVERY_RETENTION_DAYS = 30;
/** Attempts of a subscription that the API lists. */
export const WEBHOOK_ATTEMPTS_SHOWN_MAX = 50;
