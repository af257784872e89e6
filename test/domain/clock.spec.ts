import { describe, expect, it } from 'vitest';
import { clockDecider, offsetAfter, type ClockEvent } from '../../src/domain/clock/clock.ts';
import { clockCodec } from '../../src/store/codecs.ts';
import { fold, specify } from '../support/domain/specify.ts';
import { throughJson } from '../support/domain/round-trip.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 366 * 24 * HOUR_MS;
const given = specify(clockDecider);
const advance = (byMs: number) => ({ type: 'AdvanceClock', byMs }) as const;
const advanced = (offsetMs: number) => ({ type: 'ClockAdvanced', offsetMs }) satisfies ClockEvent;

describe('the virtual clock', () => {
  it('is moved forward by what is asked', () =>
    given().when(advance(HOUR_MS)).records(advanced(HOUR_MS)));

  it('adds up, and records the whole offset', () =>
    given(advanced(HOUR_MS), advanced(3 * HOUR_MS))
      .when(advance(1))
      .records(advanced(3 * HOUR_MS + 1)));

  it.each([0, -1, 0.5, Number.NaN, Infinity, YEAR_MS + 1])('refuses an advance of %d ms', (byMs) =>
    given(advanced(HOUR_MS)).when(advance(byMs)).refuses('VALIDATION_FAILED'),
  );

  it('is moved by 366 days at once at the most', () =>
    given().when(advance(YEAR_MS)).records(advanced(YEAR_MS)));

  it('never leaves the years that instants can be written in', () => {
    given(advanced(99 * YEAR_MS))
      .when(advance(YEAR_MS))
      .records(advanced(100 * YEAR_MS));
    given(advanced(99 * YEAR_MS + 1))
      .when(advance(YEAR_MS))
      .refuses('VALIDATION_FAILED');
  });

  it('never goes back, whatever is stored', () => {
    const history = [advanced(2 * HOUR_MS), advanced(HOUR_MS)];
    expect(fold(clockDecider, history)).toEqual({ offsetMs: 2 * HOUR_MS });
    expect(
      offsetAfter(
        { event: advanced(HOUR_MS) },
        offsetAfter({ event: advanced(2 * HOUR_MS) }, null),
      ),
    ).toEqual({ offsetMs: 2 * HOUR_MS });
  });

  it('shows the offset as of each advance', () => {
    const first = offsetAfter({ event: advanced(HOUR_MS) }, null);
    expect(first).toEqual({ offsetMs: HOUR_MS });
    expect(offsetAfter({ event: advanced(2 * HOUR_MS) }, first)).toEqual({ offsetMs: 2 * HOUR_MS });
  });

  it('is stored and read as it is', () =>
    expect(throughJson(clockCodec, advanced(HOUR_MS))).toEqual(advanced(HOUR_MS)));
});
