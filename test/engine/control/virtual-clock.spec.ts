import { describe, expect, it } from 'vitest';
import {
  clockDecider,
  offsetAfter,
  type ClockEvent,
  type ClockOffset,
} from '../../../src/engine/control/virtual-clock.ts';
import { clockCodec } from '../../../src/engine/control/virtual-clock.ts';
import { fold, noon, specify } from '../../support/domain/specify.ts';
import { throughJson } from '../../support/domain/round-trip.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 366 * 24 * HOUR_MS;
const given = specify(clockDecider);
const advance = (byMs: number) => ({ type: 'StepClock', byMs }) as const;
const begin = (byMs: number, windowMaxMs: number | null = null) =>
  ({ type: 'BeginAdvance', byMs, windowMaxMs }) as const;
const advanced = (offsetMs: number) => ({ type: 'ClockAdvanced', offsetMs }) satisfies ClockEvent;

describe('the virtual clock', () => {
  it('is moved forward by the given duration', () =>
    given().when(advance(HOUR_MS)).records(advanced(HOUR_MS)));

  it('adds up, and records the whole offset', () =>
    given(advanced(HOUR_MS), advanced(3 * HOUR_MS))
      .when(advance(1))
      .records(advanced(3 * HOUR_MS + 1)));

  it.each([0, -1, 0.5, Number.NaN, Infinity, YEAR_MS + 1])('refuses an advance of %d ms', (byMs) =>
    given(advanced(HOUR_MS)).when(advance(byMs)).refuses('VALIDATION_FAILED'),
  );

  it('is moved by at most 366 days at once', () =>
    given().when(advance(YEAR_MS)).records(advanced(YEAR_MS)));

  it('never leaves the years that instants can represent', () => {
    given(advanced(99 * YEAR_MS))
      .when(advance(YEAR_MS))
      .records(advanced(100 * YEAR_MS));
    given(advanced(99 * YEAR_MS + 1))
      .when(advance(YEAR_MS))
      .refuses('VALIDATION_FAILED');
  });

  it('never goes back, whatever is stored', () => {
    const history = [advanced(2 * HOUR_MS), advanced(HOUR_MS)];
    expect(fold(clockDecider, history)).toMatchObject({ offsetMs: 2 * HOUR_MS });
    expect(
      offsetAfter(
        { event: advanced(HOUR_MS) },
        offsetAfter({ event: advanced(2 * HOUR_MS) }, null),
      ),
    ).toMatchObject({ offsetMs: 2 * HOUR_MS });
  });

  it('has the offset as of each advance', () => {
    const first = offsetAfter({ event: advanced(HOUR_MS) }, null);
    expect(first).toEqual({ offsetMs: HOUR_MS, target: null });
    const second = offsetAfter({ event: advanced(2 * HOUR_MS) }, first);
    expect(second).toEqual({ offsetMs: 2 * HOUR_MS, target: null });
  });

  it('is stored and read as it is', () =>
    expect(throughJson(clockCodec, advanced(HOUR_MS))).toEqual(advanced(HOUR_MS)));
});

describe('an advance', () => {
  const later = (ms: number) => new Date(Date.parse(noon.at) + ms).toISOString();
  const begun = (byMs: number): ClockEvent => ({ ...advanced(0), target: later(byMs) });

  it('is recorded with its target before it moves the clock', () =>
    given().when(begin(HOUR_MS)).records(begun(HOUR_MS)));

  it('keeps its target until it is finished', () =>
    expect(
      [begun(2 * HOUR_MS), advanced(HOUR_MS)].reduce<ClockOffset | null>(
        (before, event) => offsetAfter({ event }, before),
        null,
      ),
    ).toEqual({ offsetMs: HOUR_MS, target: later(2 * HOUR_MS) }));

  it('is refused beyond the quota per hour of real time, with the wait until it fits', () => {
    const bound = 2 * YEAR_MS;
    /** After an advance by a year at noon, in real time. */
    const after = (minutes: number, byMs: number, windowMaxMs: number | null = bound) => {
      const at = later(YEAR_MS + minutes * 60_000);
      return given(begun(YEAR_MS), advanced(YEAR_MS)).when(begin(byMs, windowMaxMs), {
        ...noon,
        at,
      });
    };
    expect(after(20, YEAR_MS).outcome).toMatchObject([{ type: 'ClockAdvanced' }]);
    expect(after(20, YEAR_MS, bound - 1).outcome).toMatchObject({
      refused: 'RATE_LIMITED',
      retryAfterS: 40 * 60,
    });
    expect(after(60, YEAR_MS, bound - 1).outcome).toMatchObject([{ type: 'ClockAdvanced' }]);
    expect(after(20, YEAR_MS, null).outcome).toMatchObject([{ type: 'ClockAdvanced' }]);
  });

  it('is stored and read as it is', () =>
    expect(throughJson(clockCodec, begun(HOUR_MS))).toEqual(begun(HOUR_MS)));
});
