/** Bounds of the tickets' pages. */

/** Tickets of one page of the list. */
export const LIST_LIMIT = 25;

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 15_000;

/** Milliseconds before another attempt, half of them random: a restart meets no herd of tabs. */
export const retryDelayMs = (failures: number): number => {
  const longest = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** failures);
  return longest / 2 + (Math.random() * longest) / 2;
};
/** Fields of forms by which one list is filtered, as the server bounds them. */
export const FIELD_FILTERS_MAX = 5;
