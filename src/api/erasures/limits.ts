/** Bounds on requests about persons. contract.md section 11. */

/** Characters of an address. */
export const EMAIL_CHARACTERS_MAX = 200;
/** Characters of the id of an account. */
export const USER_ID_CHARACTERS_MAX = 255;

export const ERASURES_PAGE_DEFAULT = 50;
export const ERASURES_PAGE_MAX = 500;
