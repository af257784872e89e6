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

// Webhooks (interface.md «Limits», contract.md section 7)
/** Deliveries of one subscription that one append queues. */
export const DELIVERIES_QUEUED_AT_ONCE = 256;
/** Messages dispatched per event-loop turn; a slice with more has a turn of its own. */
export const WEBHOOK_MESSAGES_HANDED_OVER_A_TURN = 32;
/** Subscriptions for which one fact is queued at once. */
export const WEBHOOK_FAN_OUT_AT_ONCE = 64;
/** Attempts of a subscription that are under way at once: at first, */
export const WEBHOOK_WINDOW_FIRST = 4;
/** and where all goes well. */
export const WEBHOOK_WINDOW_MAX = 16;
/** Of all subscriptions whose URLs have one origin, slow ones aside, */
export const WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX = 32;
/** and of slow ones, beyond which they count among the others. */
export const WEBHOOK_ORIGIN_SLOW_ATTEMPTS_MAX = 224;
/** Attempts under way that have not turned out to be slow, */
export const WEBHOOK_ATTEMPTS_AT_ONCE_MAX = 256;
/** and besides them so many slow ones: a receiver that hangs takes no place of another's. */
export const WEBHOOK_SLOW_ATTEMPTS_MAX = 2_048;
/** An attempt is slow that has taken so long. */
export const WEBHOOK_SLOW_MS = 500;
/** Attempts that are over and not recorded yet, beyond which their places are not given on. */
export const WEBHOOK_UNRECORDED_MAX = 1_024;
/** Secrets that are kept open in memory. */
export const WEBHOOK_SECRETS_KEPT_MAX = 10_000;
/** Deliveries that are held in memory, waiting for their turn. */
export const WEBHOOK_HELD_DELIVERIES_MAX = 4_096;
/** Of one subscription, as many times its attempts at once. */
export const WEBHOOK_HELD_WINDOWS = 4;
/** Deliveries of a subscription that are in no table yet; beyond it, more are queued at once. */
export const WEBHOOK_FRESH_OF_LANE_MAX = 1_024;
/** Queued, too, is what its turn has not come for in so long, */
export const WEBHOOK_FRESH_MAX_AGE_MS = 30_000;
/** or in so long where no more of any subscription can be taken, */
export const WEBHOOK_FRESH_CROWDED_MAX_AGE_MS = 15_000;
/** and then, for so long, all that its subscription hears of; */
export const WEBHOOK_BEHIND_MS = 30_000;
/** one whose first attempt has taken so long and goes on, */
export const WEBHOOK_SECURE_MS = 2_000;
/** and all that go to a receiver that was as slow or failed, for so long or until it is well. */
export const WEBHOOK_COLD_MS = 5_000;
/** One that is queued while its attempt goes on is due after so long, if nothing came of it. */
export const WEBHOOK_SECURED_MS = 15_000;
/** Deliveries that went well are recorded together that end within so long, */
export const DELIVERED_GATHER_MS = 25;
/** so many of a subscription at once. */
export const DELIVERED_OF_FACT_MAX = 128;
/** What was delivered by an owner before is asked for from so long before the fact on, */
export const WEBHOOK_DELIVERED_BEFORE_MS = 60_000;
/** and kept in memory: ids of all subscriptions. */
export const WEBHOOK_DELIVERED_BEFORE_IDS_MAX = 100_000;
/** What could not even be tried, for a reason on our side, is left alone for so long. */
export const WEBHOOK_REST_MS = 60_000;
/** Deliveries that are due are counted up to here at a look at the metrics. */
export const WEBHOOK_DUE_COUNTED_MAX = 10_000;
/** Between two looks at the backlog: as long as the first has taken, at least, */
export const WEBHOOK_LOOK_MS = 2;
/** and at most. */
export const WEBHOOK_LOOK_MAX_MS = 25;
/** An advance of the virtual clock waits so long for what is due to be delivered. */
export const WEBHOOK_FIRE_MAX_MS = 120_000;
