/** Tickets of which a process remembers the organisation, so that a beat reads none again. */
export const TICKET_OWNERS_REMEMBERED_MAX = 10_000;
