// Webhooks (interface.md «Limits», contract.md section 7)
/** How long dispatch waits for the list of subscriptions to reach an event. */
export const WEBHOOK_SHOWN_WAIT_MS = 5_000;
/** Organisations whose subscriptions are cached between changes. */
export const WEBHOOK_SUBSCRIBERS_CACHED_MAX = 1_000;
