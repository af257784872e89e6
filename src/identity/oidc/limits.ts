export const TOKEN_CLOCK_SKEW_S = 30;
/** A longer token is rejected before it is parsed. */
export const TOKEN_CHARACTERS_MAX = 8_192;
export const SUBJECT_CLAIM_CHARACTERS_MAX = 255;
/** Upper bound of `exp` and `nbf`; later times are malformed. */
export const TOKEN_TIME_MAX_S = 10 ** 11;
/** Characters of a name or e-mail address in an actor; longer ones are omitted. */
export const ACTOR_NAME_CHARACTERS_MAX = 200;
/** Timeout of one request to the issuer, from connecting to the last byte. */
export const ISSUER_TIMEOUT_MS = 5_000;
export const ISSUER_ATTEMPTS_MAX = 3;
/** First pause between attempts, doubled each time. */
export const ISSUER_RETRY_PAUSE_MS = 100;
/** Pause after the last attempt before the issuer is called again. */
export const ISSUER_DOWN_PAUSE_MS = 1_000;
export const KEY_SET_AGE_MAX_MS = 600_000;
/** Cached keys verify tokens for this long while the issuer is unreachable. */
export const KEY_SET_KEPT_MAX_MS = 24 * 3_600_000;
/**
 * Age at which readiness refreshes the key set, which also tests whether the issuer is reachable.
 */
export const ISSUER_LOOK_MS = 60_000;
/** Cache time of the verified signature of a portal session. */
export const SESSION_REMEMBERED_MS = 60_000;
/** Verified portal sessions in the cache. */
export const SESSIONS_REMEMBERED_MAX = 5_000;
/** Shortest interval between reloads of the key set for unknown key ids. */
export const KEY_SET_RELOAD_PAUSE_MS = 30_000;
