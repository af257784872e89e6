/** Bounds of requests about persons. contract.md section 11. */

/** Characters of an address. */
export const EMAIL_CHARACTERS_MAX = 200;
/** Characters of the id of an account. */
export const USER_ID_CHARACTERS_MAX = 255;

export const ERASURES_PAGE_DEFAULT = 50;
export const ERASURES_PAGE_MAX = 500;

/** Concurrent exports of persons. */
export const PERSON_EXPORTS = { ofCaller: 1, ofOrganisation: 2, inAll: 4 } as const;
/** Tickets of an account or address that one export includes. */
export const PERSON_EXPORT_TICKETS_MAX = 100_000;
/** Bytes of an attachment in one line of an export. */
export const EXPORTED_PART_BYTES = 48 * 1024;
