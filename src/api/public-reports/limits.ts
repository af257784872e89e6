// Reports without sign-in (contract.md section 5); those of an hour are in the domain's limits.
/** Requests of one source to these routes within a minute and a process, served or refused. */
export const ATTEMPTS_OF_MINUTE_MAX = 120;
/** Sources whose requests a process counts, and whose refusals it caches. */
export const SOURCES_KEPT_MAX = 10_000;
/** Concurrent reports and look-ups of a process; further callers wait. */
export const PUBLIC_REQUESTS = {
  ofCaller: 2,
  ofOrganisation: 8,
  inAll: 12,
  waitMs: 1_000,
} as const;
/** The longest texts, each character escaped. */
export const REPORT_BODY_BYTES_MAX = 256 * 1024;
/** The latest public notes that a status lists. */
export const STATUS_NOTES_MAX = 50;
/** Timeline items per read of the search for notes. */
export const STATUS_READ_ITEMS = 500;
/** Characters of the honeypot field, which is hidden from people. */
export const UNSEEN_CHARACTERS_MAX = 200;
/** Characters of a code on a label. */
export const LABEL_CODE_CHARACTERS_MAX = 200;
