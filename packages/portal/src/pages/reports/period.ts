/** Periods by name, as days of the reader's calendar; the server counts in the desk's zone. */
import { timeNow } from '../../ui/now.ts';

export const PERIODS = [
  ['30d', 'Last 30 days'],
  ['7d', 'Last 7 days'],
  ['90d', 'Last 90 days'],
  ['365d', 'Last 12 months'],
  ['custom', 'Other days'],
] as const;

export interface Period {
  readonly from: string;
  readonly to: string;
}

export const dateOf = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

const daysBefore = (date: string, days: number): string => {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  return dateOf(new Date(year, month - 1, day - days));
};

const DEFAULT_DAYS = 30;

/** The period that the query names, see {@link PERIODS}. Default: the last 30 days. */
export const periodOf = (query: URLSearchParams, today = dateOf(new Date(timeNow()))): Period => {
  const name = query.get('period') ?? '';
  if (name === 'custom') {
    const to = query.get('to') ?? today;
    return { from: query.get('from') ?? daysBefore(to, DEFAULT_DAYS - 1), to };
  }
  const days = Number(/^(\d+)d$/.exec(name)?.[1] ?? DEFAULT_DAYS);
  return { from: daysBefore(today, days - 1), to: today };
};

/** The length of interval with which a period has at most about forty. */
export const suitable = ({ from, to }: Period): 'day' | 'week' | 'month' => {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  if (days <= 45) return 'day';
  return days <= 200 ? 'week' : 'month';
};

/** The latest months, newest first: `2026-11`. */
export const lastMonths = (count: number, today = new Date(timeNow())): readonly string[] =>
  Array.from({ length: count }, (_, before) =>
    dateOf(new Date(today.getFullYear(), today.getMonth() - before, 1)).slice(0, 7),
  );

/** The days of a month such as `2026-11`. @param before Months earlier. Default 0. */
export const daysOfMonth = (month: string, before = 0): Period => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return {
    from: dateOf(new Date(year, number - 1 - before, 1)),
    to: dateOf(new Date(year, number - before, 0)),
  };
};

const names = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export const monthName = (month: string): string => names.format(new Date(`${month}-01`));
