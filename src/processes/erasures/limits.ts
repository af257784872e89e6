/** Bounds of erasures. contract.md section 11. */

/** Tickets that one erasure reads and changes at once. */
export const ERASED_TICKETS_AT_ONCE = 8;
/** How often the list of erasures is compared with the database. */
export const ERASURE_LIST_MS = 3_600_000;
/** How long one attempt of an erasure waits for the read models that it needs. */
export const ERASURE_READ_MODEL_WAIT_MS = 30_000;
/** Interval of the search for tickets whose personal data has expired. */
export const PERSONAL_DATA_EXPIRY_MS = 60 * 60_000;
/** Tickets per page of that search. */
export const EXPIRED_TICKETS_PAGE = 500;
/** Interval of that search while its read model is being built. */
export const PERSONAL_DATA_EXPIRY_BUILDING_MS = 60_000;
