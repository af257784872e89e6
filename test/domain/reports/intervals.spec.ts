import { describe, expect, it } from 'vitest';
import {
  dateAfter,
  dateAt,
  intervalsOf,
  periodProblem,
  type IntervalLength,
} from '../../../src/domain/reports/intervals.ts';
import { REPORT_DAYS_MAX, REPORT_INTERVALS_MAX } from '../../../src/domain/reports/limits.ts';

const LATER = Date.parse('2100-01-01');
const periodOf = (
  from: string,
  to: string,
  length: IntervalLength,
  timeZone = 'Europe/Berlin',
) => ({
  from,
  to,
  length,
  timeZone,
});
const named = (from: string, to: string, length: IntervalLength) =>
  intervalsOf(periodOf(from, to, length), LATER).map((one) => `${one.from}/${one.to}`);

describe('the intervals of a period', () => {
  it('are days, weeks from Monday and months, cut at the edges of the period', () => {
    expect(named('2026-03-28', '2026-03-30', 'day')).toEqual([
      '2026-03-28/2026-03-28',
      '2026-03-29/2026-03-29',
      '2026-03-30/2026-03-30',
    ]);
    expect(named('2026-03-04', '2026-03-17', 'week')).toEqual([
      '2026-03-04/2026-03-08',
      '2026-03-09/2026-03-15',
      '2026-03-16/2026-03-17',
    ]);
    expect(named('2026-01-31', '2026-03-01', 'month')).toEqual([
      '2026-01-31/2026-01-31',
      '2026-02-01/2026-02-28',
      '2026-03-01/2026-03-01',
    ]);
    expect(named('1969-12-29', '1970-01-05', 'week')).toEqual([
      '1969-12-29/1970-01-04',
      '1970-01-05/1970-01-05',
    ]);
  });

  it('have the length of the wall clock when clocks change', () => {
    const hours = (date: string) =>
      intervalsOf(periodOf(date, date, 'day'), LATER).map(
        ({ startMs, endMs }) => (endMs - startMs) / 3_600_000,
      );
    expect([hours('2026-03-28'), hours('2026-03-29'), hours('2026-10-25')]).toEqual([
      [24],
      [23],
      [25],
    ]);
  });

  it('leave no gap', () => {
    const days = intervalsOf(periodOf('2026-01-01', '2026-12-31', 'day'), LATER);
    expect(days).toHaveLength(365);
    expect(days.slice(1).map(({ startMs }) => startMs)).toEqual(
      days.slice(0, -1).map(({ endMs }) => endMs),
    );
  });

  it('end with the interval that contains now', () => {
    const now = Date.parse('2026-03-02T22:59:59.999Z');
    const count = (at: number) =>
      intervalsOf(periodOf('2026-03-01', '2026-03-31', 'day'), at).length;
    expect([count(now), count(now + 1)]).toEqual([2, 3]);
  });
});

describe('a period', () => {
  it('is at least a day and has its bounds', () => {
    const problemOf = (from: string, to: string, length: IntervalLength) =>
      periodProblem(periodOf(from, to, length))?.path ?? null;
    const to = '2026-03-31';
    expect(problemOf(to, to, 'day')).toBeNull();
    expect(problemOf('2026-04-01', to, 'day')).toBe('to');
    expect(problemOf(dateAfter(to, 1 - REPORT_INTERVALS_MAX), to, 'day')).toBeNull();
    expect(problemOf(dateAfter(to, -REPORT_INTERVALS_MAX), to, 'day')).toBe('interval');
    expect(problemOf(dateAfter(to, 1 - REPORT_DAYS_MAX), to, 'week')).toBeNull();
    expect(problemOf(dateAfter(to, -REPORT_DAYS_MAX), to, 'week')).toBe('from');
    expect(problemOf('1969-12-31', '1970-01-01', 'day')).toBeNull();
    expect(problemOf('1969-12-30', '1969-12-31', 'day')).toBe('to');
  });

  it('has its dates by the wall clock', () => {
    expect(dateAt('Pacific/Auckland', Date.parse('2026-12-24T19:00:00Z'))).toBe('2026-12-25');
    expect(dateAt('America/New_York', Date.parse('2026-12-24T04:00:00Z'))).toBe('2026-12-23');
  });
});
