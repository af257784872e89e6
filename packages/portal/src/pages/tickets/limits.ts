/** Bounds of the tickets' pages. */

/** Tickets of one page of the list. */
export const LIST_LIMIT = 25;

/** Fields of forms by which one list is filtered, as the server bounds them. */
export const FIELD_FILTERS_MAX = 5;
