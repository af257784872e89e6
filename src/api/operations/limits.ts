// Configuration of the service desk (contract.md section 5)
/** Characters of an ISO 8601 duration. */
export const DURATION_CHARACTERS_MAX = 64;

// Operations (contract.md section 10)
/** Characters of the name of a projection, process or timer. */
export const CONSUMER_NAME_CHARACTERS_MAX = 100;
export const STREAM_CHARACTERS_MAX = 1_000;
/** Streams or timers in the list of those that a process has parked. */
export const PARKED_LISTED_MAX = 1_000;
