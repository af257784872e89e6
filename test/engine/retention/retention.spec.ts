import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  auditKeptSince,
  isAuditKept,
  retentionDecider,
  retiresAt,
} from '../../../src/engine/retention/retention.ts';
import { specify } from '../../support/domain/specify.ts';

const given = specify(retentionDecider);
const journal = 'building-0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22.20260301';
const retired = { type: 'JournalRetired', journal } as const;
const at = (instant: string) =>
  ({ at: instant, by: { kind: 'system', id: 'x' }, origin: 'system' }) as const;

it('keeps a journal seven whole days after its own', () =>
  expect(retiresAt(journal)).toBe('2026-03-09T00:00:00.000Z'));

it('keeps a journal of deliveries thirty', () =>
  expect(retiresAt('delivery-0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22.20260301')).toBe(
    '2026-04-01T00:00:00.000Z',
  ));

it.each([
  'keyuse-acme.202603',
  'keyuse-a.b-c.202603',
  'keyuse-@3f0c1d5a9b21.202603',
  'keyuseindex-acme.202603',
  'keydenial-202603',
  'keycount-202603',
])('keeps %s until its last instant is eighteen months old', (stream) =>
  expect(retiresAt(stream)).toBe('2027-10-01T00:00:00.000Z'),
);

it('takes the month of a journal for no part of the name of its organisation', () =>
  expect(retiresAt('keyuse-acme.20260101.202603')).toBe('2027-10-01T00:00:00.000Z'));

it('retires a journal of a month, and not a millisecond sooner', () => {
  const command = { type: 'RetireJournal', journal: 'keyuse-acme.202603' } as const;
  given().when(command, at('2027-09-30T23:59:59.999Z')).refuses('CONFLICT');
  given()
    .when(command, at('2027-10-01T00:00:00.000Z'))
    .records({ type: 'JournalRetired', journal: 'keyuse-acme.202603' });
});

it.each([
  'building-x',
  'building-x.2026031',
  'building-x.20261301',
  'keyuse-acme.20260301',
  'keyuse-acme.202613',
  'keydenial-acme.202603',
  'keyring-abc.202603',
  'auditchain-keyring-abc.202603',
  'auditchains-keyring',
])('knows no term for %s', (stream) => expect(retiresAt(stream)).toBeNull());

it('retires a journal whose term is over, and not a millisecond sooner', () => {
  const command = { type: 'RetireJournal', journal } as const;
  given().when(command, at('2026-03-08T23:59:59.999Z')).refuses('CONFLICT');
  given().when(command, at('2026-03-09T00:00:00.000Z')).records(retired);
});

it('retires it once', () =>
  given(retired)
    .when({ type: 'RetireJournal', journal }, at('2026-03-10T00:00:00.000Z'))
    .recordsNothing());

it('refuses what is no journal', () =>
  given()
    .when({ type: 'RetireJournal', journal: 'ticket-1' }, at('2030-01-01T00:00:00.000Z'))
    .refuses('VALIDATION_FAILED'));

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
