/** Bounds on the carrying out of erasures. contract.md section 11. */

/** Tickets that one erasure reads and changes at once. */
export const ERASED_TICKETS_AT_ONCE = 8;
/** How long an erasure waits at a time for the read models that it needs. */
export const ERASURE_READ_MODEL_WAIT_MS = 30_000;
