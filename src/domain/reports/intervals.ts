/**
 * The intervals of a report: days, weeks from Monday, or calendar months of a time zone. An
 * interval at the edge of the period is cut there. contract.md section 5.
 */
import { DAY_MS } from '../../engine/time/calendar.ts';
import { localDays } from '../../engine/time/time-zone.ts';
import { REPORT_DAYS_MAX, REPORT_INTERVALS_MAX } from './limits.ts';

export const intervalLengths = ['day', 'week', 'month'] as const;
export type IntervalLength = (typeof intervalLengths)[number];

export interface ReportPeriod {
  /** First day, `2026-11-01`. */
  readonly from: string;
  /** Last day. */
  readonly to: string;
  readonly length: IntervalLength;
  /** Name in the IANA database. */
  readonly timeZone: string;
}

export interface ReportInterval {
  /** First and last day, in the zone. */
  readonly from: string;
  readonly to: string;
  /** Milliseconds since 1970; the end is exclusive. */
  readonly startMs: number;
  readonly endMs: number;
}

/** Why a period cannot be reported. `path` is the parameter at fault. */
export interface PeriodProblem {
  readonly path: 'from' | 'to' | 'interval';
  readonly message: string;
}

/** `null` for a period that can be reported. */
export const periodProblem = ({ from, to, length }: ReportPeriod): PeriodProblem | null => {
  // Before the year 0, dates have another form.
  if (dayOf(to) < 0) return { path: 'to', message: 'must not be before 1970-01-01' };
  const days = dayOf(to) - dayOf(from) + 1;
  if (days < 1) return { path: 'to', message: 'must not be before from' };
  if (days > REPORT_DAYS_MAX)
    return { path: 'from', message: `must be at most ${REPORT_DAYS_MAX} days before to` };
  return length === 'day' && days > REPORT_INTERVALS_MAX
    ? { path: 'interval', message: `must be longer: at most ${REPORT_INTERVALS_MAX} intervals` }
    : null;
};

/**
 * The intervals of a period that {@link periodProblem} accepts, in order and without gaps.
 *
 * @param nowMs Intervals that begin later are left out.
 */
export const intervalsOf = (
  { from, to, length, timeZone }: ReportPeriod,
  nowMs: number,
): readonly ReportInterval[] => {
  const { startOf } = localDays(timeZone);
  const [first, last] = [dayOf(from), dayOf(to)];
  const intervals: ReportInterval[] = [];
  for (let day = first; day <= last;) {
    const next = Math.min(nextStart[length](day), last + 1);
    const startMs = startOf(day);
    if (startMs > nowMs) break;
    intervals.push({ from: dateOf(day), to: dateOf(next - 1), startMs, endMs: startOf(next) });
    day = next;
  }
  return intervals;
};

/** The date that the zone's wall clock shows. */
export const dateAt = (timeZone: string, moment: number): string =>
  dateOf(localDays(timeZone).dayAt(moment));

/** This many days later, or earlier where negative. */
export const dateAfter = (date: string, days: number): string => dateOf(dayOf(date) + days);

/** The first day of the interval after the one that has `day`. */
const nextStart: Readonly<Record<IntervalLength, (day: number) => number>> = {
  day: (day) => day + 1,
  // 1970-01-01 was a Thursday.
  week: (day) => day + 7 - ((((day + 3) % 7) + 7) % 7),
  month: (day) => {
    const date = new Date(day * DAY_MS);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS;
  },
};

const dayOf = (date: string): number => Date.parse(date) / DAY_MS;
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
