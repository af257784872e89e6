import { describe, expect, it } from 'vitest';
import { defaultSlaMinutes, dueAt, isPastDue } from '../../src/domain/ticket/sla.ts';

describe('service levels', () => {
  it('have the minutes of the contract where no policy says otherwise', () =>
    expect(
      Object.entries(defaultSlaMinutes).map(([priority, minutes]) => [
        priority,
        minutes.firstResponseMinutes,
        minutes.resolutionMinutes,
      ]),
    ).toEqual([
      ['critical', 15, 240],
      ['high', 60, 480],
      ['medium', 240, 1440],
      ['low', 480, 4320],
    ]));

  it('count elapsed minutes, over midnight, leap days and changes of clocks', () => {
    expect(dueAt('2026-03-02T23:59:59.999Z', 15)).toBe('2026-03-03T00:14:59.999Z');
    expect(dueAt('2028-02-28T12:00:00.000Z', 1440)).toBe('2028-02-29T12:00:00.000Z');
    expect(dueAt('2026-03-29T00:30:00.000Z', 60)).toBe('2026-03-29T01:30:00.000Z');
  });

  it('give no due time where there is no clock', () =>
    expect(dueAt('2026-03-02T12:00:00.000Z', null)).toBeNull());

  it('are past due after the due time, not at it', () => {
    expect(isPastDue('2026-03-02T13:00:00.000Z', '2026-03-02T12:59:59.999Z')).toBe(false);
    expect(isPastDue('2026-03-02T13:00:00.000Z', '2026-03-02T13:00:00.000Z')).toBe(false);
    expect(isPastDue('2026-03-02T13:00:00.000Z', '2026-03-02T13:00:00.001Z')).toBe(true);
  });
});
