/** Bounds that keep the deliveries of one organisation from delaying those of others. */

/** Fast attempts of one organisation at once: half of `WEBHOOK_ATTEMPTS_AT_ONCE_MAX`. */
export const WEBHOOK_ORGANISATION_ATTEMPTS_AT_ONCE_MAX = 128;
/** Attempts started per event-loop turn, of all organisations: about 10 ms of it. */
export const WEBHOOK_ATTEMPTS_BEGUN_A_TURN = 64;
/** Attempts of one organisation started per event-loop turn. */
export const WEBHOOK_ORGANISATION_ATTEMPTS_BEGUN_A_TURN = 16;
/** Slow attempts of one organisation at once: half of `WEBHOOK_SLOW_ATTEMPTS_MAX`. */
export const WEBHOOK_ORGANISATION_SLOW_ATTEMPTS_MAX = 1_024;
/** Fast attempts of one organisation at one origin: below what the origin has for all. */
export const WEBHOOK_SHARE_ATTEMPTS_AT_ONCE_MAX = 24;
/** Slow attempts of one organisation at one origin. */
export const WEBHOOK_SHARE_SLOW_ATTEMPTS_MAX = 168;
/** Attempts per second at one host, of all organisations and ports. */
export const WEBHOOK_HOST_ATTEMPTS_PER_SECOND = 500;
/** Attempts at a host that was idle before its rate applies. */
export const WEBHOOK_HOST_BURST_ATTEMPTS = 500;
/** Deliveries of one organisation in memory that are in no table yet. */
export const WEBHOOK_FRESH_OF_ORGANISATION_MAX = 1_024;
/** Deliveries of one organisation that the backlog's owner holds in memory. */
export const WEBHOOK_HELD_OF_ORGANISATION_MAX = 1_024;
/**
 * Facts of one organisation that wait for such room, half of `LANES_SLOW_MAX`; deliveries of
 * further ones are queued.
 */
export const WEBHOOK_FACTS_WAITING_OF_ORGANISATION_MAX = 128;
