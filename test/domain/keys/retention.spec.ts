import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditKeptSince, isAuditKept } from '../../../src/domain/keys/retention.ts';

describe('an audit record', () => {
  it.each([
    ['2026-08-31T12:00:00.000Z', '2028-02-29T12:00:00.000Z'],
    ['2025-08-29T01:00:00.000Z', '2027-02-28T01:00:00.000Z'],
    ['2026-09-30T08:00:00.000Z', '2028-03-30T08:00:00.000Z'],
  ])('of %s is kept until %s, and not a millisecond longer', (at, until) => {
    const later = new Date(Date.parse(until) + 1).toISOString();
    expect([isAuditKept(at, until), isAuditKept(at, later)]).toEqual([true, false]);
  });

  it('that is kept is never older than the bound by which indexes are read', () =>
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
        fc.integer({ min: -4 * 24 * 3_600_000, max: 4 * 24 * 3_600_000 }),
        (now, offMs) => {
          const since = auditKeptSince(now.toISOString());
          const at = new Date(Date.parse(since) + offMs).toISOString();
          expect(at >= since || !isAuditKept(at, now.toISOString())).toBe(true);
        },
      ),
    ));
});
