// Tickets (interface.md «Limits», contract.md section 5)
/** Values of one list filter. */
export const FILTER_VALUES_MAX = 50;
/** Characters of one list filter as written. */
export const FILTER_CHARACTERS_MAX = 2_000;

// Requests (contract.md section 1)
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255;
/** Default `Retry-After` of 429 and 503. */
export const RETRY_AFTER_S = 2;
/** Levels of a JSON body. */
export const BODY_DEPTH_MAX = 64;
/** Chunks in which a JSON body may arrive: each costs more than its bytes do. */
export const BODY_CHUNKS_MAX = 20_000;
/** Larger bodies need a permit on routes whose bodies may have more values than usual. */
export const LARGE_BODY_BYTES = 64 * 1024;
/** Concurrent requests with a large body: parsing, validating and answering one is long work. */
export const LARGE_BODIES = { ofCaller: 2, ofOrganisation: 4, inAll: 8, waitMs: 10_000 } as const;
/** Bytes of incomplete JSON bodies beyond the first 64 KiB of each. */
export const BODIES_RECEIVED_BYTES = {
  ofCaller: 32 * 1024 * 1024,
  ofOrganisation: 128 * 1024 * 1024,
  inAll: 256 * 1024 * 1024,
} as const;
/** Bytes of answers that clients have not read. */
export const ANSWERS_UNREAD_BYTES = {
  ofCaller: 64 * 1024 * 1024,
  ofOrganisation: 128 * 1024 * 1024,
  inAll: 256 * 1024 * 1024,
} as const;
/** Smaller answers are not counted: the buffers of a connection take them. */
export const ANSWER_COUNTED_BYTES = 64 * 1024;
/** Bytes of a text part of a form without a free text. */
export const FORM_FIELD_BYTES_MAX = 1_000;
/** Bytes of a text part of a form with a free text: {@link TEXT_CHARACTERS_MAX} in UTF-8. */
export const FORM_TEXT_BYTES_MAX = 80_000;
/** Headers of a part of a form. */
export const FORM_HEADERS_MAX = 10;
/** Bytes of the values of these headers. */
export const FORM_HEADER_BYTES_MAX = 8 * 1024;
export const REQUEST_ID_CHARACTERS_MAX = 128;
/** A request that has not been received completely after so long is ended. */
export const REQUEST_RECEIVE_TIMEOUT_MS = 60_000;
/** Requests waiting for earlier ones of their connection, beyond which it is not read. */
export const PIPELINED_WAITING_MAX = 16;
/** Requests waiting for earlier ones of their connection, beyond which it is cut. */
export const PIPELINED_MAX = 1_000;
/** Keep-alive timeout; longer than the 60 s of load balancers. */
export const CONNECTION_IDLE_MAX_MS = 72_000;
/** Approximate size of the chunks of a streamed export. */
export const EXPORT_PIECE_CHARACTERS = 64 * 1024;
/** How long a stopping server waits for exports to be read to their end. */
export const EXPORT_STOP_MS = 5_000;
/** Smaller responses are not compressed: that costs more than it saves. */
export const COMPRESSED_BYTES_MIN = 1_024;
/** Concurrent compressions: the size of Node's thread pool. */
export const COMPRESSIONS_AT_ONCE_MAX = 4;
/** Requests are refused while the event loop's delay is longer than this. */
export const EVENT_LOOP_DELAY_MAX_MS = 2_000;
/** How long a stopping server waits for an incomplete request to arrive. */
export const CONNECTION_STOP_WAIT_MS = 1_000;
/** How long a stopping server waits for responses to be read before it cuts connections. */
export const CONNECTIONS_STOP_MS = 17_000;
/** Bytes of response lines buffered for a slow reader; beyond it, its upload is paused. */
export const ANSWER_LINES_KEPT_BYTES_MAX = 16 * 1024 * 1024;
/** Largest offset of a list. */
export const OFFSET_MAX = 999_999_999;
