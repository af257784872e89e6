import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueAfter, workingMs } from '../../../src/domain/service-desk/business-hours.ts';
import type {
  BusinessCalendar,
  Interval,
} from '../../../src/domain/service-desk/business-hours.ts';

const office: readonly Interval[] = [
  ['09:00', '12:00'],
  ['13:00', '17:00'],
];

/** Monday to Friday, seven hours a day. 2026-03-02 is a Monday. */
const berlin: BusinessCalendar = {
  timeZone: 'Europe/Berlin',
  weekly: { monday: office, tuesday: office, wednesday: office, thursday: office, friday: office },
  holidays: ['2026-04-03', '2026-04-06'],
};

const always = (timeZone: string, from: string, until: string): BusinessCalendar => {
  const day: readonly Interval[] = [[from, until]];
  return {
    timeZone,
    weekly: {
      monday: day,
      tuesday: day,
      wednesday: day,
      thursday: day,
      friday: day,
      saturday: day,
      sunday: day,
    },
    holidays: [],
  };
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('a due time in business hours', () => {
  it.each([
    ['within an interval', '2026-03-02T08:30:00.000Z', 60, '2026-03-02T09:30:00.000Z'],
    ['over the noon break', '2026-03-02T10:30:00.000Z', 60, '2026-03-02T12:30:00.000Z'],
    ['from within the break', '2026-03-02T11:15:00.000Z', 60, '2026-03-02T13:00:00.000Z'],
    ['from before the day', '2026-03-02T03:00:00.000Z', 60, '2026-03-02T09:00:00.000Z'],
    ['over a night', '2026-03-02T15:30:00.000Z', 60, '2026-03-03T08:30:00.000Z'],
    ['over a weekend', '2026-03-06T15:30:00.000Z', 60, '2026-03-09T08:30:00.000Z'],
    ['over the holidays of Easter', '2026-04-02T14:30:00.000Z', 60, '2026-04-07T07:30:00.000Z'],
    ['of several days', '2026-03-02T08:00:00.000Z', 3 * 420, '2026-03-04T16:00:00.000Z'],
    [
      'at the end of the day, not the next morning',
      '2026-03-02T15:00:00.000Z',
      60,
      '2026-03-02T16:00:00.000Z',
    ],
    ['to the millisecond', '2026-03-02T15:59:59.999Z', 1, '2026-03-03T08:00:59.999Z'],
    [
      'of no minutes, wherever it starts',
      '2026-03-01T03:00:00.000Z',
      0,
      '2026-03-01T03:00:00.000Z',
    ],
  ])('is %s', (_, start, minutes, due) => expect(dueAfter(berlin, start, minutes)).toBe(due));

  it('counts around the clock without a calendar', () => {
    expect(dueAfter(null, '2026-03-28T23:30:00.000Z', 240)).toBe('2026-03-29T03:30:00.000Z');
    expect(dueAfter(null, '2026-03-02T23:59:59.999Z', 15)).toBe('2026-03-03T00:14:59.999Z');
    expect(dueAfter(null, '2028-02-28T12:00:00.000Z', 1440)).toBe('2028-02-29T12:00:00.000Z');
    expect(workingMs(null, '2026-03-28T23:30:00.000Z', '2026-03-29T03:30:00.000Z')).toBe(
      4 * HOUR_MS,
    );
    expect(workingMs(null, '2026-03-29T03:30:00.000Z', '2026-03-28T23:30:00.000Z')).toBe(0);
  });

  it('keeps to the wall clock from the Friday before the clocks change to the Monday after', () => {
    // Nine in Berlin is eight in UTC in winter and seven in summer.
    expect(dueAfter(berlin, '2026-03-27T15:30:00.000Z', 60)).toBe('2026-03-30T07:30:00.000Z');
    expect(dueAfter(berlin, '2026-10-23T14:30:00.000Z', 60)).toBe('2026-10-26T08:30:00.000Z');
  });
});

describe('a change of clocks within the hours', () => {
  const nights = always('Europe/Berlin', '01:00', '05:00');

  it('subtracts the hour that the clock skips', () => {
    expect(workingMs(nights, '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z')).toBe(
      3 * HOUR_MS,
    );
    // From 01:30, ninety minutes on: 04:00 on the wall.
    expect(dueAfter(nights, '2026-03-29T00:30:00.000Z', 90)).toBe('2026-03-29T02:00:00.000Z');
  });

  it('adds the hour that the clock repeats', () => {
    expect(workingMs(nights, '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z')).toBe(
      5 * HOUR_MS,
    );
    expect(dueAfter(nights, '2026-10-24T23:30:00.000Z', 120)).toBe('2026-10-25T01:30:00.000Z');
  });

  it('removes an interval that it skips, and doubles one that it repeats', () => {
    const skipped = always('Europe/Berlin', '02:15', '02:45');
    expect(workingMs(skipped, '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z')).toBe(0);
    expect(workingMs(skipped, '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z')).toBe(
      HOUR_MS,
    );
  });

  it('makes days of 23 and of 25 hours', () => {
    const round = always('America/New_York', '00:00', '24:00');
    expect(workingMs(round, '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z')).toBe(
      23 * HOUR_MS,
    );
    expect(workingMs(round, '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z')).toBe(
      25 * HOUR_MS,
    );
  });

  it('may be of half an hour, and happen at midnight', () => {
    const howe = always('Australia/Lord_Howe', '01:00', '03:00');
    // Lord Howe Island: half an hour, on the first Sundays of April and October at two.
    expect(workingMs(howe, '2026-04-04T13:00:00.000Z', '2026-04-05T13:30:00.000Z')).toBe(
      2.5 * HOUR_MS,
    );
    const beirut = always('Asia/Beirut', '00:00', '02:00');
    expect(workingMs(beirut, '2026-03-28T22:00:00.000Z', '2026-03-29T21:00:00.000Z')).toBe(HOUR_MS);
  });

  it('may remove a whole day', () => {
    // Samoa had no 30 December 2011.
    const samoa = always('Pacific/Apia', '09:00', '17:00');
    expect(dueAfter(samoa, '2011-12-30T02:00:00.000Z', 120)).toBe('2011-12-30T20:00:00.000Z');
  });
});

describe('a holiday', () => {
  it("is a day of the calendar's zone", () => {
    const auckland = { ...always('Pacific/Auckland', '09:00', '17:00'), holidays: ['2026-12-25'] };
    // Nine in the morning of the 25th in Auckland is the evening of the 24th in UTC.
    expect(dueAfter(auckland, '2026-12-24T19:00:00.000Z', 60)).toBe('2026-12-25T21:00:00.000Z');
    expect(workingMs(auckland, '2026-12-24T11:00:00.000Z', '2026-12-25T11:00:00.000Z')).toBe(0);
  });
});

describe('for all calendars and times', () => {
  const anyZone = fc.constantFrom(
    'Europe/Berlin',
    'America/New_York',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Casablanca',
    'Pacific/Apia',
    'UTC',
  );
  const time = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  const anyDay = fc
    .uniqueArray(fc.integer({ min: 0, max: 24 * 60 }), { minLength: 2, maxLength: 6 })
    .map((minutes) => minutes.toSorted((a, b) => a - b))
    .map((minutes) =>
      minutes.flatMap((minute, index): Interval[] =>
        index % 2 === 1 ? [[time(minutes[index - 1]!), time(minute)]] : [],
      ),
    );
  const anyCalendar: fc.Arbitrary<BusinessCalendar> = fc.record({
    timeZone: anyZone,
    weekly: fc.record(
      { monday: anyDay, tuesday: anyDay, saturday: anyDay, sunday: anyDay },
      { requiredKeys: ['sunday'] },
    ),
    holidays: fc.subarray(['2026-03-29', '2026-03-30', '2026-10-25', '2026-11-01']),
  });
  const anyInstant = fc
    .date({
      min: new Date('2026-01-01'),
      max: new Date('2027-01-01'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString());
  const anyMinutes = fc.integer({ min: 1, max: 3_000 });
  const later = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();

  const holds = (law: (calendar: BusinessCalendar, at: string, minutes: number) => void) =>
    fc.assert(fc.property(anyCalendar, anyInstant, anyMinutes, law), { numRuns: 150 });

  it('a due time is the first instant by which the minutes have been worked', () =>
    holds((calendar, start, minutes) => {
      const due = dueAfter(calendar, start, minutes);
      expect(workingMs(calendar, start, due)).toBe(minutes * MINUTE_MS);
      expect(workingMs(calendar, start, later(due, -1))).toBe(minutes * MINUTE_MS - 1);
    }));

  it('a later start is never due earlier, and more minutes always later', () =>
    holds((calendar, start, minutes) => {
      const due = dueAfter(calendar, start, minutes);
      expect(dueAfter(calendar, later(start, minutes * 7_919), minutes) >= due).toBe(true);
      expect(dueAfter(calendar, start, minutes + 1) > due).toBe(true);
    }));

  it('working time is additive over adjoining intervals', () =>
    holds((calendar, start, minutes) => {
      const middle = later(start, minutes * 100_003);
      const end = later(middle, minutes * 70_001);
      expect(workingMs(calendar, start, end)).toBe(
        workingMs(calendar, start, middle) + workingMs(calendar, middle, end),
      );
      expect(workingMs(calendar, end, start)).toBe(0);
    }));

  it('a minute counts by the wall clock, as an independent implementation finds', () =>
    holds((calendar, start) => {
      const whole = `${start.slice(0, 16)}:00.000Z`;
      const shown = new Intl.DateTimeFormat('sv', {
        timeZone: calendar.timeZone,
        weekday: 'long',
        dateStyle: undefined,
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
      }).formatToParts(new Date(whole));
      const part = (name: string) => shown.find(({ type }) => type === name)?.value ?? '';
      const date = `${part('year')}-${part('month')}-${part('day')}`;
      const wall = `${part('hour')}:${part('minute')}`;
      const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
      const weekday = days[new Date(`${date}T00:00:00.000Z`).getUTCDay()] as 'sunday';
      const isWorked =
        !calendar.holidays.includes(date) &&
        (calendar.weekly[weekday] ?? []).some(([from, until]) => from <= wall && wall < until);
      expect(workingMs(calendar, whole, later(whole, MINUTE_MS))).toBe(isWorked ? MINUTE_MS : 0);
    }));
});
