// The bus and work orders (contract.md sections 5 and 9)
/** Messages that one page looks through. */
export const BUS_PAGE_EVENTS_MAX = 10_000;
/** Of them, read at once. */
export const BUS_READ_AT_ONCE_EVENTS = 100;
/** A page of the bus ends after so much text, and goes on with the next one. */
export const BUS_PAGE_BYTES_MAX = 1024 * 1024;

// NATS as the bus (contract.md section 9)
/** Dialling one server, up to its greeting. */
export const NATS_CONNECT_MAX_MS = 5_000;
/**
 * A refused message is a reason of readiness for so long: longer than a process waits before it
 * publishes again, so that readiness does not come and go in between.
 */
export const NATS_REFUSAL_REPORTED_MS = 20_000;
/** The first pause between two attempts to come back to a server that was lost, */
export const NATS_REDIAL_FIRST_MS = 100;
/** and the longest. */
export const NATS_REDIAL_MAX_MS = 2_000;
/** So often it is looked whether the streams are still as they have to be. */
export const NATS_STREAMS_CHECK_MS = 10_000;
/** A server is asked so often whether it is there; one that was silent twice is lost. */
export const NATS_PING_MS = 10_000;
/** What is under way when the connection is closed gets so long. */
export const NATS_CLOSE_MAX_MS = 2_000;
/** A stream that Atrium makes keeps its messages as long as the log keeps its journals. */
export const NATS_RETENTION_MS = 7 * 24 * 60 * 60 * 1000;
/** And knows a repeat of what was published by its id for so long. */
export const NATS_DUPLICATE_WINDOW_MS = 60 * 60 * 1000;
/** Messages that were handed to the intake and not acknowledged yet. */
export const NATS_UNACKNOWLEDGED_MAX = 256;
/** What is not acknowledged by then is handed over again. */
export const NATS_ACKNOWLEDGED_WITHIN_MS = 30_000;
/** The intake asks for messages anew so often; twice in that time the server says it is there. */
export const NATS_PULL_MS = 5_000;
/** Of a message that cannot be read, the list of those parked shows the beginning. */
export const NATS_UNREADABLE_CHARACTERS_MAX = 1_000;
