/**
 * A diagnostic rule that follows one point sample by sample, in the time of the data. The same fold
 * finds faults in live and in stored samples. contract.md section 6.
 */

export const comparisons = ['gt', 'gte', 'lt', 'lte', 'stale'] as const;
export type Comparison = (typeof comparisons)[number];

export interface Condition {
  readonly comparison: Comparison;
  /** The compared value; for `stale`, seconds without a sample. */
  readonly threshold: number;
  /** The condition must have held for this long, measured in time and not in samples. */
  readonly forSeconds: number;
}

/** A sample; true is 1, false is 0. Milliseconds since 1970. */
export interface RuleSample {
  readonly atMs: number;
  readonly value: number;
}

/** A rule's state for one point. */
export interface Following {
  /** The last sample seen; samples that are not later are ignored. */
  readonly last: RuleSample | null;
  /** When the condition began to hold, while it has not held long enough. */
  readonly breachedSinceMs: number | null;
  /** When the fault that is open began. */
  readonly openedMs: number | null;
  /** When the rule was created: silence of a point without samples counts from then. */
  readonly watchedSinceMs: number | null;
}

export const unfollowed: Following = {
  last: null,
  breachedSinceMs: null,
  openedMs: null,
  watchedSinceMs: null,
};

/**
 * A fault opens, with the value that opened it (`null`: the point never had a sample), or closes.
 * The two kinds alternate.
 */
export type Turn =
  | { readonly type: 'opened'; readonly atMs: number; readonly value: number | null }
  | { readonly type: 'closed'; readonly atMs: number };

export interface Followed {
  readonly state: Following;
  readonly turns: readonly Turn[];
}

/** Pure and total: the result of the next sample. */
export const follow = (condition: Condition, state: Following, sample: RuleSample): Followed => {
  if (state.last !== null && sample.atMs <= state.last.atMs) return { state, turns: [] };
  return condition.comparison === 'stale'
    ? afterSilence(condition, state, sample)
    : compared(condition, state, sample);
};

/** Pure and total: the result of another value of the last sample. */
export const correctLast = (condition: Condition, state: Following, value: number): Followed => {
  if (state.last === null) return { state, turns: [] };
  const sample = { ...state.last, value };
  const [held, isHeld] = [state.last.value, value].map((each) =>
    holds[condition.comparison](each, condition.threshold),
  );
  // The last sample may be from before the rule, which opens no fault then.
  if (held === isHeld) return { state: { ...state, last: sample }, turns: [] };
  return compared(condition, state, sample);
};

const compared = (condition: Condition, state: Following, sample: RuleSample): Followed => {
  const { atMs, value } = sample;
  // The previous value held until the instant before this sample.
  const before = withoutSample(condition, state, atMs - 1);
  const { openedMs, breachedSinceMs } = before.state;
  if (!holds[condition.comparison](value, condition.threshold)) {
    const next = { ...state, last: sample, breachedSinceMs: null, openedMs: null };
    if (openedMs === null) return { state: next, turns: before.turns };
    // The platform's clock may have opened it before a late sample came.
    const closed = { type: 'closed', atMs: Math.max(openedMs, atMs) } as const;
    return { state: next, turns: [...before.turns, closed] };
  }
  const since = openedMs === null ? (breachedSinceMs ?? atMs) : null;
  const next = { ...before.state, last: sample, breachedSinceMs: since };
  const after = withoutSample(condition, next, atMs);
  return { state: after.state, turns: [...before.turns, ...after.turns] };
};

const afterSilence = (condition: Condition, state: Following, sample: RuleSample): Followed => {
  const { atMs } = sample;
  // The point may have been found stale by a reader of later samples than this one.
  if (state.openedMs !== null && atMs <= state.openedMs - silenceMs(condition))
    return { state: { ...state, last: sample }, turns: [] };
  // Silence lasted until the instant before.
  const silent = withoutSample(condition, state, atMs - 1);
  const next = { ...state, last: sample, breachedSinceMs: null, openedMs: null };
  const { openedMs } = silent.state;
  if (openedMs === null) return { state: next, turns: silent.turns };
  // The sample may be older than the fault of its silence.
  const closed = { type: 'closed', atMs: Math.max(openedMs, atMs) } as const;
  return { state: next, turns: [...silent.turns, closed] };
};

/** The result of no sample until `nowMs`: silence grows, and the last value persists. */
export const withoutSample = (condition: Condition, state: Following, nowMs: number): Followed => {
  const dueMs = dueAtMs(condition, state);
  if (dueMs === null || nowMs < dueMs) return { state, turns: [] };
  return {
    state: { ...state, breachedSinceMs: null, openedMs: dueMs },
    turns: [{ type: 'opened', atMs: dueMs, value: state.last?.value ?? null }],
  };
};

/** When a fault opens if no further sample comes; `null`: never. */
export const dueAtMs = (condition: Condition, state: Following): number | null => {
  if (state.openedMs !== null) return null;
  if (condition.comparison === 'stale') {
    const heardMs = state.last?.atMs ?? state.watchedSinceMs;
    return heardMs === null ? null : heardMs + silenceMs(condition);
  }
  const { breachedSinceMs } = state;
  return breachedSinceMs === null ? null : breachedSinceMs + condition.forSeconds * 1_000;
};

/** A whole number, as the times of samples and faults are. */
const silenceMs = ({ threshold, forSeconds }: Condition): number =>
  Math.ceil((threshold + forSeconds) * 1_000);

const holds: Readonly<Record<Comparison, (value: number, threshold: number) => boolean>> = {
  gt: (value, threshold) => value > threshold,
  gte: (value, threshold) => value >= threshold,
  lt: (value, threshold) => value < threshold,
  lte: (value, threshold) => value <= threshold,
  stale: () => false,
};
