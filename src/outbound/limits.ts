export const UNTRUSTED_URL_CHARACTERS_MAX = 2_048;
/** Deadline from the look-up of the name to the last byte that is read. */
export const UNTRUSTED_DEADLINE_MS = 10_000;
/** Bytes read of a response body. */
export const UNTRUSTED_RESPONSE_BYTES_MAX = 1_024;
/** Addresses of a name that one request tries while connections fail. */
export const UNTRUSTED_ADDRESSES_TRIED_MAX = 3;
/** Connections to one address of one origin. */
export const UNTRUSTED_CONNECTIONS_OF_ORIGIN_MAX = 256;
/** How long a TLS session is resumed before the certificate is verified again. */
export const UNTRUSTED_SESSION_MAX_MS = 10 * 60_000;
/** Pooled origins, each with its checked address. */
export const UNTRUSTED_POOLS_MAX = 1_000;
