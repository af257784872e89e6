/** Cached organisations of tickets, so that a heartbeat need not read its ticket again. */
export const TICKET_OWNERS_REMEMBERED_MAX = 10_000;
