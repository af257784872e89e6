// Tickets (interface.md «Limits», contract.md section 5)
/** As sent; trimmed, it is a slug of at most 64 characters. */
export const REQUEST_TYPE_CHARACTERS_MAX = 100;
export const FREE_FORM_BYTES_MAX = 16 * 1024;
/** Earlier releases accepted this depth, and stored events have it. */
export const FREE_FORM_STORED_DEPTH_MAX = 32;
/** Notes per ticket, including those of work orders and rules. */
export const TICKET_NOTES_MAX = 5_000;
/** Days after its resolution in which a requester may reopen a ticket. */
export const REQUESTER_REOPEN_DAYS = 14;
/** Stars of a rating. */
export const RATING_SCORE_MIN = 1;
/** Stars of a rating. */
export const RATING_SCORE_MAX = 5;
/** UTF-8 bytes of all events of one ticket. */
export const TICKET_TEXT_BYTES_MAX = 16 * 1024 * 1024;
/** Work orders linked to one ticket; every representation of the ticket lists them all. */
export const TICKET_WORK_ORDERS_MAX = 200;
/** Bytes of one attachment. */
export const ATTACHMENT_BYTES_MAX = 25 * 1024 * 1024;
/** Attachments of one ticket. */
export const TICKET_ATTACHMENTS_MAX = 50;
/** Attachments of one note: a note alone may fill the ticket. */
export const NOTE_ATTACHMENTS_MAX = TICKET_ATTACHMENTS_MAX;
/** Characters of the name of an attachment. */
export const ATTACHMENT_NAME_CHARACTERS_MAX = 200;
/** Bytes of all attachments of one ticket. */
export const TICKET_ATTACHMENTS_BYTES_MAX = 250 * 1024 * 1024;
export const TICKET_NUMBER_DIGITS_MIN = 6;
/** Ticket numbers that one append can reserve. */
export const TICKET_NUMBERS_RESERVED_MAX = 10_000;

// The change feed (contract.md section 5)
export const CHANGES_PAGE_DEFAULT = 100;
/** Concurrent long polls of the change feed by one caller. */
export const CHANGES_WAITING_OF_CALLER_MAX = 20;
/** Concurrent long polls of the change feed by one organisation. */
export const CHANGES_WAITING_OF_ORGANISATION_MAX = 200;
/** Concurrent long polls of the change feed in the process. */
export const CHANGES_WAITING_MAX = 1_000;
