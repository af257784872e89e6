import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comparisons,
  correctLast,
  dueAtMs,
  follow,
  unfollowed,
  withoutSample,
  type Condition,
  type Following,
  type RuleSample,
  type Turn,
} from '../../../src/domain/telemetry/rules.ts';

const minutes = (count: number) => count * 60_000;

/** Samples a minute apart. */
const run = (
  condition: Partial<Condition>,
  samples: readonly (readonly [minute: number, value: number])[],
  state: Following = unfollowed,
) => {
  const rule: Condition = { comparison: 'gt', threshold: 25, forSeconds: 0, ...condition };
  const turns: Turn[] = [];
  for (const [minute, value] of samples) {
    const next = follow(rule, state, { atMs: minutes(minute), value });
    turns.push(...next.turns);
    state = next.state;
  }
  return { state, transitions: turns.map(({ type, atMs }) => `${type} ${atMs / 60_000}`), turns };
};

describe('a threshold', () => {
  it.each([
    ['gt', [false, false, true]],
    ['gte', [false, true, true]],
    ['lt', [true, false, false]],
    ['lte', [true, true, false]],
  ] as const)('%s', (comparison, expected) => {
    const opens = [24, 25, 26].map((value) => run({ comparison }, [[0, value]]).turns.length > 0);
    expect(opens).toEqual(expected);
  });

  it('opens with the value that crossed it, stays, and closes when the value is back', () => {
    const { transitions, turns } = run({}, [
      [0, 20],
      [1, 26],
      [2, 30],
      [3, 25],
      [4, 24],
      [5, 27],
    ]);
    expect(transitions).toEqual(['opened 1', 'closed 3', 'opened 5']);
    expect(turns[0]).toMatchObject({ value: 26 });
  });

  it('that must hold for some time counts from the first value beyond it', () => {
    const held = { forSeconds: 120 };
    const beyond = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => [from + index, 30] as const);
    expect(run(held, beyond(0, 1)).transitions).toEqual([]);
    expect(run(held, beyond(0, 2)).transitions).toEqual(['opened 2']);
    expect(run(held, [...beyond(0, 1), [2, 20], ...beyond(3, 4)]).transitions).toEqual([]);
    expect(run(held, [...beyond(0, 1), [2, 20], ...beyond(3, 5)]).transitions).toEqual([
      'opened 5',
    ]);
    expect(
      run(held, [
        [0, 30],
        [10, 30],
      ]).transitions,
    ).toEqual(['opened 2']);
  });

  it('that must hold for some time holds between two values, at any distance', () => {
    const held = { forSeconds: 600 };
    const reported = run(held, [
      [0, 30],
      [30, 20],
    ]);
    expect(reported.turns).toEqual([
      { type: 'opened', atMs: minutes(10), value: 30 },
      { type: 'closed', atMs: minutes(30) },
    ]);
    const rule: Condition = { comparison: 'gt', threshold: 25, forSeconds: 600 };
    const { state } = run(held, [[0, 30]]);
    expect(dueAtMs(rule, state)).toBe(minutes(10));
    expect(withoutSample(rule, state, minutes(10) - 1).turns).toEqual([]);
    const fired = withoutSample(rule, state, minutes(45));
    expect(fired.turns).toEqual([{ type: 'opened', atMs: minutes(10), value: 30 }]);
    expect(dueAtMs(rule, fired.state)).toBeNull();
    // It was sent before the fault was due, and came after the clock had opened it.
    expect(run(held, [[9, 20]], fired.state).transitions).toEqual(['closed 10']);
  });
});

describe('another value of the last sample', () => {
  const rule: Condition = { comparison: 'gt', threshold: 25, forSeconds: 0 };
  const held = { ...rule, forSeconds: 600 };
  const corrected = (condition: Condition, from: number, to: number) => {
    const { state } = run(condition, [[3, from]]);
    return correctLast(condition, state, to);
  };

  it.each([
    [30, 20, [{ type: 'closed', atMs: minutes(3) }]],
    [20, 30, [{ type: 'opened', atMs: minutes(3), value: 30 }]],
    [30, 31, []],
    [20, 19, []],
  ])('%i corrected to %i', (from, to, turns) => {
    const next = corrected(rule, from, to);
    expect(next.turns).toEqual(turns);
    expect(next.state.last).toEqual({ atMs: minutes(3), value: to });
  });

  it('starts or ends a duration that has not passed', () => {
    expect(dueAtMs(held, corrected(held, 30, 20).state)).toBeNull();
    expect(dueAtMs(held, corrected(held, 20, 30).state)).toBe(minutes(13));
    expect(dueAtMs(held, corrected(held, 30, 31).state)).toBe(minutes(13));
  });

  it('opens nothing where the rule has ignored a value that is beyond it, too', () => {
    const state = { ...unfollowed, last: { atMs: minutes(3), value: 30 } };
    expect(correctLast(rule, state, 31).turns).toEqual([]);
  });

  it('does not end the silence after it', () => {
    const stale: Condition = { comparison: 'stale', threshold: 60, forSeconds: 0 };
    const { state } = withoutSample(stale, run(stale, [[3, 1]]).state, minutes(10));
    expect(correctLast(stale, state, 2)).toMatchObject({
      turns: [],
      state: { openedMs: minutes(4) },
    });
  });
});

describe('stale', () => {
  const hour: Partial<Condition> = { comparison: 'stale', threshold: 3_600 };
  const rule: Condition = { comparison: 'stale', threshold: 3_600, forSeconds: 0 };

  it('opens when an hour has passed without a sample, with the last value', () => {
    const { state } = run(hour, [[5, 7]]);
    expect(withoutSample(rule, state, minutes(65) - 1).turns).toEqual([]);
    expect(withoutSample(rule, state, minutes(65)).turns).toEqual([
      { type: 'opened', atMs: minutes(65), value: 7 },
    ]);
  });

  it('closes with the next sample, and not before the fault began', () => {
    const open = withoutSample(rule, run(hour, [[0, 7]]).state, minutes(60)).state;
    expect(run(hour, [[90, 7]], open).transitions).toEqual(['closed 90']);
    expect(run(hour, [[59, 7]], open).transitions).toEqual(['closed 60']);
    const later = withoutSample(rule, run(hour, [[30, 7]]).state, minutes(90)).state;
    expect(
      run(
        hour,
        [
          [20, 7],
          [30, 7],
        ],
        { ...later, last: null },
      ).transitions,
    ).toEqual([]);
    expect(withoutSample(rule, open, minutes(600)).turns).toEqual([]);
  });

  it('between two samples is found by a later evaluation', () => {
    expect(
      run(hour, [
        [0, 1],
        [61, 1],
        [121, 1],
      ]).transitions,
    ).toEqual(['opened 60', 'closed 61']);
  });

  it('opens at a whole millisecond', () => {
    const fine: Condition = { comparison: 'stale', threshold: 60.0001, forSeconds: 0 };
    expect(dueAtMs(fine, run(hour, [[5, 7]]).state)).toBe(minutes(6) + 1);
    expect(dueAtMs({ ...fine, threshold: 1e-9 }, run(hour, [[5, 7]]).state)).toBe(minutes(5) + 1);
  });

  it('counts from the creation of the rule for a point without samples', () => {
    const made = { ...unfollowed, watchedSinceMs: minutes(5) };
    expect(withoutSample(rule, made, minutes(65) - 1).turns).toEqual([]);
    const silent = withoutSample(rule, made, minutes(65));
    expect(silent.turns).toEqual([{ type: 'opened', atMs: minutes(65), value: null }]);
    expect(run(hour, [[70, 1]], silent.state).transitions).toEqual(['closed 70']);
    expect(run(hour, [[70, 1]], made).transitions).toEqual(['opened 65', 'closed 70']);
    expect(withoutSample(rule, unfollowed, minutes(1e6)).turns).toEqual([]);
  });
});

describe('always', () => {
  const condition: fc.Arbitrary<Condition> = fc.record({
    comparison: fc.constantFrom(...comparisons),
    threshold: fc.integer({ min: 1, max: 5 }),
    forSeconds: fc.constantFrom(0, 1, 3),
  });
  const sample: fc.Arbitrary<RuleSample> = fc.record({
    atMs: fc.nat({ max: 60 }).map((seconds) => seconds * 1_000),
    value: fc.integer({ min: 0, max: 6 }),
  });
  const all = (rule: Condition, samples: readonly RuleSample[], state = unfollowed) => {
    const turns: Turn[] = [];
    for (const each of samples) {
      const next = follow(rule, state, each);
      turns.push(...next.turns);
      state = next.state;
    }
    return { state, turns };
  };

  it('opens and closes in turn, never backwards in time', () => {
    fc.assert(
      fc.property(condition, fc.array(sample, { maxLength: 40 }), (rule, samples) => {
        const { turns, state } = all(rule, samples);
        expect(turns.map(({ type }) => type)).toEqual(
          turns.map((_, index) => (index % 2 === 0 ? 'opened' : 'closed')),
        );
        const times = turns.map(({ atMs }) => atMs);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(state.openedMs !== null).toBe(turns.at(-1)?.type === 'opened');
      }),
    );
  });

  it('ignores repeated and late samples', () => {
    fc.assert(
      fc.property(condition, fc.array(sample, { minLength: 1 }), sample, (rule, samples, more) => {
        const { state } = all(rule, samples);
        expect(all(rule, samples, state)).toEqual({ state, turns: [] });
        const latest = Math.max(...samples.map(({ atMs }) => atMs));
        const late = { ...more, atMs: Math.min(more.atMs, latest) };
        expect(follow(rule, state, late)).toEqual({ state, turns: [] });
      }),
    );
  });

  it('has the same result for any split of the samples into ingests', () => {
    const sorted = fc
      .uniqueArray(sample, { selector: ({ atMs }) => atMs })
      .map((samples) => samples.toSorted((a, b) => a.atMs - b.atMs));
    fc.assert(
      fc.property(condition, sorted, fc.nat({ max: 20 }), (rule, samples, cut) => {
        const first = all(rule, samples.slice(0, cut));
        const second = all(rule, samples.slice(cut), first.state);
        expect([...first.turns, ...second.turns]).toEqual(all(rule, samples).turns);
      }),
    );
  });

  it('counts the same transitions as a comparison of neighbouring samples', () => {
    const threshold = { comparison: 'gt', threshold: 3, forSeconds: 0 } as const;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 6 })), (values) => {
        const samples = values.map((value, index) => ({ atMs: index, value }));
        const crossings = values.filter((value, index) => value > 3 && !(values[index - 1]! > 3));
        const { turns } = all(threshold, samples);
        expect(turns.filter(({ type }) => type === 'opened')).toHaveLength(crossings.length);
      }),
    );
  });
});
