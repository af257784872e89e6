// Browser sessions (contract.md section 2)
/** A session that is idle for this long ends. */
export const SESSION_IDLE_MAX_MS = 12 * 3_600_000;
/** Age at which a session ends, however much it is used. */
export const SESSION_AGE_MAX_MS = 30 * 24 * 3_600_000;
/** Interval at which the last use of a session is updated. */
export const SESSION_USE_NOTED_MS = 60_000;
/** Sessions of one person; a further sign-in ends the least recently used one. */
export const SESSIONS_OF_PERSON_MAX = 20;
/** Timeout of a sign-in, from the redirect to the issuer to the callback. */
export const SIGN_IN_MAX_MS = 600_000;
/** Pending sign-ins of one browser; a further one replaces the oldest. */
export const SIGN_INS_OF_BROWSER_MAX = 5;
/** Characters of a return address; a longer one is replaced by `/`. */
export const RETURN_CHARACTERS_MAX = 2_048;
/** An access token is renewed this long before it expires, or after 3/4 of a shorter lifetime. */
export const TOKEN_RENEWED_BEFORE_MS = 30_000;
/**
 * Concurrent refreshes of one process. Each holds a database connection for as long as the issuer
 * takes to answer: more than half of the pool remains for requests.
 */
export const REFRESHES_AT_ONCE_MAX = 4;
/** Longest wait of a request for the refresh of an expired access token. */
export const RENEWAL_WAIT_MAX_MS = 10_000;
/** Longest wait for the refresh of the same session by another process. */
export const REFRESH_WAIT_MAX_MS = 8_000;
/** Age at which the issuer's discovery document is fetched again. */
export const DISCOVERY_AGE_MAX_MS = 3_600_000;
/** Interval at which ended sessions and old logout tokens are deleted. */
export const SESSION_SWEEP_MS = 600_000;
/** Age at which a logout token is refused; its id is remembered for twice as long. */
export const LOGOUT_TOKEN_AGE_MAX_S = 300;
/** Bytes of a logout request. */
export const LOGOUT_REQUEST_BYTES_MAX = 16_384;
/** Characters of a User-Agent in the list of sessions; longer ones are truncated. */
export const SESSION_USER_AGENT_CHARACTERS_MAX = 256;
