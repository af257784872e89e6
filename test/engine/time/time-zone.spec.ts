import { describe, expect, it } from 'vitest';
import { isTimeZone, localDays } from '../../../src/engine/time/time-zone.ts';

describe('a time zone', () => {
  it('must exist', () => {
    expect(['Europe/Berlin', 'UTC', 'Asia/Kathmandu'].every(isTimeZone)).toBe(true);
    expect(['Europe/Bielefeld', '', 'berlin '].some(isTimeZone)).toBe(false);
  });
});

const dayOf = (date: string) => Date.parse(date) / 86_400_000;
const startIn = (zone: string, date: string) =>
  new Date(localDays(zone).startOf(dayOf(date))).toISOString();

describe('a day of a zone', () => {
  it.each([
    ['UTC', '2026-03-02', '2026-03-02T00:00:00.000Z'],
    ['Asia/Kathmandu', '2026-03-02', '2026-03-01T18:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-03-02', '2026-03-01T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-03-02', '2026-03-02T11:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
  ])('begins at midnight of the wall clock: %s on %s', (zone, date, start) =>
    expect(startIn(zone, date)).toBe(start),
  );

  it('begins at the change of clocks that skips its midnight', () =>
    expect(startIn('Africa/Cairo', '2026-04-24')).toBe('2026-04-23T22:00:00.000Z'));

  it('is empty where the zone skipped it', () =>
    expect(startIn('Pacific/Apia', '2011-12-30')).toBe(startIn('Pacific/Apia', '2011-12-31')));

  it.each(['Europe/Berlin', 'America/New_York', 'Africa/Cairo', 'Australia/Lord_Howe', 'UTC'])(
    'is the one that the wall clock shows from its start to that of the next: %s',
    (zone) => {
      const { startOf, dayAt } = localDays(zone);
      for (let day = dayOf('2026-01-01'); day < dayOf('2027-01-01'); day += 1) {
        expect(dayAt(startOf(day))).toBe(day);
        expect(dayAt(startOf(day) - 1)).toBe(day - 1);
      }
    },
  );
});
