/** How long a caller stays present after its last heartbeat. contract.md section 5. */
export const PRESENCE_LASTS_MS = 30_000;
/** A repeat of the same state within this time writes nothing. */
export const PRESENCE_UNWRITTEN_MS = 5_000;
/** Callers who are present at one ticket. */
export const PRESENT_AT_TICKET_MAX = 100;
/** Tickets at which one caller is present. */
export const PRESENT_OF_CALLER_MAX = 300;
/** A process deletes expired rows at most this often. */
export const PRESENCE_SWEEP_MS = 60_000;
