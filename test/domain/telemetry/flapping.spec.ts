import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldTurns,
  noFaults,
  type Fault,
  type Faults,
} from '../../../src/domain/telemetry/flapping.ts';
import type { Turn } from '../../../src/domain/telemetry/rules.ts';

const minute = (count: number) => count * 60_000;

/** Opens and recovers every `everyMs`, beginning with an opening. */
const alternating = (count: number, everyMs: number, fromMs = 0): Turn[] =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? { type: 'opened', atMs: fromMs + index * everyMs, value: 30 }
      : { type: 'closed', atMs: fromMs + index * everyMs },
  );

const run = (turns: readonly Turn[], untilMs = 0, from: Faults = noFaults) => {
  const faults = new Map<number, Fault>();
  const state = foldTurns(from, turns, untilMs, (fault) => faults.set(fault.openedMs, fault));
  return { state, faults: [...faults.values()] };
};

describe('faults of one rule and point', () => {
  it('open and close with the turns of the rule', () => {
    const { faults } = run(alternating(3, minute(1)));
    expect(faults).toEqual([
      { openedMs: 0, value: 30, closedMs: minute(1), flapping: null, flapCount: 0 },
      { openedMs: minute(2), value: 30, closedMs: null, flapping: null, flapCount: 0 },
    ]);
  });

  it('are at most 12 in an hour of data: the last stays open and counts the others', () => {
    const { faults } = run(alternating(5_000, 1));
    expect(faults).toHaveLength(12);
    expect(faults.slice(0, 11).every(({ closedMs }) => closedMs !== null)).toBe(true);
    expect(faults.at(-1)).toEqual({
      openedMs: 22,
      value: 30,
      closedMs: null,
      flapping: { changedMs: 4_999, isBreached: false },
      flapCount: 2_500 - 12,
    });
  });

  it('are counted apart when an hour separates them', () => {
    const { faults } = run(alternating(200, minute(3)));
    expect(faults).toHaveLength(100);
    expect(faults.every(({ flapCount }) => flapCount === 0)).toBe(true);
  });

  it('that flap close when they have been quiet for an hour', () => {
    const turns = alternating(26, 1);
    expect(run(turns, 25 + minute(60) - 1).faults.at(-1)).toMatchObject({ closedMs: null });
    const { faults, state } = run(turns, 25 + minute(60));
    expect(faults.at(-1)).toMatchObject({
      closedMs: 25 + minute(60),
      flapping: null,
      flapCount: 1,
    });
    const later = run(alternating(2, 1, minute(62)), 0, state).faults;
    expect(later).toMatchObject([{ openedMs: minute(62), flapCount: 0 }]);
  });

  it('that flap stay open without flapping where the condition has held for an hour', () => {
    const turns = alternating(25, 1);
    const { faults, state } = run(turns, minute(61));
    expect(faults.at(-1)).toMatchObject({ closedMs: null, flapping: null, flapCount: 1 });
    const back = run([{ type: 'closed', atMs: minute(70) }], 0, state);
    expect(back.faults).toMatchObject([{ closedMs: minute(70), flapCount: 1 }]);
  });

  it('are never more than 12 in any hour, and at most one of them is open', () => {
    const gaps = fc.array(fc.nat({ max: minute(9) }), { maxLength: 120 });
    fc.assert(
      fc.property(gaps, (steps) => {
        let atMs = 0;
        const turns = steps.map((gapMs, index): Turn => {
          atMs += gapMs + 1;
          return index % 2 === 0 ? { type: 'opened', atMs, value: 1 } : { type: 'closed', atMs };
        });
        const { faults } = run(turns);
        for (const { openedMs } of faults) {
          const hour = faults.filter((one) => Math.abs(one.openedMs - openedMs) < minute(60));
          const after = hour.filter((one) => one.openedMs >= openedMs);
          expect(after.length).toBeLessThanOrEqual(12);
        }
        expect(faults.filter(({ closedMs }) => closedMs === null).length).toBeLessThanOrEqual(1);
        const openings = turns.filter(({ type }) => type === 'opened').length;
        const counted = faults.reduce((sum, { flapCount }) => sum + 1 + flapCount, 0);
        expect(counted).toBe(openings);
      }),
    );
  });
});
