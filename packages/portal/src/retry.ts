const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 15_000;

/**
 * Retry delay in milliseconds with 50 % jitter, so that tabs do not all return at once after a
 * restart.
 */
export const retryDelayMs = (failures: number): number => {
  const longest = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** failures);
  return longest / 2 + (Math.random() * longest) / 2;
};
