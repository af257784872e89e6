// Webhooks (interface.md «Limits», contract.md section 7)
export const WEBHOOK_PAGE_DEFAULT = 100;
export const WEBHOOK_PAGE_MAX = 1_000;
export const WEBHOOK_DESCRIPTION_CHARACTERS_MAX = 500;
/** Event names in one request; four exist. */
export const WEBHOOK_EVENTS_NAMED_MAX = 50;
export const WEBHOOK_EVENT_CHARACTERS_MAX = 200;
/** Random bytes of a secret. */
export const WEBHOOK_SECRET_BYTES = 32;
/** The unmasked start of a secret. */
export const WEBHOOK_SECRET_SHOWN_CHARACTERS = 8;
