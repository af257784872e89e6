export const WORK_ORDER_ID_CHARACTERS_MAX = 100;
export const WORK_ORDER_TITLE_CHARACTERS_MAX = 300;
export const WORK_ORDER_STATUS_CHARACTERS_MAX = 100;

/** Tickets of one order. Each of its events becomes a note of each. */
export const WORK_ORDER_TICKETS_MAX = 100;
/** In all events of one order, with 200 for each: at most 5,000 events. */
export const WORK_ORDER_CHARACTERS_MAX = 1_000_000;
/**
 * Facts of one append, each with the texts of an event, whose characters may need 6 bytes as JSON:
 * less than the 1 MiB of an EventStoreDB append.
 */
export const WORK_ORDER_APPENDED_MAX = 8;
