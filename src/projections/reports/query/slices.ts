import type { ReportInterval } from '../../../domain/reports/intervals.ts';
import { DAY_MS, HOUR_MS } from '../../../engine/time/calendar.ts';
import { REPORT_SLICE_DAYS_MAX } from '../limits.ts';

/** Intervals that one statement reads. */
export interface Slice {
  /** Index of its first interval among all. */
  readonly at: number;
  /** In order and without gaps; at least one. */
  readonly intervals: readonly ReportInterval[];
}

/** The intervals in slices of {@link REPORT_SLICE_DAYS_MAX} days; an interval is never divided. */
export const slicesOf = (intervals: readonly ReportInterval[]): readonly Slice[] => {
  const slices: { at: number; intervals: ReportInterval[] }[] = [];
  for (const [at, interval] of intervals.entries()) {
    const current = slices.at(-1);
    if (current && interval.endMs - current.intervals[0]!.startMs <= SLICE_MS)
      current.intervals.push(interval);
    else slices.push({ at, intervals: [interval] });
  }
  return slices;
};

/** A day with a change of clocks may be an hour longer. */
const SLICE_MS = REPORT_SLICE_DAYS_MAX * DAY_MS + HOUR_MS;
