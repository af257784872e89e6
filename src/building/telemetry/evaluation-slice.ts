/** Evaluates the building's rules on a bounded part of an ingest. Pure. */
import {
  EVALUATED_FAULTS_AT_ONCE,
  EVALUATED_SAMPLES_AT_ONCE,
  FAULTS_OF_POINT_AN_HOUR_MAX,
} from '../../domain/telemetry/limits.ts';
import {
  correctLast,
  follow,
  type Following,
  type RuleSample,
  type Turn,
} from '../../domain/telemetry/rules.ts';
import { HOUR_MS } from '../../engine/time/calendar.ts';
import type { FaultPoint } from './fault-rows.ts';
import type { Followed, RuleMemory } from './rule-memory.ts';
import type { StoredRule } from './rule-rows.ts';
import { followingOf, type WatchedPair } from './rule-turns.ts';

export interface SampledPoint extends FaultPoint {
  readonly pointClass: string;
  /** Sorted by time. */
  readonly samples: readonly RuleSample[];
}

export interface Slice {
  readonly pairs: readonly WatchedPair[];
  readonly followed: readonly Followed[];
  /** Number of points whose samples have all been evaluated. */
  readonly finished: number;
}

/**
 * Evaluates the rules on new samples, point after point, until a bound of the slice is reached. At
 * least one sample is evaluated, so that every slice makes progress. All rules of a point evaluate
 * the same samples, because a point has one checkpoint for all its rules.
 *
 * @param stored By series, the stored value of each sample that {@link repeatedSamples} returns.
 */
export const sliceOf = (
  rules: readonly StoredRule[],
  points: readonly SampledPoint[],
  memory: RuleMemory,
  stored: ReadonlyMap<number, number>,
): Slice => {
  const pairs: WatchedPair[] = [];
  const followed: Followed[] = [];
  const room = { samples: EVALUATED_SAMPLES_AT_ONCE, faults: EVALUATED_FAULTS_AT_ONCE };
  let finished = 0;
  for (const point of points) {
    if (room.samples <= 0 || room.faults <= 0) break;
    const { seriesId, pointClass } = point;
    const samples = unseenSamples(point, memory.last(seriesId), stored.get(seriesId));
    if (samples.length > 0) {
      const watching = rules.filter(
        (rule) => rule.seriesId === seriesId || rule.pointClass === pointClass,
      );
      const taken = folded(watching, { ...point, samples }, memory, room);
      pairs.push(...taken.pairs);
      const latest = samples[taken.end - 1]!;
      followed.push({ seriesId, ...latest });
      if (taken.end < samples.length) break;
    }
    finished += 1;
  }
  return { pairs, followed, finished };
};

/**
 * The last evaluated samples for which the ingest has another value. It may be a correction, or an
 * older value in a redelivered ingest: the stored value decides.
 */
export const repeatedSamples = (
  points: readonly SampledPoint[],
  memory: RuleMemory,
): readonly Followed[] =>
  points.flatMap(({ seriesId, samples }) => {
    const last = memory.last(seriesId);
    const isRepeated = samples.some(
      ({ atMs, value }) => atMs === last?.atMs && value !== last.value,
    );
    return last !== null && isRepeated ? [{ seriesId, ...last }] : [];
  });

/** The samples that the rules have not evaluated, after a correction of the last one they have. */
const unseenSamples = (
  { samples }: SampledPoint,
  last: RuleSample | null,
  stored: number | undefined,
): readonly RuleSample[] => {
  if (last === null) return samples;
  const later = samples.filter(({ atMs }) => atMs > last.atMs);
  const isCorrected = stored !== undefined && stored !== last.value;
  return isCorrected ? [{ atMs: last.atMs, value: stored }, ...later] : later;
};

/** Evaluates one sample after the other, each by all rules. */
const folded = (
  rules: readonly StoredRule[],
  point: SampledPoint,
  memory: RuleMemory,
  room: { samples: number; faults: number },
) => {
  const { seriesId, samples } = point;
  const last = memory.last(seriesId);
  const watched = rules.map((rule) => {
    const before = memory.of(rule.ruleId, seriesId);
    const turns: Turn[] = [];
    const state: Following = followingOf(rule, before, last);
    return { pair: { rule, point, before, turns, state }, bound: new FaultBound() };
  });
  let end = watched.length === 0 ? samples.length : 0;
  while (end < samples.length) {
    const sample = samples[end]!;
    for (const { pair, bound } of watched) {
      const next =
        sample.atMs === last?.atMs
          ? correctLast(pair.rule, pair.state, sample.value)
          : follow(pair.rule, pair.state, sample);
      pair.state = next.state;
      pair.turns.push(...next.turns);
      for (const turn of next.turns)
        if (turn.type === 'opened' && bound.counts(turn.atMs)) room.faults -= 1;
    }
    room.samples -= watched.length;
    end += 1;
    if (room.samples <= 0 || room.faults <= 0) break;
  }
  const untilMs = samples[end - 1]!.atMs;
  const pairs = watched.map(({ pair }): WatchedPair => ({ ...pair, untilMs }));
  return { end, pairs };
};

/** Counts a pair's openings against the limit: those beyond it open no fault. */
class FaultBound {
  #fromMs = -Infinity;
  #count = 0;

  counts(atMs: number): boolean {
    if (atMs - this.#fromMs >= HOUR_MS) [this.#fromMs, this.#count] = [atMs, 0];
    this.#count += 1;
    return this.#count <= FAULTS_OF_POINT_AN_HOUR_MAX;
  }
}
