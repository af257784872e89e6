/** Retention of the request log: a day. */
export const SANDBOX_REQUESTS_KEPT_MS = 86_400_000;
/** The newest rows that the request log keeps of one sandbox. */
export const SANDBOX_REQUESTS_KEPT_MAX = 10_000;
/** Interval at which a held read of the request log looks for new rows. */
export const SANDBOX_REQUESTS_LOOK_MS = 500;
