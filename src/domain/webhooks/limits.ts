// Webhooks (interface.md «Limits», contract.md section 7)
/** The old secret signs beside the new one for so long. */
export const WEBHOOK_SECRET_OVERLAP_HOURS = 24;
export const WEBHOOK_ATTEMPTS_MAX = 6;
/** Between the end of each attempt and the beginning of the next. */
export const WEBHOOK_BACKOFF_MINUTES = [1, 5, 15, 60, 180] as const;
/** Of each of these pauses, earlier or later. */
export const WEBHOOK_JITTER_PERCENT = 10;
/** Failed attempts in a row that pause a subscription. */
export const WEBHOOK_FAILURES_MAX = 10;
/** Without an attempt, after which one event is let through to a paused subscription. */
export const WEBHOOK_QUIET_MINUTES = 60;
/** Attempts of a subscription that are shown. */
export const WEBHOOK_ATTEMPTS_SHOWN_MAX = 50;
