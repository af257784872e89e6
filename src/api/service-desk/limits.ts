/** Members and items on all levels of a configuration, plus a simulation's ticket. */
export const CONFIGURATION_VALUES_MAX = 25_000;
/** Concurrent simulations. */
export const SIMULATIONS = { ofCaller: 2, ofOrganisation: 4, inAll: 16, waitMs: 1_000 } as const;
