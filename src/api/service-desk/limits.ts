// Configuration of the service desk (contract.md section 5)
/** Members and items of it on all levels; a simulation's ticket besides. */
export const CONFIGURATION_VALUES_MAX = 25_000;
