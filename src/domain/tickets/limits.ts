// Tickets (interface.md «Limits», contract.md section 5)
/** As sent; a slug of 64 without the blanks around it. */
export const REQUEST_TYPE_CHARACTERS_MAX = 100;
export const FREE_FORM_BYTES_MAX = 16 * 1024;
/** What was taken before was bounded so. */
export const FREE_FORM_STORED_DEPTH_MAX = 32;
/** Of one ticket, those of work orders and rules too. */
export const TICKET_NOTES_MAX = 5_000;
/** Of all that was ever recorded of one ticket, in UTF-8. */
export const TICKET_TEXT_BYTES_MAX = 16 * 1024 * 1024;
/** Linked to one ticket: it shows all of them wherever it is shown. */
export const TICKET_WORK_ORDERS_MAX = 200;
export const TICKET_NUMBER_DIGITS_MIN = 6;
/** Ticket numbers that one append can reserve. */
export const TICKET_NUMBERS_RESERVED_MAX = 10_000;

// The change feed (contract.md section 5)
export const CHANGES_PAGE_DEFAULT = 100;
/** Readers that one process holds at once, of one caller. */
export const CHANGES_WAITING_OF_CALLER_MAX = 20;
/** Of one organisation. */
export const CHANGES_WAITING_OF_ORGANISATION_MAX = 200;
/** Of all; one more is told to come again. */
export const CHANGES_WAITING_MAX = 1_000;
