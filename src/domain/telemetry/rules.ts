/**
 * A diagnostic rule, as it follows one point: sample after sample, in the time of the data. The
 * same fold finds faults as they come, and in what is stored. contract.md section 6.
 */

export const comparisons = ['gt', 'gte', 'lt', 'lte', 'stale'] as const;
export type Comparison = (typeof comparisons)[number];

export interface Condition {
  readonly comparison: Comparison;
  /** What values are compared with; for `stale`, seconds without a sample. */
  readonly threshold: number;
  /** The condition must have held for so long. */
  readonly forSeconds: number;
}

/** A yes is 1, a no is 0. Milliseconds since 1970. */
export interface RuleSample {
  readonly atMs: number;
  readonly value: number;
}

/** What a rule remembers of a point. */
export interface Following {
  /** The sample it has seen last; what is not later than it comes too late to count. */
  readonly last: RuleSample | null;
  /** Since when the condition holds, while it has not held for long enough. */
  readonly breachedSinceMs: number | null;
  /** When the fault that is open began. */
  readonly openedMs: number | null;
}

export const unfollowed: Following = { last: null, breachedSinceMs: null, openedMs: null };

/** A fault begins, with the value that began it, or ends. Never two of a kind in a row. */
export type Turn =
  | { readonly type: 'opened'; readonly atMs: number; readonly value: number }
  | { readonly type: 'closed'; readonly atMs: number };

export interface Followed {
  readonly state: Following;
  readonly turns: readonly Turn[];
}

/** Pure and total: what comes of the next sample. */
export const follow = (condition: Condition, state: Following, sample: RuleSample): Followed => {
  if (state.last !== null && sample.atMs <= state.last.atMs) return { state, turns: [] };
  return condition.comparison === 'stale'
    ? heard(condition, state, sample)
    : compared(condition, state, sample);
};

const compared = (condition: Condition, state: Following, sample: RuleSample): Followed => {
  const { atMs, value } = sample;
  if (!holds[condition.comparison](value, condition.threshold)) {
    const turns = state.openedMs === null ? [] : [{ type: 'closed', atMs } as const];
    return { state: { last: sample, breachedSinceMs: null, openedMs: null }, turns };
  }
  if (state.openedMs !== null) return { state: { ...state, last: sample }, turns: [] };
  const sinceMs = state.breachedSinceMs ?? atMs;
  if (atMs - sinceMs < condition.forSeconds * 1_000)
    return { state: { last: sample, breachedSinceMs: sinceMs, openedMs: null }, turns: [] };
  return {
    state: { last: sample, breachedSinceMs: null, openedMs: atMs },
    turns: [{ type: 'opened', atMs, value }],
  };
};

const heard = (condition: Condition, state: Following, sample: RuleSample): Followed => {
  const { atMs } = sample;
  // Whoever found the point stale may have known of later samples than this one.
  if (state.openedMs !== null && atMs <= state.openedMs - silenceMs(condition))
    return { state: { ...state, last: sample }, turns: [] };
  // Silence lasted until the instant before.
  const silent = unheard(condition, state, atMs - 1);
  const next = { last: sample, breachedSinceMs: null, openedMs: null };
  const { openedMs } = silent.state;
  if (openedMs === null) return { state: next, turns: silent.turns };
  // The sample may be older than the finding that there was none.
  const closed = { type: 'closed', atMs: Math.max(openedMs, atMs) } as const;
  return { state: next, turns: [...silent.turns, closed] };
};

/** What comes of hearing nothing more up to `nowMs`. Nothing, but for `stale`. */
export const unheard = (condition: Condition, state: Following, nowMs: number): Followed => {
  const dueMs = staleAtMs(condition, state);
  if (dueMs === null || nowMs < dueMs) return { state, turns: [] };
  return {
    state: { ...state, openedMs: dueMs },
    turns: [{ type: 'opened', atMs: dueMs, value: state.last!.value }],
  };
};

/**
 * When a point that is heard no more is stale; `null` where it never will be: another comparison, a
 * fault that is open, or a point that has never been heard.
 */
export const staleAtMs = (condition: Condition, { last, openedMs }: Following): number | null =>
  condition.comparison !== 'stale' || last === null || openedMs !== null
    ? null
    : last.atMs + silenceMs(condition);

const silenceMs = ({ threshold, forSeconds }: Condition): number =>
  (threshold + forSeconds) * 1_000;

const holds: Readonly<Record<Comparison, (value: number, threshold: number) => boolean>> = {
  gt: (value, threshold) => value > threshold,
  gte: (value, threshold) => value >= threshold,
  lt: (value, threshold) => value < threshold,
  lte: (value, threshold) => value <= threshold,
  stale: () => false,
};
