/** Days and calendar months, in UTC: what the interface's terms of months mean. */
import type { Instant } from './instant.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const daysAfter = (at: Instant, days: number): Instant =>
  new Date(Date.parse(at) + days * DAY_MS).toISOString();

/**
 * This many calendar months before `at`: the same day and time of day, or the month's last day.
 * contract.md section 3.
 */
export const monthsBefore = (at: Instant, months: number): Instant => monthsAfter(at, -months);

/** This many calendar months after `at`, in the same way. */
export const monthsAfter = (at: Instant, months: number): Instant => {
  const then = new Date(at);
  const day = then.getUTCDate();
  // On the first, so that no month is too short for the day.
  then.setUTCDate(1);
  then.setUTCMonth(then.getUTCMonth() + months);
  const first = then.toISOString();
  then.setUTCDate(Math.min(day, daysIn(first)));
  return then.toISOString();
};

/**
 * The first instant of the month of `at`, or of a later month.
 *
 * @param months Months to add. Default 0.
 */
export const startOfMonth = (at: Instant, months = 0): Instant => {
  const start = new Date(`${at.slice(0, 7)}-01T00:00:00.000Z`);
  start.setUTCMonth(start.getUTCMonth() + months);
  return start.toISOString();
};

const daysIn = (at: Instant): number => {
  const next = new Date(startOfMonth(at, 1));
  next.setUTCDate(0);
  return next.getUTCDate();
};
