/** Members and items on all levels of a configuration, plus a simulation's ticket. */
export const CONFIGURATION_VALUES_MAX = 25_000;
/** Concurrent simulations. */
export const SIMULATIONS = { ofCaller: 2, ofOrganisation: 4, inAll: 16, waitMs: 1_000 } as const;
/** Tickets that a configuration is tried on at once, each by two configurations. */
export const TRIED_TICKETS_MAX = 100;
