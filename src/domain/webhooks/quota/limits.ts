/** Bounds on webhook subscriptions. contract.md section 7. */

/** Subscriptions of one organisation. */
export const WEBHOOKS_OF_ORGANISATION_MAX = 50;
/** Subscriptions of one organisation whose URLs have one host, whatever the port. */
export const WEBHOOKS_OF_HOST_MAX = 10;
/** A slot without a registration is free after this time: its request has ended by then. */
export const WEBHOOK_SLOT_PENDING_MAX_MS = 5 * 60_000;
