import { describe, expect, it } from 'vitest';
import { defaultSlaMinutes, isPastDue } from '../../../src/domain/tickets/sla.ts';

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

  it('are past due after the due time, not at it', () => {
    expect(isPastDue('2026-03-02T13:00:00.000Z', '2026-03-02T12:59:59.999Z')).toBe(false);
    expect(isPastDue('2026-03-02T13:00:00.000Z', '2026-03-02T13:00:00.000Z')).toBe(false);
    expect(isPastDue('2026-03-02T13:00:00.000Z', '2026-03-02T13:00:00.001Z')).toBe(true);
  });
});
