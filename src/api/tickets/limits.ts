// Tickets (interface.md «Limits», contract.md section 5)
export const TICKET_PAGE_DEFAULT = 50;
export const TICKET_PAGE_MAX = 200;
export const SUBJECT_CHARACTERS_MAX = 300;
export const REPORTER_CHARACTERS_MAX = 200;
export const SEARCH_CHARACTERS_MAX = 200;
/** Characters of a user's id in a filter: the longest that a token may have. */
export const USER_ID_CHARACTERS_MAX = 255;
/** Characters of a ticket's number in a filter. */
export const TICKET_NUMBER_CHARACTERS_MAX = 40;
export const TIMELINE_PAGE_DEFAULT = 100;
export const TIMELINE_PAGE_MAX = 500;
/** Longest metadata key that can be looked up: longer ones do not fit a request line. */
export const METADATA_KEY_CHARACTERS_MAX = 200;
/** Longest metadata value that can be looked up. */
export const METADATA_TEXT_CHARACTERS_MAX = 1_000;

/** Fields of forms that one list is filtered by. */
export const FIELD_FILTERS_MAX = 5;

/** Concurrent searches; `inAll` leaves connections to requests that search nothing. */
export const SEARCHES = { ofCaller: 2, ofOrganisation: 3, inAll: 6, waitMs: 1_000 } as const;
/** Concurrent lists without a search; with its searches, an organisation leaves a connection. */
export const LISTS = { ofCaller: 4, ofOrganisation: 6, inAll: 8, waitMs: 5_000 } as const;

// Tickets in bulk (contract.md section 5)
/** Concurrent exports. */
export const TICKET_EXPORTS = { ofCaller: 2, ofOrganisation: 3, inAll: 8 } as const;
/** Fields of forms that have a column in a CSV export. */
export const EXPORT_FIELDS_MAX = 200;
/** Concurrent imports. */
export const TICKET_IMPORTS = { ofCaller: 1, ofOrganisation: 2, inAll: 4 } as const;
/** Lines of one import, blank ones included. */
export const TICKET_IMPORT_LINES_MAX = 100_000;
export const IMPORT_KEY_CHARACTERS_MAX = 200;
export const ORIGINAL_NUMBER_CHARACTERS_MAX = 100;
/** Characters of a time of another system. */
export const INSTANT_CHARACTERS_MAX = 40;
/** Tickets of one import that are opened concurrently. */
export const TICKET_IMPORT_AT_ONCE = 256;
/** Bytes of the lines imported concurrently; a single longer line is imported alone. */
export const TICKET_IMPORT_AT_ONCE_BYTES_MAX = 2 * 1024 * 1024;
/** Deadline of one import; a repeated import continues with the lines that were late. */
export const TICKET_IMPORT_MAX_MS = 3_600_000;
/** An import whose caller sends nothing for this long is ended. */
export const TICKET_IMPORT_SILENT_MAX_MS = 60_000;
/** Tickets after which an import or a bulk waits for lists; at most twice as many are unlisted. */
export const TICKETS_UNSHOWN_MAX = 500;
/** How long an import or a bulk waits for lists to follow before it continues without them. */
export const TICKETS_SHOWN_WAIT_MS = 10_000;

/** Tickets of one bulk. */
export const TICKET_BULK_MAX = 2_000;
/** Concurrent bulks. */
export const TICKET_BULKS = { ofCaller: 1, ofOrganisation: 2, inAll: 4 } as const;
/** Tickets of one bulk that are acted on concurrently. */
export const TICKET_BULK_AT_ONCE = 16;
/** Deadline of one bulk; a repeated bulk continues. */
export const TICKET_BULK_MAX_MS = 600_000;

// Attachments (contract.md section 5)
/** Concurrent uploads; further callers wait. */
export const ATTACHMENT_UPLOADS = {
  ofCaller: 4,
  ofOrganisation: 12,
  inAll: 32,
  waitMs: 10_000,
} as const;
/**
 * Concurrent downloads, each until its last byte is read; further callers wait. `inAll` leaves
 * connections to a bucket for uploads and previews.
 */
export const ATTACHMENT_DOWNLOADS = {
  ofCaller: 16,
  ofOrganisation: 64,
  inAll: 192,
  waitMs: 10_000,
} as const;
/** Previews drawn concurrently, each in its own process; stored ones are not counted. */
export const ATTACHMENT_PREVIEWS = {
  ofCaller: 1,
  ofOrganisation: 1,
  inAll: 2,
  waitMs: 20_000,
} as const;
/** An upload whose sender sends nothing for this long is ended. */
export const ATTACHMENT_SILENT_MAX_MS = 30_000;

// The change feed (contract.md section 5)
export const CHANGES_PAGE_MAX = 500;
/** Upper bound of `wait`. */
export const CHANGES_WAIT_MAX_S = 25;

/** Tickets of a page of an export whose attachments are read at once. */
export const EXPORTED_ATTACHMENTS_READ_AT_ONCE = 8;
