// The bus and work orders (contract.md sections 5 and 9)
/** Messages that one page searches. */
export const BUS_PAGE_EVENTS_MAX = 10_000;
/** Messages per read of the log. */
export const BUS_READ_AT_ONCE_EVENTS = 100;
/** Bytes after which a page of the bus ends; the next page continues. */
export const BUS_PAGE_BYTES_MAX = 1024 * 1024;

// NATS as the bus (contract.md section 9)
/** Timeout of dialling one server, up to its greeting. */
export const NATS_CONNECT_MAX_MS = 5_000;
/**
 * How long a refused message keeps readiness failing: longer than the pause before a process
 * publishes again, so that readiness does not flap.
 */
export const NATS_REFUSAL_REPORTED_MS = 20_000;
/** First pause between attempts to reconnect. */
export const NATS_REDIAL_FIRST_MS = 100;
/** Longest pause between attempts to reconnect. */
export const NATS_REDIAL_MAX_MS = 2_000;
/** Interval of the check of the streams' configuration. */
export const NATS_STREAMS_CHECK_MS = 10_000;
/** Ping interval; a server that misses two pings is lost. */
export const NATS_PING_MS = 10_000;
/** How long closing the connection waits for calls in flight. */
export const NATS_CLOSE_MAX_MS = 2_000;
/** Retention of the streams that Atrium creates; the same as that of the log's journals. */
export const NATS_RETENTION_MS = 7 * 24 * 60 * 60 * 1000;
/** Window in which NATS deduplicates publications by their id. */
export const NATS_DUPLICATE_WINDOW_MS = 60 * 60 * 1000;
/** Delivered messages that the intake has not acknowledged. */
export const NATS_UNACKNOWLEDGED_MAX = 256;
/** Unacknowledged messages are redelivered after this long. */
export const NATS_ACKNOWLEDGED_WITHIN_MS = 30_000;
/** Interval of pull requests; the server sends two heartbeats in it. */
export const NATS_PULL_MS = 5_000;
/** Characters of an unreadable message in the list of parked ones. */
export const NATS_UNREADABLE_CHARACTERS_MAX = 1_000;
