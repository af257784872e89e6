// Webhooks (interface.md «Limits», contract.md section 7)
/** The list of subscriptions must show all that were registered before a fact. */
export const WEBHOOK_SHOWN_WAIT_MS = 5_000;
/** Organisations whose subscriptions are kept in memory between changes. */
export const WEBHOOK_SUBSCRIBERS_CACHED_MAX = 1_000;
