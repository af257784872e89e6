/** Members and items on all levels of a configuration, plus a simulation's ticket. */
export const CONFIGURATION_VALUES_MAX = 25_000;
