/** Bytes of one client message, which only names a building. */
export const LIVE_MESSAGE_BYTES_MAX = 16 * 1024;
/** A client that has not connected to a namespace after so long is disconnected. */
export const LIVE_CONNECT_MAX_MS = 10_000;
export const LIVE_CONNECTIONS_OF_CALLER_MAX = 1_000;
export const LIVE_CONNECTIONS_OF_ORGANISATION_MAX = 5_000;
/** Connections with a session. */
export const LIVE_CONNECTIONS_MAX = 20_000;
/** Connections without a session of one address, or one /64 of IPv6, which an office may share. */
export const LIVE_UNADMITTED_OF_SOURCE_MAX = 200;
/**
 * Connections without a session: those of {@link LIVE_CONNECTIONS_MAX} clients that reconnect
 * within a second, if each is admitted within 250 ms.
 */
export const LIVE_UNADMITTED_MAX = 5_000;
/** Buildings that one connection joins. */
export const LIVE_ROOMS_OF_CONNECTION_MAX = 50;
/** Requests per second of one connection. */
export const LIVE_REQUESTS_A_SECOND_MAX = 20;
/** Packets of any kind per second of one connection, which is closed beyond that. */
export const LIVE_PACKETS_A_SECOND_MAX = 500;
/** Handshakes in the life of one connection; a refused client opens another. */
export const LIVE_HANDSHAKES_OF_CONNECTION_MAX = 10;
/** Queued requests of one connection. */
export const LIVE_REQUESTS_WAITING_MAX = 20;
/** Concurrent replays of one user or key. */
export const LIVE_REPLAYS_OF_CALLER_MAX = 2;
/** Concurrent replays of one organisation. */
export const LIVE_REPLAYS_OF_ORGANISATION_MAX = 8;
/** Concurrent replays of the process. */
export const LIVE_REPLAYS_MAX = 16;
/** Longest wait of a replay for a permit. */
export const LIVE_REPLAY_WAIT_MS = 5_000;
/** Telemetry and bus events of any building that one replay scans. */
export const LIVE_REPLAY_EVENTS_MAX = 10_000;
/** Pages of the log that one replay reads, which may be empty; each searches 50,000 positions. */
export const LIVE_REPLAY_PAGES_MAX = 200;
/** Messages that one replay sends. */
export const LIVE_REPLAY_MESSAGES_MAX = 10_000;
/** Bytes that one replay sends; more would look like a slow client. */
export const LIVE_REPLAY_BYTES_MAX = 2 * 1024 * 1024;
/** Passes of a replay while the log grows faster than it is replayed. */
export const LIVE_REPLAY_PASSES_MAX = 20;
/** Bytes in flight to a client, beyond which messages are buffered. */
export const LIVE_SENT_BYTES_MAX = 256 * 1024;
/** Bytes of one client in flight to the process that hosts its sandbox: beyond, it is closed. */
export const LIVE_RELAYED_BYTES_MAX = 256 * 1024;
/** Bytes buffered for one client, the latest value of each point only. */
export const LIVE_KEPT_BYTES_MAX = 4 * 1024 * 1024;
/** Bytes that an acknowledgement counts in both bounds: its memory, not its text. */
export const LIVE_ACKNOWLEDGEMENT_BYTES = 256;
/** Messages written as one chunk. */
export const LIVE_MESSAGES_AT_ONCE_MAX = 100;
/** How long messages are dispatched before the event loop yields. */
export const LIVE_TURN_MS = 10;
/**
 * Interval at which a key's session is checked again, far within the five minutes of a revocation.
 */
export const LIVE_KEY_CHECK_MS = 120_000;
/** Interval at which a browser session is checked again: a sign-out also ends its connections. */
export const LIVE_SESSION_CHECK_MS = 15_000;
/** Clients that do not close after their session has ended are cut off after this long. */
export const LIVE_CLOSE_WAIT_MS = 1_000;
