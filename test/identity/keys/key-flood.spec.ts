/** A flood of unknown keys beside valid ones: the log stays small, and counts are complete. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { denialJournal, useJournal } from '../../../src/domain/keys/journals.ts';
import type { KeyUseEvent } from '../../../src/domain/keys/uses.ts';
import { newKeyId, newToken } from '../../../src/identity/keys/token.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { authorityOn, clockAt, keysOf, usesIn } from '../../support/log/keys.ts';
import { freshLog, type FreshLog } from '../../support/log/fresh-log.ts';

const FLOOD = 30_000;
const SOURCES = 200;
const IN_FLIGHT = 200;
const GOOD = 1_000;

let own: FreshLog;
let log: EventStore;
beforeAll(async () => {
  own = await freshLog();
  ({ log } = own);
});
afterAll(() => own.drop());

/** Calls `act` for each index, `atOnce` at a time. */
const each = async (total: number, atOnce: number, act: (index: number) => Promise<void>) => {
  const indices = Array.from({ length: total }, (_, index) => index).values();
  const worker = async () => {
    for (const index of indices) await act(index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

const countOf = (events: readonly KeyUseEvent[]): number =>
  events.reduce((sum, event) => sum + ('count' in event ? event.count : 1), 0);

it('30,000 unknown keys leave few records and exact counts; valid uses are recorded', async () => {
  const clock = clockAt('2026-03-01T09:00:00.000Z');
  const authority = authorityOn(log, clock);
  const minted = await keysOf(log, clock, 'acme').mint();
  authority.start();
  const use = { needs: 'platform.sandboxes:read', route: 'GET /x', userAgent: null } as const;
  const tokens = [
    () => 'atr_malformed',
    // Of an organisation with keys, of one without, and an issued key with a wrong secret.
    () => newToken(newKeyId('acme')).token,
    () => newToken(newKeyId(`org-${Math.random()}`)).token,
    () => newToken(minted.keyId).token,
  ];

  const outcomes = new Map<string, number>();
  const tried = async (token: string, sourceIp: string) => {
    const answer = await authority.check(token, { ...use, sourceIp });
    const said = answer.allowed ? 'allowed' : answer.code;
    outcomes.set(said, (outcomes.get(said) ?? 0) + 1);
  };
  await Promise.all([
    each(FLOOD, IN_FLIGHT, (index) =>
      tried(tokens[index % tokens.length]!(), `2001:db8::${index % SOURCES}`),
    ),
    each(GOOD, 8, () => tried(minted.token, '192.0.2.1')),
  ]);
  await authority.stop();

  expect(Object.fromEntries(outcomes)).toEqual({ UNAUTHENTICATED: FLOOD, allowed: GOOD });
  const events = async (journal: string) => (await usesIn(log, journal)).map(({ event }) => event);
  const nobodys = await events(denialJournal(clock.at));
  const uses = await events(useJournal('acme', clock.at));
  const mismatches = uses.filter((event) => 'reason' in event && event.reason !== null);

  expect(uses.length - mismatches.length).toBe(GOOD);
  expect(countOf(mismatches)).toBe(FLOOD / 4);
  expect(countOf(nobodys)).toBe((FLOOD / 4) * 3);
  const isSingle = ({ type }: KeyUseEvent) => type === 'KeyUsed';
  const singles = [...nobodys, ...mismatches].filter(isSingle).length;
  // Five for each of a hundred sources, and five for all others.
  expect(singles).toBe(101 * 5);
  expect(nobodys.length + mismatches.length - singles).toBe(100 + 2);
});
