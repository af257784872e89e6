/** The limits of the ticket pages. */

/** Tickets per page of the list. */
export const LIST_LIMIT = 25;

/** The server's limit of form fields that filter one list. */
export const FIELD_FILTERS_MAX = 5;
