// Reports without sign-in (contract.md section 5); those of an hour are in the domain's limits.
/** Requests of one source to these routes within a minute and a process, served or refused. */
export const ATTEMPTS_OF_MINUTE_MAX = 120;
/** Sources whose requests a process counts, and whose refusal it remembers. */
export const SOURCES_KEPT_MAX = 10_000;
/** Reports and look-ups under way in a process; beyond them a caller waits. */
export const PUBLIC_REQUESTS = {
  ofCaller: 2,
  ofOrganisation: 8,
  inAll: 12,
  waitMs: 1_000,
} as const;
/** The longest texts, each character escaped. */
export const REPORT_BODY_BYTES_MAX = 256 * 1024;
/** Public notes that a status shows, the latest. */
export const STATUS_NOTES_MAX = 50;
/** Timeline items per read while the notes are looked for. */
export const STATUS_READ_ITEMS = 500;
/** Characters of the field that people do not see. */
export const UNSEEN_CHARACTERS_MAX = 200;
/** Characters of a code on a label. */
export const LABEL_CODE_CHARACTERS_MAX = 200;
