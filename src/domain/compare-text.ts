/** For sorting, by code units: the same on every machine, and for instants the order of time. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
