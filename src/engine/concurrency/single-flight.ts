/**
 * Shares one call of `work` among all callers that arrive while it runs, and its result for
 * `keptMs` after it. A failure is shared, but not kept.
 *
 * @param keptMs Default 0.
 */
export const singleFlight = <T>(work: () => Promise<T>, keptMs = 0): (() => Promise<T>) => {
  let flight: Promise<T> | null = null;
  const forget = () => {
    flight = null;
  };
  const keep = () => {
    if (keptMs > 0) setTimeout(forget, keptMs).unref();
    else forget();
  };
  return () => {
    if (flight) return flight;
    flight = work();
    flight.then(keep, forget);
    return flight;
  };
};
