import { describe, expect, it } from 'vitest';
import { releaseOf } from '../../src/composition/release.ts';
import { release } from '../../src/compose.ts';
import type { KeptStreams } from '../../src/engine/retention/terms.ts';
import { ticketList } from '../../src/projections/tickets/list.ts';
import { telemetryCodec } from '../../src/domain/telemetry/codecs.ts';

const id = '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22';
const { terms } = release;

describe('the term of a journal', () => {
  it.each([`building-${id}.20260301`, `telemetry-${id}.20260301`, `bus-${id}.20260301`])(
    'of announcements and messages is seven whole days after its own: %s',
    (journal) => expect(terms.retiresAt(journal)).toBe('2026-03-09T00:00:00.000Z'),
  );

  it.each([`delivery-${id}.20260301`, `delivered-${id}.20260301`])(
    'of deliveries is thirty: %s',
    (journal) => expect(terms.retiresAt(journal)).toBe('2026-04-01T00:00:00.000Z'),
  );

  it.each([
    'keyuse-acme.202603',
    'keyuse-a.b-c.202603',
    'keyuse-@3f0c1d5a9b21.202603',
    'keyuse-acme.20260101.202603',
    'keyuseindex-acme.202603',
    'keydenial-202603',
    'keycount-202603',
    'auditchain-keyuse-acme.202603',
    'auditchains-202603',
  ])('of the audit is eighteen months after its own: %s', (journal) =>
    expect(terms.retiresAt(journal)).toBe('2027-10-01T00:00:00.000Z'),
  );
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
  'sharedjournals-main',
  'ticket-1',
])('%s has no term', (stream) => expect(terms.retiresAt(stream)).toBeNull());

it('journals, and no other streams, have a term', () =>
  expect(terms.journals.toSorted()).toEqual([
    'auditchain',
    'auditchains',
    'building',
    'bus',
    'delivered',
    'delivery',
    'keycount',
    'keydenial',
    'keyuse',
    'keyuseindex',
    'telemetry',
  ]));

it('a capability that forgets a term is refused', () => {
  const streams = [
    { category: 'note', codec: telemetryCodec, kept: undefined as never as KeptStreams['kept'] },
  ];
  const noted = { streams, compose: () => ({}) };
  expect(() => releaseOf([noted])).toThrow('the streams note-… have no term');
});

it('a capability that reads streams which none declares is refused', () => {
  const reading = { projections: [ticketList], compose: () => ({}) };
  expect(() => releaseOf([reading])).toThrow(/reads streams ticket-…/);
});
