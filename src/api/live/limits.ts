// The live service (contract.md section 8)
/** Of one message of a client: it says which building it joins, and no more. */
export const LIVE_MESSAGE_BYTES_MAX = 16 * 1024;
/** Who has named no namespace by then is disconnected. */
export const LIVE_CONNECT_MAX_MS = 10_000;
export const LIVE_CONNECTIONS_OF_CALLER_MAX = 1_000;
export const LIVE_CONNECTIONS_OF_ORGANISATION_MAX = 5_000;
export const LIVE_CONNECTIONS_MAX = 20_000;
/** Buildings that one connection listens to. */
export const LIVE_ROOMS_OF_CONNECTION_MAX = 50;
/** Of one connection. */
export const LIVE_REQUESTS_A_SECOND_MAX = 20;
/** Packets of any kind, of one connection: who sends more is disconnected. */
export const LIVE_PACKETS_A_SECOND_MAX = 500;
/** Of one connection in its life: a client that was refused opens another. */
export const LIVE_HANDSHAKES_OF_CONNECTION_MAX = 10;
/** Requests of one connection that wait for those before them. */
export const LIVE_REQUESTS_WAITING_MAX = 20;
/** Replays at once, of one organisation, */
export const LIVE_REPLAYS_OF_ORGANISATION_MAX = 8;
/** and of all. */
export const LIVE_REPLAYS_MAX = 16;
/** Who finds no place for a replay waits so long for one. */
export const LIVE_REPLAY_WAIT_MS = 5_000;
/** A replay looks at so many events of telemetry and bus, of whichever building, */
export const LIVE_REPLAY_EVENTS_MAX = 10_000;
/** and sends so many messages, */
export const LIVE_REPLAY_MESSAGES_MAX = 10_000;
/** which are so long in all. Longer ones would be taken for a slow client's. */
export const LIVE_REPLAY_BYTES_MAX = 2 * 1024 * 1024;
/** A replay that the log outruns looks again so often. */
export const LIVE_REPLAY_PASSES_MAX = 20;
/** A connection with so much on its way to the client is sent no more until some has arrived; */
export const LIVE_SENT_BYTES_MAX = 256 * 1024;
/** what is kept for it meanwhile, the latest of each point, is this much at most. */
export const LIVE_KEPT_BYTES_MAX = 4 * 1024 * 1024;
/** An acknowledgement counts for so much of both: what keeping it takes, rather than its text. */
export const LIVE_ACKNOWLEDGEMENT_BYTES = 256;
/** Messages that are sent as one piece. */
export const LIVE_MESSAGES_AT_ONCE_MAX = 100;
/** What the log tells is handed on for so long before others get their turn. */
export const LIVE_TURN_MS = 10;
/** A key's session is checked again so often: far within the five minutes of a revocation. */
export const LIVE_KEY_CHECK_MS = 120_000;
/** Clients that do not close when their session has ended are cut off after so long. */
export const LIVE_CLOSE_WAIT_MS = 1_000;
