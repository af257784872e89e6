/** Calls `write` at most once in an interval, with the number of calls that it left out since. */
export type BoundedLine = (write: (unlogged: number) => void) => void;

/** Bounds log lines about one thing that fails often, such as a server that many requests need. */
export const boundedLines = (everyMs: number): BoundedLine => {
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
