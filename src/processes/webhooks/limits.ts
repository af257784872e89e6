/** Bounds of the delivery pipeline. contract.md section 7. */

// Dispatch
/** Deliveries of one subscription that one append queues. */
export const DELIVERIES_QUEUED_AT_ONCE = 256;
/** Messages dispatched per event-loop turn; a slice with more has a turn of its own. */
export const WEBHOOK_MESSAGES_DISPATCHED_PER_TURN = 32;
/** Subscriptions to which one event is dispatched concurrently. */
export const WEBHOOK_FAN_OUT_AT_ONCE = 64;
/** Earlier deliveries of an event are searched from so long before its time. */
export const WEBHOOK_DELIVERED_BEFORE_MS = 60_000;
/** Cached ids of messages delivered before, of all subscriptions. */
export const WEBHOOK_DELIVERED_BEFORE_IDS_MAX = 100_000;

// Direct deliveries
/** Direct deliveries of all organisations: half of `IN_FLIGHT_WEIGHT_MAX`. */
export const WEBHOOK_DIRECT_MAX = 2_048;
/** Pending direct deliveries that a subscription may have at least, while this process is busy. */
export const WEBHOOK_DIRECT_OF_SUBSCRIPTION_MIN = 128;
/** Share of the time from which on the event loop counts as busy. */
export const WEBHOOK_LOOP_BUSY_MIN = 0.8;
/** Events that wait for room, half of `PARTITIONS_SLOW_MAX`; others are queued. */
export const WEBHOOK_EVENTS_WAITING_MAX = 128;
/** A direct delivery that has been pending for so long is queued. */
export const WEBHOOK_DIRECT_AGE_MAX_MS = 30_000;
/** After a direct delivery was pending for too long, its subscription is throttled for so long. */
export const WEBHOOK_BEHIND_MS = 30_000;
/** A direct delivery whose first attempt takes longer is queued while it goes on. */
export const WEBHOOK_PERSIST_AFTER_MS = 2_000;
/** A delivery that is queued during its attempt is due after so long, should the process die. */
export const WEBHOOK_PERSISTED_DUE_MS = 15_000;
/** A receiver that fails or is slow is throttled for so long, or until it succeeds quickly. */
export const WEBHOOK_THROTTLED_MS = 5_000;

// Schedule
/** Concurrent attempts of a subscription, at first. */
export const WEBHOOK_WINDOW_FIRST = 4;
/** Concurrent attempts of a subscription, after successes. */
export const WEBHOOK_WINDOW_MAX = 16;
/** An attempt is slow after so long. */
export const WEBHOOK_SLOW_MS = 500;
/** Fast attempts at once. */
export const WEBHOOK_ATTEMPTS_AT_ONCE_MAX = 256;
/** Slow attempts at once; further ones still count as fast. */
export const WEBHOOK_SLOW_ATTEMPTS_MAX = 2_048;
/** Fast attempts of one organisation at once: half of `WEBHOOK_ATTEMPTS_AT_ONCE_MAX`. */
export const WEBHOOK_ORGANISATION_ATTEMPTS_AT_ONCE_MAX = 128;
/** Slow attempts of one organisation at once: half of `WEBHOOK_SLOW_ATTEMPTS_MAX`. */
export const WEBHOOK_ORGANISATION_SLOW_ATTEMPTS_MAX = 1_024;
/** Fast attempts at one origin. */
export const WEBHOOK_ORIGIN_ATTEMPTS_AT_ONCE_MAX = 32;
/** Slow attempts at one origin. */
export const WEBHOOK_ORIGIN_SLOW_ATTEMPTS_MAX = 224;
/** Fast attempts of one organisation at one origin: below what the origin has for all. */
export const WEBHOOK_SHARE_ATTEMPTS_AT_ONCE_MAX = 24;
/** Slow attempts of one organisation at one origin. */
export const WEBHOOK_SHARE_SLOW_ATTEMPTS_MAX = 168;
/** Attempts per second at one host, of all organisations and ports. */
export const WEBHOOK_HOST_ATTEMPTS_PER_SECOND = 500;
/** Attempts at a host that was idle before its rate applies. */
export const WEBHOOK_HOST_BURST_ATTEMPTS = 500;
/** Attempts started per event-loop turn, of all organisations: about 10 ms of it. */
export const WEBHOOK_ATTEMPTS_STARTED_PER_TURN = 64;
/** Attempts of one organisation started per event-loop turn. */
export const WEBHOOK_ORGANISATION_ATTEMPTS_STARTED_PER_TURN = 16;

// Attempt and record
/** Opened secrets in the cache. */
export const WEBHOOK_SECRETS_KEPT_MAX = 10_000;
/** Receiver queues in memory; beyond it, idle ones are forgotten. */
export const WEBHOOK_QUEUES_KEPT_MAX = 10_000;
/** Finished attempts whose outcome is not stored; beyond it, they keep their capacity. */
export const WEBHOOK_UNRECORDED_MAX = 1_024;
/** Direct successes within so long are recorded together. */
export const DELIVERED_GATHER_MS = 25;
/** Deliveries of one subscription in one event. */
export const DELIVERED_PER_EVENT_MAX = 128;

// Queued deliveries
/** Claimed rows of the backlog. */
export const WEBHOOK_CLAIMED_MAX = 4_096;
/** Claimed rows of one organisation. */
export const WEBHOOK_CLAIMED_OF_ORGANISATION_MAX = 1_024;
/** Claimed rows of one subscription, as a multiple of its concurrent attempts. */
export const WEBHOOK_CLAIMED_WINDOWS = 4;
/** A delivery that failed inside this server before its request is claimed again after so long. */
export const WEBHOOK_UNSENDABLE_PAUSE_MS = 60_000;
/** Shortest pause between two queries of the backlog. */
export const WEBHOOK_QUERY_PAUSE_MIN_MS = 2;
/** Longest pause between two queries of the backlog. */
export const WEBHOOK_QUERY_PAUSE_MAX_MS = 25;
/** Due deliveries are counted up to here for the metrics. */
export const WEBHOOK_DUE_COUNTED_MAX = 10_000;
/** An advance of the virtual clock waits so long for due deliveries. */
export const WEBHOOK_FIRE_MAX_MS = 120_000;
