export const BUS_PAGE_DEFAULT = 100;
export const BUS_PAGE_MAX = 500;
/** Concurrent reads of events; each costs a page per building. */
export const BUS_READS = { ofCaller: 2, ofOrganisation: 3, inAll: 6, waitMs: 5_000 } as const;
export const BUS_SUBJECT_CHARACTERS_MAX = 500;
