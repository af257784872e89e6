/** Bounds of queries about persons. contract.md section 11. */

/** Tickets of an organisation that one statement scans for an address. */
export const REPORTED_TICKETS_SCANNED_AT_ONCE = 10_000;
