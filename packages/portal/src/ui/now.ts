/** The platform's time: the clock of a sandbox is moved forward by its users. */

let aheadMs = 0;

/** In milliseconds since 1970. */
export const timeNow = (): number => Date.now() + aheadMs;

/**
 * @param at The platform's time, as it has just answered.
 * @returns by how many milliseconds it is ahead of this browser's.
 */
export const setTime = (at: string): number => (aheadMs = Date.parse(at) - Date.now());
