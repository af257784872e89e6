// Webhooks (interface.md «Limits», contract.md section 7)
export const WEBHOOK_PAGE_DEFAULT = 100;
export const WEBHOOK_PAGE_MAX = 1_000;
export const WEBHOOK_DESCRIPTION_CHARACTERS_MAX = 500;
/** Names that a request lists; four exist. */
export const WEBHOOK_EVENTS_NAMED_MAX = 50;
export const WEBHOOK_EVENT_CHARACTERS_MAX = 200;
/** Bytes that a secret is drawn from. */
export const WEBHOOK_SECRET_BYTES = 32;
/** What every reading but the first shows of a secret. */
export const WEBHOOK_SECRET_SHOWN_CHARACTERS = 8;
