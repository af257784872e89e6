export const SANDBOX_TTL_DAYS_DEFAULT = 14;
/** Characters of the display name and of the seed. */
export const SANDBOX_NAME_CHARACTERS_MAX = 100;
/** Storeys of the seeded building. */
export const SANDBOX_STOREYS_MAX = 50;
/** Storeys if the request names no number. */
export const SANDBOX_STOREYS_DEFAULT = 3;
export const SANDBOX_AREA_SQM_MIN = 50;
export const SANDBOX_AREA_SQM_MAX = 1_000_000;
export const SANDBOX_AREA_SQM_DEFAULT = 3_000;
export const SANDBOX_TELEMETRY_DAYS_MAX = 30;
export const SANDBOX_TELEMETRY_DAYS_DEFAULT = 7;
/** Upper bound of the requested spaces per storey. */
export const SANDBOX_SPACES_MAX = 200;
/** Fewest spaces per storey if the request names no number. */
export const SANDBOX_SPACES_LEAST_DEFAULT = 10;
/** Most spaces per storey if the request names no number. */
export const SANDBOX_SPACES_MOST_DEFAULT = 30;
export const SANDBOX_REQUESTS_PAGE_DEFAULT = 200;
export const SANDBOX_REQUESTS_PAGE_MAX = 1_000;
/** Upper bound of `wait` of the request log. */
export const SANDBOX_REQUESTS_WAIT_MAX_S = 25;
/** Concurrent held reads of request logs. */
export const SANDBOX_REQUESTS_WAITS = { ofCaller: 4, ofOrganisation: 20, inAll: 100 } as const;
/** The longest name in the IANA database has 32 characters. */
export const SANDBOX_TIME_ZONE_CHARACTERS_MAX = 64;
/** Concurrent computations of planted faults, each in its own thread. */
export const PLANTED_FAULT_READS = {
  ofCaller: 1,
  ofOrganisation: 2,
  inAll: 4,
  waitMs: 10_000,
} as const;
