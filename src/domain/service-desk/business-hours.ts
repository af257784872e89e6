/**
 * Working time within the hours of a calendar, by the wall clocks of its zone.
 *
 * An instant is working time if the wall clock of the calendar's zone then shows a time within one
 * of the day's intervals, and the day is no holiday. So an hour skipped by a clock change is not
 * working time, a repeated hour counts twice, and durations are always elapsed time. contract.md
 * section 5.
 */
import { DAY_MS, MINUTE_MS } from '../../engine/time/calendar.ts';
import { firstWith, offsetsOf } from '../../engine/time/time-zone.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof weekdays)[number];

/** From, until: `["09:00", "12:30"]`. The last moment of a day is `24:00`. */
export type Interval = readonly [string, string];

export interface BusinessCalendar {
  /** Name in the IANA database: `Europe/Berlin`. */
  readonly timeZone: string;
  readonly weekly: Readonly<Partial<Record<Weekday, readonly Interval[]>>>;
  /** Local dates: `2026-12-25`. */
  readonly holidays: readonly string[];
}

/**
 * The first instant at which this many minutes were worked since `start`; `start` itself for none.
 * A due time at the end of a working day is that evening, not the next morning.
 *
 * @param calendar `null`: around the clock.
 * @param minutes Not negative; fractions count to the millisecond.
 * @throws Error if the calendar has too little working time in {@link SEARCHED_DAYS_MAX} days.
 */
export const dueAfter = (
  calendar: BusinessCalendar | null,
  start: Instant,
  minutes: number,
): Instant => {
  const startMs = Date.parse(start);
  let leftMs = Math.round(minutes * MINUTE_MS);
  if (calendar === null || leftMs <= 0) return instantOf(startMs + Math.max(0, leftMs));
  for (const { from, to } of worked(calendar, startMs, startMs + SEARCHED_DAYS_MAX * DAY_MS)) {
    if (to - from >= leftMs) return instantOf(from + leftMs);
    leftMs -= to - from;
  }
  throw new Error(`${minutes} minutes are never worked in ${calendar.timeZone}`);
};

/**
 * The working time between two instants, in milliseconds; 0 where `to` is not after `from`.
 *
 * @param calendar `null`: around the clock.
 */
export const workingMs = (
  calendar: BusinessCalendar | null,
  from: Instant,
  to: Instant,
): number => {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  if (calendar === null) return Math.max(0, toMs - fromMs);
  let sum = 0;
  for (const span of worked(calendar, fromMs, toMs)) sum += span.to - span.from;
  return sum;
};

/** Working minutes of a week without holidays and clock changes. */
export const weeklyMinutes = ({ weekly }: Pick<BusinessCalendar, 'weekly'>): number =>
  weekdays
    .flatMap((day) => weekly[day] ?? [])
    .reduce((sum, [from, until]) => sum + minuteOf(until) - minuteOf(from), 0);

/** `09:30` is 570, `24:00` is 1440. */
export const minuteOf = (time: string): number =>
  Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Milliseconds since 1970; `from` is inclusive, `to` exclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The worked spans between two moments, in order, none empty. */
function* worked(calendar: BusinessCalendar, from: number, to: number): Generator<Span> {
  const holidays = new Set(calendar.holidays.map(dayOf));
  const week = weekdays.map((day) =>
    (calendar.weekly[day] ?? []).map(([start, end]) => [
      minuteOf(start) * MINUTE_MS,
      minuteOf(end) * MINUTE_MS,
    ]),
  );
  for (const stretch of stretches(calendar.timeZone, from, to)) {
    const firstDay = Math.floor((stretch.from + stretch.offset) / DAY_MS);
    const lastDay = Math.floor((stretch.to - 1 + stretch.offset) / DAY_MS);
    for (let day = firstDay; day <= lastDay; day += 1) {
      if (holidays.has(day)) continue;
      const midnight = day * DAY_MS - stretch.offset;
      for (const [start, end] of week[weekdayOf(day)]!) {
        const spanFrom = Math.max(stretch.from, midnight + start!);
        const spanTo = Math.min(stretch.to, midnight + end!);
        if (spanFrom < spanTo) yield { from: spanFrom, to: spanTo };
      }
    }
  }
}

/**
 * The time between two moments, split where the zone's clocks change. `offset`: wall clock minus
 * UTC.
 */
function* stretches(
  timeZone: string,
  from: number,
  to: number,
): Generator<Span & { readonly offset: number }> {
  const offsetAt = offsetsOf(timeZone);
  let start = from;
  let offset = offsetAt(start);
  for (let searched = from; searched < to;) {
    const next = Math.min(searched + LOOK_MS, to);
    const offsetThen = offsetAt(next);
    if (offsetThen !== offset) {
      const change = firstWith((moment) => offsetAt(moment) !== offset, searched, next);
      yield { from: start, to: change, offset };
      start = change;
      offset = offsetAt(change);
      searched = change;
    } else {
      yield { from: start, to: next, offset };
      start = next;
      searched = next;
    }
  }
}

/** Index in {@link weekdays}. Days are counted from 1970-01-01, which was a Thursday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

const dayOf = (date: string): number => Math.floor(Date.parse(date) / DAY_MS);

const instantOf = (moment: number): Instant => new Date(moment).toISOString();

/** No zone changes its clocks twice within this time. */
const LOOK_MS = 3 * DAY_MS;
/** Longer than any accepted configuration can need, whatever its holidays. */
const SEARCHED_DAYS_MAX = 10_000;
