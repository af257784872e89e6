// Configuration of the service desk (contract.md section 5)
/** Of an ISO 8601 duration as it is written. */
export const DURATION_CHARACTERS_MAX = 64;

// Operations (contract.md section 10)
/** Of a projection, a process or a timer, as callers name it. */
export const CONSUMER_NAME_CHARACTERS_MAX = 100;
export const STREAM_CHARACTERS_MAX = 1_000;
