/** The computations of the reports page. */
import { describe, expect, it } from 'vitest';
import { valueIn, written } from '../packages/portal/src/pages/reports/figures.ts';
import {
  daysOfMonth,
  lastMonths,
  periodOf,
  suitable,
} from '../packages/portal/src/pages/reports/period.ts';

describe('a period of the reports page', () => {
  const of = (query: string) => periodOf(new URLSearchParams(query), '2026-03-02');

  it('ends today, and has thirty days unless it says otherwise', () => {
    expect(of('')).toEqual({ from: '2026-02-01', to: '2026-03-02' });
    expect(of('period=7d')).toEqual({ from: '2026-02-24', to: '2026-03-02' });
    expect(of('period=x')).toEqual(of(''));
    const days = 'from=2026-01-01&to=2026-01-31';
    expect(of(`period=custom&${days}`)).toEqual({ from: '2026-01-01', to: '2026-01-31' });
    expect(of(days)).toEqual(of(''));
  });

  it('is divided into at most some forty intervals', () => {
    expect(suitable({ from: '2026-02-01', to: '2026-03-02' })).toBe('day');
    expect(suitable({ from: '2026-01-01', to: '2026-03-31' })).toBe('week');
    expect(suitable({ from: '2025-03-03', to: '2026-03-02' })).toBe('month');
  });

  it('is a month with all its days', () => {
    expect(daysOfMonth('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
    expect(daysOfMonth('2026-01', 1)).toEqual({ from: '2025-12-01', to: '2025-12-31' });
    expect(lastMonths(3, new Date(2026, 0, 31))).toEqual(['2026-01', '2025-12', '2025-11']);
  });
});

describe('a figure', () => {
  it('is written in the unit that suits it', () => {
    expect([0, 59.6, 90, 47 * 60, 48 * 60].map((minutes) => written(minutes, 'minutes'))).toEqual([
      '0 min',
      '60 min',
      '1.5 h',
      '47.0 h',
      '2.0 d',
    ]);
    expect([0, 0.3333, 1].map((share) => written(share, 'share'))).toEqual([
      '0 %',
      '33.3 %',
      '100 %',
    ]);
    expect([written(12_345, 'count'), written(null, 'count')]).toEqual(['12,345', '–']);
  });

  it('is found in a value, nested or not', () => {
    const series = { values: [{ firstResponse: { share: 0.5 }, count: 2 }] };
    expect(valueIn(series, 0, 'firstResponse.share')).toBe(0.5);
    expect(valueIn(series, 0, 'count')).toBe(2);
    expect([valueIn(series, 1, 'count'), valueIn(undefined, 0, 'count')]).toEqual([null, null]);
  });
});
