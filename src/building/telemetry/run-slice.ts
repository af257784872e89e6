/** Runs one slice of evaluation when its platform, and then its building, has its turn. */
export type RunSlice = <Result>(
  signal: AbortSignal,
  slice: () => Promise<Result>,
) => Promise<Result>;
