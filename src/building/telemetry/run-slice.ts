/** Runs one slice of evaluation when it is the turn of its platform, and then of its building. */
export type RunSlice = <Result>(
  signal: AbortSignal,
  slice: () => Promise<Result>,
) => Promise<Result>;
