// Hosts that others have named (interface.md «Limits», contract.md section 7)
export const UNTRUSTED_URL_CHARACTERS_MAX = 2_048;
/** From the look-up of the name to the last byte that is read. */
export const UNTRUSTED_DEADLINE_MS = 10_000;
/** What is read of an answer's body. */
export const UNTRUSTED_RESPONSE_BYTES_MAX = 1_024;
/** Addresses of a name that one request may try, where nothing answers at the first. */
export const UNTRUSTED_ADDRESSES_TRIED_MAX = 3;
/** To one address of one origin. */
export const UNTRUSTED_CONNECTIONS_OF_ORIGIN_MAX = 256;
/** A TLS session is taken up again for so long; then the certificate is looked at anew. */
export const UNTRUSTED_SESSION_MAX_MS = 10 * 60_000;
/** Origins to which connections are kept, each with its address. */
export const UNTRUSTED_POOLS_MAX = 1_000;
