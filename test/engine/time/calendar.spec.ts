import { assert, date, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monthsAfter, monthsBefore, startOfMonth } from '../../../src/engine/time/calendar.ts';

describe('so many months before', () => {
  it.each([
    ['2027-09-15T10:20:30.456Z', 18, '2026-03-15T10:20:30.456Z'],
    ['2027-03-01T00:00:00.000Z', 1, '2027-02-01T00:00:00.000Z'],
    ['2027-03-15T23:59:59.999Z', 0, '2027-03-15T23:59:59.999Z'],
  ])('%s less %i is the same day and time of day: %s', (at, months, before) =>
    expect(monthsBefore(at, months)).toBe(before),
  );

  it.each([
    ['2027-03-31T12:00:00.000Z', 1, '2027-02-28T12:00:00.000Z'],
    ['2028-03-31T12:00:00.000Z', 1, '2028-02-29T12:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', 12, '2027-02-28T12:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', 48, '2024-02-29T12:00:00.000Z'],
    ['2027-12-31T23:59:59.999Z', 18, '2026-06-30T23:59:59.999Z'],
    ['2100-03-30T00:00:00.000Z', 1, '2100-02-28T00:00:00.000Z'],
  ])('%s less %i is the last day of a month that has no such day: %s', (at, months, before) =>
    expect(monthsBefore(at, months)).toBe(before),
  );

  it.each([
    ['2027-01-31T08:00:00.000Z', 1, '2026-12-31T08:00:00.000Z'],
    ['2027-06-30T08:00:00.000Z', 18, '2025-12-30T08:00:00.000Z'],
    ['2027-01-01T00:00:00.000Z', 25, '2024-12-01T00:00:00.000Z'],
  ])('%s less %i crosses the year: %s', (at, months, before) =>
    expect(monthsBefore(at, months)).toBe(before),
  );

  // On days that the earlier month does not have, its last day is passed once for each of them.
  it('never goes back to an earlier day as time goes on', () =>
    assert(
      property(
        date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        integer({ min: 0, max: 40 * 24 * 3_600_000 }),
        (from, laterMs) => {
          const later = new Date(from.getTime() + laterMs).toISOString();
          const [before, after] = [from.toISOString(), later].map((at) =>
            monthsBefore(at, 18).slice(0, '2026-11-22'.length),
          );
          expect(after! >= before!).toBe(true);
        },
      ),
    ));
});

describe('so many months after', () => {
  it.each([
    ['2026-03-15T10:20:30.456Z', 18, '2027-09-15T10:20:30.456Z'],
    ['2026-08-31T12:00:00.000Z', 18, '2028-02-29T12:00:00.000Z'],
    ['2025-08-29T23:00:00.000Z', 18, '2027-02-28T23:00:00.000Z'],
    ['2026-09-30T08:00:00.000Z', 18, '2028-03-30T08:00:00.000Z'],
  ])('%s and %i is the same day, or the month’s last: %s', (at, months, after) =>
    expect(monthsAfter(at, months)).toBe(after),
  );
});

describe('the start of a month', () => {
  it.each([
    ['2026-03-31T23:59:59.999Z', 0, '2026-03-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', 1, '2027-01-01T00:00:00.000Z'],
    ['2026-03-01T00:00:00.000Z', 19, '2027-10-01T00:00:00.000Z'],
  ])('of %s and %i further is %s', (at, months, start) =>
    expect(startOfMonth(at, months)).toBe(start),
  );
});
