/** Bounds on the carrying out of erasures. contract.md section 11. */

/** Tickets that one erasure reads and changes at once. */
export const ERASED_TICKETS_AT_ONCE = 8;
/** How often the list of erasures is compared with what the database has carried out. */
export const ERASURE_LIST_MS = 3_600_000;
/** How long an erasure waits at a time for the read models that it needs. */
export const ERASURE_READ_MODEL_WAIT_MS = 30_000;
/** How often tickets are looked for whose personal data has expired. */
export const PERSONAL_DATA_EXPIRY_MS = 60 * 60_000;
/** Tickets of one page of them. */
export const EXPIRED_TICKETS_PAGE = 500;
/** The same while the read model that tells them is being built. */
export const PERSONAL_DATA_EXPIRY_BUILDING_MS = 60_000;
