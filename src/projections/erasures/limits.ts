/** Bounds on what is read of persons. contract.md section 11. */

/** Tickets of an organisation that one statement looks at for an address. */
export const REPORTED_TICKETS_SCANNED_AT_ONCE = 10_000;
