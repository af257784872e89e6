/** Bounds on erasures. contract.md section 11. */

/** Keys of one person that one request destroys: each display name has one, each purpose too. */
export const ERASURE_KEYS_MAX = 2_000;
/** Characters of the reason of an erasure. */
export const ERASURE_REASON_CHARACTERS_MAX = 500;
