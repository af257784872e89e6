// Identity (contract.md section 2)
export const TOKEN_CLOCK_SKEW_S = 30;
/** A longer token is refused before any of it is read. */
export const TOKEN_CHARACTERS_MAX = 8_192;
export const SUBJECT_CLAIM_CHARACTERS_MAX = 255;
/** Of `exp` and `nbf` in a token: a later one is no time that anybody means. */
export const TOKEN_TIME_MAX_S = 10 ** 11;
/** Of a name or an e-mail address as they go into an actor; what is longer is left out. */
export const ACTOR_NAME_CHARACTERS_MAX = 200;
/** One question to the issuer, from dialling to the last byte. */
export const ISSUER_TIMEOUT_MS = 5_000;
export const ISSUER_ATTEMPTS_MAX = 3;
/** Between attempts, doubled each time. */
export const ISSUER_RETRY_PAUSE_MS = 100;
/** After the last attempt the issuer is left alone for so long. */
export const ISSUER_DOWN_PAUSE_MS = 1_000;
export const KEY_SET_AGE_MAX_MS = 600_000;
/** While the issuer is away, keys that were fetched earlier verify tokens for at most so long. */
export const KEY_SET_KEPT_MAX_MS = 24 * 3_600_000;
/** Readiness fetches a key set of this age again, which shows whether the issuer is there. */
export const ISSUER_LOOK_MS = 60_000;
/** The signature of a portal session that was right is not checked again for so long. */
export const SESSION_REMEMBERED_MS = 60_000;
/** How many of them. */
export const SESSIONS_REMEMBERED_MAX = 5_000;
/** An unknown key id has the key set read again at most so often. */
export const KEY_SET_RELOAD_PAUSE_MS = 30_000;
