/**
 * Bounds log lines about one thing that fails often, such as a server that many requests need.
 *
 * @returns Calls `write` with the number of calls since its last line that wrote none; not more
 *   often than every `everyMs`.
 */
export const boundedLines = (everyMs: number): ((write: (unlogged: number) => void) => void) => {
  let lastAtMs = -Infinity;
  let unlogged = 0;
  return (write) => {
    const nowMs = performance.now();
    if (nowMs - lastAtMs < everyMs) {
      unlogged += 1;
      return;
    }
    lastAtMs = nowMs;
    write(unlogged);
    unlogged = 0;
  };
};
