/** Sign-ins of one organisation that a search scans: the newest ones. */
export const SIGN_INS_SEARCHED_MAX = 5_000;
/** Sign-ins whose day a process caches, so that it writes each once a day. */
export const SIGN_INS_REMEMBERED_MAX = 20_000;
/** Sign-ins that wait to be written; further ones are written with a later request. */
export const SIGN_INS_WAITING_MAX = 1_000;
/** A sign-in is forgotten after this time without another one. */
export const SIGN_IN_KEPT_DAYS = 400;
