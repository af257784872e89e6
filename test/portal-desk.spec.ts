/** The computations of the desk's editors: days off in a calendar file, and hours of a day. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysOffIn, ICS_DAYS_MAX, ICS_EVENTS_MAX } from '../packages/portal/src/pages/desk/ics.ts';
import { parsed } from '../packages/portal/src/pages/desk/document.ts';
import {
  closed,
  dayWords,
  minutesIn,
  opened,
  spokenDay,
  within,
  writtenDay,
  type Interval,
} from '../packages/portal/src/pages/desk/intervals.ts';
import { differencesIn } from '../packages/portal/src/pages/desk/differences.ts';
import {
  mergeConfigurations,
  sectionIn,
  sectionText,
  withSection,
} from '../packages/portal/src/pages/desk/sections.ts';
import { wordsOf } from '../packages/portal/src/ui/error-words.ts';

const file = (...events: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: readonly string[]): string =>
  ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
const datesIn = (text: string, thisYear = 2026): readonly string[] =>
  daysOffIn(text, thisYear).days.map(({ date }) => date);

describe('a calendar file', () => {
  it('gives the dates of its all-day events, each once, in their order, with their names', () => {
    const text = file(
      event('DTSTART;VALUE=DATE:20261226', 'DTEND;VALUE=DATE:20261227', 'SUMMARY:Boxing Day'),
      event('DTSTART;VALUE=DATE:20261225', 'SUMMARY;LANGUAGE=en:Christmas\\, the first', ' day'),
      event('DTSTART;VALUE=DATE:20261225', 'SUMMARY:again'),
    );
    expect(daysOffIn(text, 2026)).toEqual({
      days: [
        { date: '2026-12-25', summary: 'Christmas, the firstday' },
        { date: '2026-12-26', summary: 'Boxing Day' },
      ],
      skipped: 0,
      isCut: false,
    });
  });

  it('counts an event of several days up to the day before its end', () => {
    const text = file(event('DTSTART;VALUE=DATE:20261230', 'DTEND;VALUE=DATE:20270102'));
    expect(datesIn(text)).toEqual(['2026-12-30', '2026-12-31', '2027-01-01']);
  });

  it('repeats a yearly event from this year on, and not past its end', () => {
    const yearly = event('DTSTART;VALUE=DATE:20000501', 'RRULE:FREQ=YEARLY;UNTIL=20280501');
    expect(datesIn(file(yearly))).toEqual(['2026-05-01', '2027-05-01', '2028-05-01']);
    const leap = event('DTSTART;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY');
    expect(datesIn(file(leap))).toEqual(['2028-02-29']);
  });

  it('leaves out events with a time of day and other repetitions, and counts them', () => {
    const text = file(
      event('DTSTART:20261225T090000Z'),
      event('DTSTART;VALUE=DATE:20261101', 'RRULE:FREQ=MONTHLY'),
      event('DTSTART;VALUE=DATE:20261101', 'RRULE:FREQ=YEARLY;BYDAY=2MO'),
      event('DTSTART;VALUE=DATE:20260231'),
      event('SUMMARY:without a day'),
    );
    expect(daysOffIn(text, 2026)).toEqual({ days: [], skipped: 5, isCut: false });
  });

  it('ignores components nested in an event', () => {
    const alarm = ['BEGIN:VALARM', 'DTSTART;VALUE=DATE:20200101', 'END:VALARM'];
    expect(datesIn(file(event(...alarm, 'DTSTART;VALUE=DATE:20261225')))).toEqual(['2026-12-25']);
  });

  it('is refused where it is none', () => {
    expect(() => daysOffIn('<html>', 2026)).toThrow('This is not a calendar file');
    expect(() => daysOffIn('', 2026)).toThrow('This is not a calendar file');
  });

  it('is read up to its limits, for any content', () => {
    const many = Array.from({ length: ICS_EVENTS_MAX + 10 }, () =>
      event('DTSTART;VALUE=DATE:20260101', 'DTEND;VALUE=DATE:99991231', 'RRULE:FREQ=YEARLY'),
    );
    const found = daysOffIn(file(...many), 2026);
    expect(found.isCut).toBe(true);
    expect(found.days.length).toBeLessThanOrEqual(ICS_DAYS_MAX);
    const long = file(event(`SUMMARY:${'x'.repeat(500_000)}`, 'DTSTART;VALUE=DATE:20260101'));
    expect(daysOffIn(long, 2026).days[0]!.summary).toHaveLength(100);
    const folded = `BEGIN:VCALENDAR\r\n${' \r\n'.repeat(300_000)}`;
    expect(daysOffIn(folded, 2026)).toEqual({ days: [], skipped: 0, isCut: true });
    const nested = file(event(...Array.from({ length: 50_000 }, () => 'BEGIN:VALARM')));
    expect(daysOffIn(nested, 2026).days).toEqual([]);
    const quotes = file(event(`DTSTART${';X="'.repeat(99_999)}:20260101`));
    expect(daysOffIn(quotes, 2026).days).toEqual([]);
    const semicolons = file(event(`DTSTART${';a'.repeat(100_000)}`));
    expect(daysOffIn(semicolons, 2026).days).toEqual([]);
  });

  it('never throws but its own sentence, and finds only dates', () => {
    const piece = fc.oneof(
      fc.constantFrom('BEGIN:VEVENT', 'END:VEVENT', 'BEGIN:X', 'END:X', 'RRULE:FREQ=YEARLY', ' '),
      fc.constantFrom('DTSTART;VALUE=DATE:20260101', 'DTEND:20260103', 'RRULE:=;=;', 'RRULE:'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece), (lines) => {
        for (const { date } of daysOffIn(file(...lines), 2026).days)
          expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
      }),
    );
  });
});

describe('the hours of a day', () => {
  const slot = fc
    .tuple(fc.integer({ min: 0, max: 47 }), fc.integer({ min: 1, max: 8 }))
    .map(([from, length]): Interval => [from * 30, Math.min(1_440, (from + length) * 30)]);
  const total = (day: readonly Interval[]) => within(day, [0, 1_440]);

  it('are open where they were opened, and closed where they were closed', () => {
    fc.assert(
      fc.property(fc.array(slot), slot, (slots, last) => {
        const day = slots.reduce<readonly Interval[]>(opened, []);
        const [from, until] = last;
        expect(within(opened(day, last), last)).toBe(until - from);
        expect(within(closed(day, last), last)).toBe(0);
        expect(total(closed(day, last))).toBe(total(day) - within(day, last));
        // In order and apart, as the server requires.
        const ends = opened(day, last).flat();
        expect(ends).toEqual([...new Set(ends)].toSorted((a, b) => a - b));
      }),
    );
  });

  it('keep their exact minutes where something else is painted', () => {
    const day = minutesIn([['09:10', '11:50']]);
    expect(writtenDay(closed(day, [600, 630]))).toEqual([
      ['09:10', '10:00'],
      ['10:30', '11:50'],
    ]);
  });

  it('are read as people write them, and written in one way', () => {
    const read = (text: string) => {
      const day = spokenDay(text);
      return typeof day === 'string' ? day : dayWords(day);
    };
    expect(read('13-17, 9:00 to 12.30')).toBe('09:00–12:30, 13:00–17:00');
    expect(read('0-24')).toBe('00:00–24:00');
    expect(read('')).toBe('');
    expect(read('morning')).toBe('“morning” is not a time range such as 09:00–17:00');
    expect(read('12-9')).toBe('“12-9” ends before it begins');
    expect(read('9-25')).toBe('“9-25” is not within a day');
    expect(read('9-12, 11-13')).toBe('Two time ranges overlap');
  });
});

describe('the configuration as JSON', () => {
  it('says where it is none, and not that the server cannot be reached', () => {
    expect(wordsOf(parsed('{\n  "slaPolicies" }'))).toMatch(/^This is not JSON: .*line 2/);
  });
});

describe('a conflict of the configuration', () => {
  const document = (members: object) => ({
    slaPolicies: [],
    calendars: {},
    routingRules: [],
    workflows: [],
    ...members,
  });

  it.each([
    ['requesterAccess', 'anyone', 'signed-in'],
    ['personalDataMonths', 24, 12],
  ])('offers that others have removed %s, and removes it where theirs is chosen', (name, ...of) => {
    const [base, mine] = of.map((value) => document({ [name]: value })) as [never, never];
    const { text, conflicts } = mergeConfigurations(base, mine, document({}));
    expect(conflicts).toEqual([{ name, mine: JSON.stringify(of[1]), theirs: '', merged: null }]);
    expect(JSON.parse(text)[name]).toBe(of[1]);
    const theirs = JSON.parse(withSection(text, name, ''));
    expect(theirs).toEqual(document({}));
    expect(sectionIn(theirs, name)).toBe('');
    expect(JSON.parse(withSection(text, name, JSON.stringify(of[0])))[name]).toBe(of[0]);
  });

  const policy = (name: string, members: object = {}) => ({ name, calendar: 'Office', ...members });

  it.each([
    [
      'a member',
      [policy('P1'), policy('P2', { resolutionMinutes: 240 })],
      [policy('P1'), policy('P2', { resolutionMinutes: 480 })],
      '“P2”, resolution: 240',
      '“P2”, resolution: 480',
    ],
    [
      'an element that one side has removed',
      [policy('P1')],
      [policy('P1'), policy('P2')],
      '“P2”: (nothing)',
      '“P2”, name: P2\n“P2”, calendar: Office',
    ],
    [
      'the order',
      [policy('P1'), policy('P2')],
      [policy('P2'), policy('P1')],
      '“P1”, “P2”',
      '“P2”, “P1”',
    ],
    ['a flag', { a: { isOpen: true } }, { a: {} }, 'a, is open: yes', 'a, is open: (nothing)'],
    [
      'a list of texts',
      { Office: { holidays: ['2026-12-25'] } },
      { Office: { holidays: [] } },
      'Office, holidays: 2026-12-25',
      'Office, holidays: (none)',
    ],
    ['a single value', 24, 12, '24', '12'],
    ['a section that one side has removed', 'anyone', undefined, 'anyone', '(nothing)'],
  ])('shows only what differs: %s', (_, my, their, mine, theirs) => {
    const versions = [my, their].map(sectionText);
    expect(versions.map((version) => differencesIn(version, versions))).toEqual([mine, theirs]);
  });

  it('shows what a proposal has of both sides', () => {
    const [mine, theirs, both] = [
      { a: { name: 1, note: 0 } },
      { a: { name: 0, note: 1 } },
      { a: { name: 1, note: 1 } },
    ].map(sectionText) as [string, string, string];
    expect(differencesIn(both, [mine, theirs, both])).toBe('a, name: 1\na, note: 1');
  });
});
