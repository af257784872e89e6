const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 15_000;

/** Milliseconds before another attempt, half of them random: a restart meets no herd of tabs. */
export const retryDelayMs = (failures: number): number => {
  const longest = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** failures);
  return longest / 2 + (Math.random() * longest) / 2;
};
