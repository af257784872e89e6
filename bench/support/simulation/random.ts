/** Seeded pseudo-random numbers. */
export interface Random {
  /** In [0, 1). */
  uniform(): number;
  /** Exponentially distributed around the mean. */
  exponential(mean: number): number;
}

/** Mulberry32: small, and good enough for arrivals and service times. */
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { uniform, exponential: (mean) => -mean * Math.log(1 - uniform()) };
};
