// Tickets (interface.md «Limits», contract.md section 5)
export const TICKET_PAGE_DEFAULT = 50;
export const TICKET_PAGE_MAX = 200;
export const SUBJECT_CHARACTERS_MAX = 300;
export const REPORTER_CHARACTERS_MAX = 200;
export const SEARCH_CHARACTERS_MAX = 200;
export const TIMELINE_PAGE_DEFAULT = 100;
export const TIMELINE_PAGE_MAX = 500;
/** Of what is looked up in metadata: longer ones fit into no request line. */
export const METADATA_KEY_CHARACTERS_MAX = 200;
export const METADATA_TEXT_CHARACTERS_MAX = 1_000;

// Tickets in bulk (contract.md section 5)
/** Lines of one import, blank ones too. */
export const TICKET_IMPORT_LINES_MAX = 100_000;
export const IMPORT_KEY_CHARACTERS_MAX = 200;
export const ORIGINAL_NUMBER_CHARACTERS_MAX = 100;
/** Of a time of another system's, as it is written. */
export const INSTANT_CHARACTERS_MAX = 40;
/** Tickets of one import that are opened at the same time, */
export const TICKET_IMPORT_AT_ONCE = 256;
/** as long as their lines have no more bytes than this, or for a single one. */
export const TICKET_IMPORT_AT_ONCE_BYTES_MAX = 2 * 1024 * 1024;
/** Answers that are kept for a caller who sends and does not read; with more, he waits. */
export const TICKET_IMPORT_ANSWERS_KEPT_BYTES_MAX = 16 * 1024 * 1024;
/** From the first line to the last one; what is late is sent again, and goes on there. */
export const TICKET_IMPORT_MAX_MS = 3_600_000;
/** A caller who sends nothing for so long, though he may, has ended his import. */
export const TICKET_IMPORT_SILENT_MAX_MS = 60_000;
/** An import opens at most so many tickets, and as many again, before lists show the first ones. */
export const TICKET_IMPORT_UNSHOWN_MAX = 500;
/** Lists that do not follow within so long hold it up no more. */
export const TICKET_IMPORT_SHOWN_WAIT_MS = 10_000;

// The change feed (contract.md section 5)
export const CHANGES_PAGE_MAX = 500;
/** `wait` holds an answer without changes so long at most. */
export const CHANGES_WAIT_MAX_S = 25;
