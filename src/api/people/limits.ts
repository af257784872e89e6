export const PEOPLE_SEARCH_CHARACTERS_MAX = 200;
/** Concurrent searches of people. A picker sends one with each pause in typing. */
export const PEOPLE_SEARCHES = { ofCaller: 2, ofOrganisation: 4, inAll: 6, waitMs: 1_000 } as const;
