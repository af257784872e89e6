// Tickets (interface.md «Limits», contract.md section 5)
/** Values that one filter of a list names, and all of them as they are written. */
export const FILTER_VALUES_MAX = 50;
export const FILTER_CHARACTERS_MAX = 2_000;

// Requests (contract.md section 1)
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255;
/** What `Retry-After` says on 429 and 503, where the refusal knows no better. */
export const RETRY_AFTER_S = 2;
/** Levels of a JSON body. */
export const BODY_DEPTH_MAX = 64;
export const REQUEST_ID_CHARACTERS_MAX = 128;
/** A request that has not arrived whole by then is ended. */
export const REQUEST_RECEIVE_TIMEOUT_MS = 60_000;
/** An idle connection is kept for so long: longer than load balancers use one of theirs, 60 s. */
export const CONNECTION_IDLE_MAX_MS = 72_000;
/** A file that is written as it is read goes out in pieces of about so much. */
export const EXPORT_PIECE_CHARACTERS = 64 * 1024;
/** One that has not been read to its end so long after the server began to stop is ended. */
export const EXPORT_STOP_MS = 5_000;
/** Smaller answers are sent as they are: compressing them costs more than it saves. */
export const COMPRESSED_BYTES_MIN = 1_024;
/** Answers that are compressed at once: as many as Node has threads for it. */
export const COMPRESSIONS_AT_ONCE_MAX = 4;
/** Requests are turned away while the event loop is held up longer than this. */
export const EVENT_LOOP_DELAY_MAX_MS = 2_000;
/** Of failures of one kind that requests meet, one is logged in so long. */
export const FAILURE_LINE_EVERY_MS = 1_000;
/** Of a stopping server: who has sent no whole request may still do so for so long, */
export const CONNECTION_STOP_WAIT_MS = 1_000;
/** and who has not taken his answer by then is cut off. */
export const CONNECTIONS_STOP_MS = 17_000;
