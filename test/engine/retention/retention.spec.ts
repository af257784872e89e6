import { describe, expect, it } from 'vitest';
import { clockCheck } from '../../../src/engine/consumers/clock-check.ts';
import { retentionDecider } from '../../../src/engine/retention/retention.ts';
import {
  keptDays,
  keptMonths,
  termsOf,
  type KeptStreams,
} from '../../../src/engine/retention/terms.ts';
import { DAY_MS } from '../../../src/engine/time/calendar.ts';
import { virtualClock, type Clock, type VirtualClock } from '../../../src/engine/time/clock.ts';
import { specify } from '../../support/domain/specify.ts';

const terms = termsOf([
  { category: 'note', kept: keptDays(7) },
  { category: 'visit', kept: keptMonths(18) },
  {
    category: 'tally',
    kept: keptMonths(18, { pattern: /^tally-(\d{6})$/, exempt: (it) => it === 'tally-main' }),
  },
  { category: 'door', kept: 'forever' },
]);
const given = specify(retentionDecider(terms));
const journal = 'note-0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22.20260301';
const retired = { type: 'JournalRetired', journal } as const;
const at = (instant: string) =>
  ({ at: instant, by: { kind: 'system', id: 'x' }, origin: 'system' }) as const;

it('keeps a daily journal for its term of whole days after that day', () =>
  expect(terms.retiresAt(journal)).toBe('2026-03-09T00:00:00.000Z'));

it.each(['visit-acme.202603', 'visit-acme.20260101.202603', 'tally-202603'])(
  'keeps %s until its last instant is as many months old as its term',
  (stream) => expect(terms.retiresAt(stream)).toBe('2027-10-01T00:00:00.000Z'),
);

it.each([
  'note-x',
  'note-x.2026031',
  'note-x.20261301',
  'visit-acme.202613',
  'tally-acme.202603',
  'tally-main',
  'door-1.20260301',
  'unknown-1.20260301',
])('has no term for %s', (stream) => expect(terms.retiresAt(stream)).toBeNull());

it.each(['door-1.20260301', 'tally-main', 'unknown-1.20260301'])('deletes %s never', (stream) =>
  expect([terms.of(stream), terms.isJournal(stream)]).toEqual([null, false]),
);

it('retires a monthly journal at the end of its term, and not a millisecond sooner', () => {
  const command = { type: 'RetireJournal', journal: 'visit-acme.202603' } as const;
  given().when(command, at('2027-09-30T23:59:59.999Z')).refuses('CONFLICT');
  given()
    .when(command, at('2027-10-01T00:00:00.000Z'))
    .records({ type: 'JournalRetired', journal: 'visit-acme.202603' });
});

it('retires a daily journal at the end of its term, and not a millisecond sooner', () => {
  const command = { type: 'RetireJournal', journal } as const;
  given().when(command, at('2026-03-08T23:59:59.999Z')).refuses('CONFLICT');
  given().when(command, at('2026-03-09T00:00:00.000Z')).records(retired);
});

it('retires it once', () =>
  given(retired)
    .when({ type: 'RetireJournal', journal }, at('2026-03-10T00:00:00.000Z'))
    .recordsNothing());

it('refuses a stream that is not a journal', () =>
  given()
    .when({ type: 'RetireJournal', journal: 'door-1' }, at('2030-01-01T00:00:00.000Z'))
    .refuses('VALIDATION_FAILED'));

describe('the clock of a host', () => {
  const HOST = '2030-01-01T00:00:00.000Z';
  const checked = async (databaseTime: string, clock: Clock | VirtualClock) => {
    const logged: object[] = [];
    const isTrusted = clockCheck({
      pool: { query: async () => ({ rows: [{ ms: Date.parse(databaseTime) }] }) } as never,
      clock,
      logger: { error: (fields: object) => void logged.push(fields) },
      consumer: 'timers/journal-expiry',
    });
    return [await isTrusted(clock.now()), logged];
  };
  const host = { now: () => HOST };

  it.each([
    ['the same time', HOST],
    ['five minutes less', '2029-12-31T23:55:00.000Z'],
    ['more', '2033-01-01T00:00:00.000Z'],
  ])('is trusted where Postgres has %s', async (_, databaseTime) => {
    expect(await checked(databaseTime, host)).toEqual([true, []]);
  });

  it('is not trusted, with an error, where Postgres has years less', async () => {
    expect(await checked('2026-01-01T00:00:00.000Z', host)).toEqual([
      false,
      [{ consumer: 'timers/journal-expiry', reason: '126230400 s' }],
    ]);
  });

  it('may be ahead by the offset of a virtual clock', async () => {
    expect(await checked(HOST, virtualClock(host, 400 * DAY_MS))).toEqual([true, []]);
  });
});

describe('streams', () => {
  const forgotten = (kept: unknown) =>
    termsOf([{ category: 'note', kept: kept as KeptStreams['kept'] }]);

  it.each([undefined, keptDays(0), keptDays(Number.NaN), keptMonths(1.5)])(
    'without a term are refused: %j',
    (kept) => expect(() => forgotten(kept)).toThrow('the streams note-… have no term'),
  );

  it('of one category have one term', () =>
    expect(() =>
      termsOf([
        { category: 'note', kept: 'forever' },
        { category: 'note', kept: keptDays(7) },
      ]),
    ).toThrow('the streams note-… are declared twice'));

  it('are declared before they are read', () => {
    expect(() => terms.assertDeclared(['note', 'door'], 'note-list')).not.toThrow();
    expect(() => terms.assertDeclared(['note', 'gate'], 'note-list')).toThrow(
      'note-list reads streams gate-…, which no capability declares',
    );
  });
});
