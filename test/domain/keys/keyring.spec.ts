import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal, type Occasion } from '../../../src/engine/aggregates/decider.ts';
import type { KeyringEvent, KeyScope } from '../../../src/domain/keys/events.ts';
import { keyringDecider, statusAt, type KeyringCommand } from '../../../src/domain/keys/keyring.ts';
import { KEYS_ENDED_LISTED_MAX } from '../../../src/domain/keys/limits.ts';
import { judge } from '../../../src/domain/keys/verdict.ts';
import { keyAt, keyringAfter, type KeyringView } from '../../../src/domain/keys/view.ts';
import { afterNoon, fold, noon, specify } from '../../support/domain/specify.ts';

const given = specify(keyringDecider);
const secretHash = 'ab'.repeat(32);
const DAY_MINUTES = 24 * 60;

const opened: KeyringEvent = { type: 'KeyringOpened', organisation: 'acme' };

const minting = (keyId: string, over: object = {}) =>
  ({
    type: 'MintKey',
    organisation: 'acme',
    keyId,
    label: 'ci',
    scope: 'sandbox',
    secretHash,
    expiresInDays: 90,
    ...over,
  }) as const satisfies KeyringCommand;

const issued = (keyId: string, over: Partial<{ expiresAt: string | null; scope: KeyScope }> = {}) =>
  ({
    type: 'KeyIssued',
    keyId,
    label: 'ci',
    scope: 'sandbox',
    secretHash,
    expiresAt: '2026-05-31T12:00:00.000Z',
    ...over,
  }) as const satisfies KeyringEvent;

const revoking = (keyId: string, organisation = 'acme') =>
  ({ type: 'RevokeKey', organisation, keyId }) as const;

const revoked = (keyId: string): KeyringEvent => ({
  type: 'KeyRevoked',
  keyId,
  label: 'ci',
  scope: 'sandbox',
  expiresAt: '2026-05-31T12:00:00.000Z',
});

const five = [opened, ...['a', 'b', 'c', 'd', 'e'].map((keyId) => issued(keyId))];

describe('minting a key', () => {
  it('opens the keyring with the first key, and records its organisation', () =>
    given().when(minting('a')).records(opened, issued('a')));

  it('records the later ones alone', () =>
    given(opened, issued('a')).when(minting('b')).records(issued('b')));

  it.each([1, 90, 365])('ends after %i days, counted from now', (expiresInDays) => {
    const expiresAt = afterNoon(expiresInDays * DAY_MINUTES).at;
    given(opened).when(minting('a', { expiresInDays })).records(issued('a', { expiresAt }));
  });

  it('never ends where an operator says so', () =>
    given(opened)
      .when(minting('a', { expiresInDays: null }))
      .records(issued('a', { expiresAt: null })));

  it.each([0, 366, -1, 1.5, Number.NaN, Infinity])('refuses a life of %d days', (expiresInDays) =>
    given(opened).when(minting('a', { expiresInDays })).refuses('VALIDATION_FAILED'),
  );

  it('refuses the sixth active one, and names the limit', () =>
    given(...five)
      .when(minting('f'))
      .refuses('KEY_LIMIT_REACHED', { limit: 5 }));

  it('counts keys that never expire', () =>
    given(opened, ...['a', 'b', 'c', 'd', 'e'].map((id) => issued(id, { expiresAt: null })))
      .when(minting('f'), afterNoon(1_000 * DAY_MINUTES))
      .refuses('KEY_LIMIT_REACHED'));

  it('does not count revoked keys', () =>
    given(...five, revoked('c'))
      .when(minting('f'))
      .records(issued('f')));

  it('does not count expired keys, from the instant of expiry on', () => {
    const keyring = given(...five.slice(0, 5), issued('e', { expiresAt: noon.at }));
    keyring.when(minting('f')).records(issued('f'));
    keyring.when(minting('f'), { ...noon, at: before(noon.at) }).refuses('KEY_LIMIT_REACHED');
  });

  it('refuses a key id that was given already, revoked or not', () => {
    given(opened, issued('a')).when(minting('a')).refuses('CONFLICT');
    given(opened, issued('a'), revoked('a')).when(minting('a')).refuses('CONFLICT');
  });

  it("refuses another organisation's command", () =>
    given(opened)
      .when(minting('a', { organisation: 'globex' }))
      .refuses('CONFLICT'));
});

describe('revoking a key', () => {
  it('records the revoked key', () =>
    given(opened, issued('a')).when(revoking('a')).records(revoked('a')));

  it('twice records nothing more', () =>
    given(opened, issued('a'), revoked('a')).when(revoking('a')).recordsNothing());

  it('records nothing once it has expired', () =>
    given(opened, issued('a', { expiresAt: noon.at }))
      .when(revoking('a'))
      .recordsNothing());

  it('refuses an unknown key', () => {
    given(opened).when(revoking('a')).refuses('NOT_FOUND');
    given().when(revoking('a')).refuses('NOT_FOUND');
  });

  it("answers NOT_FOUND for another organisation's key", () =>
    given(opened, issued('a')).when(revoking('a', 'globex')).refuses('NOT_FOUND'));
});

describe('the status of a key', () => {
  const expiresAt = noon.at;

  it('is expired from the instant it ends', () => {
    expect(statusAt({ revoked: false, expiresAt }, before(expiresAt))).toBe('active');
    expect(statusAt({ revoked: false, expiresAt }, expiresAt)).toBe('expired');
  });

  it('stays revoked, also when its time is over', () =>
    expect(statusAt({ revoked: true, expiresAt }, afterNoon(1).at)).toBe('revoked'));

  it('is part of the view, with actor and time', () => {
    const view = [opened, issued('a'), issued('b'), revoked('a')].reduce<KeyringView | null>(
      (seen, event, minutes) => keyringAfter({ event, ...afterNoon(minutes) }, seen),
      null,
    )!;
    expect(view.organisation).toBe('acme');
    const shown = view.keys.map((key) => keyAt(key, afterNoon(4).at));
    expect(shown).toEqual([
      {
        keyId: 'a',
        label: 'ci',
        scope: 'sandbox',
        status: 'revoked',
        createdAt: afterNoon(1).at,
        createdBy: noon.by,
        expiresAt: '2026-05-31T12:00:00.000Z',
        revokedAt: afterNoon(3).at,
        revokedBy: noon.by,
      },
      expect.objectContaining({ keyId: 'b', status: 'active', revokedAt: null, revokedBy: null }),
    ]);
  });

  // A quadratic fold of so many does not end within the time limit of a test.
  it('is folded in linear time', () => {
    const count = 40_000;
    let keyring = keyringDecider.initial;
    let view: KeyringView | null = null;
    for (let key = 0; key < count; key += 1)
      for (const event of [issued(`${key}`), revoked(`${key}`)]) {
        keyring = keyringDecider.evolve(event, keyring, noon.at);
        view = keyringAfter({ event, ...noon }, view);
      }
    expect(keyring.notEnded).toEqual([`${count - 1}`]);
    expect(view!.keys).toHaveLength(KEYS_ENDED_LISTED_MAX + 1);
  });

  it('lists every key that may be used, and of the ended ones those issued last', () => {
    const ended = Array.from({ length: KEYS_ENDED_LISTED_MAX + 5 }, (_, n) => `${n}`);
    const events = [
      issued('kept', { expiresAt: null }),
      ...ended.slice(0, 3).map((keyId) => issued(keyId, { expiresAt: noon.at })),
      ...ended.slice(3).flatMap((keyId) => [issued(keyId), revoked(keyId)]),
      issued('last'),
      revoked('kept'),
    ];
    const keyIds = events
      .reduce<KeyringView | null>((seen, event) => keyringAfter({ event, ...noon }, seen), null)!
      .keys.map(({ keyId }) => keyId);
    expect(keyIds).toEqual(['kept', ...ended.slice(5), 'last']);
  });

  it('counts the active ones as if it counted over all keys', () => {
    const step = fc.oneof(
      fc.record({ mint: fc.integer({ min: 1, max: 4 }), after: fc.integer({ min: 0, max: 2 }) }),
      fc.record({ revoke: fc.nat(20), after: fc.integer({ min: 0, max: 2 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let keyring = keyringDecider.initial;
        let days = 0;
        for (const [n, { after, ...one }] of steps.entries()) {
          days += after;
          const occasion = afterNoon(days * DAY_MINUTES);
          const command =
            'mint' in one
              ? minting(`${n}`, { expiresInDays: one.mint })
              : revoking(`${one.revoke}`);
          const known = steps.map((_, key) => keyring.keys.get(`${key}`));
          const active = known.filter((key) => key && statusAt(key, occasion.at) === 'active');
          const decision = keyringDecider.decide(command, keyring, occasion);
          const isRefused = 'mint' in one && isRefusal(decision);
          expect(isRefused).toBe('mint' in one && active.length >= 5);
          for (const event of isRefusal(decision) ? [] : decision)
            keyring = keyringDecider.evolve(event, keyring, occasion.at);
        }
      }),
    );
  });

  it('never exposes the hash', () => {
    const view = keyringAfter({ event: issued('a'), ...noon }, null);
    expect(JSON.stringify(view)).not.toContain(secretHash);
  });
});

describe('the verdict on a request', () => {
  const judged = (over: object, at: string, events: readonly KeyringEvent[] = [issued('a')]) => {
    const keyring = fold(keyringDecider, [opened, ...events]);
    const verdict = judge(
      keyring,
      { keyId: 'a', hasHash: (hash) => hash === secretHash, opens: () => true, ...over },
      at,
    );
    return verdict.outcome === 'denied' ? verdict.reason : verdict.outcome;
  };
  const wrong = { hasHash: () => false };
  const closed = { opens: () => false };
  const late = afterNoon(91 * DAY_MINUTES).at;

  it('lets an active key in where its scope opens', () =>
    expect(judged({}, noon.at)).toBe('allowed'));

  it.each([
    ['unknown', { keyId: 'b', ...wrong, ...closed }, late, [issued('a')]],
    ['secret_mismatch', { ...wrong, ...closed }, late, [issued('a'), revoked('a')]],
    ['revoked', closed, late, [issued('a'), revoked('a')]],
    ['expired', closed, late, [issued('a')]],
    ['scope', closed, noon.at, [issued('a')]],
  ] as const)('reports %s before any other reason', (reason, over, at, events) =>
    expect(judged(over, at, events)).toBe(reason),
  );

  it('asks the scope of the very key', () => {
    const full = [issued('a', { scope: 'full' })];
    const opens = (scope: KeyScope) => scope === 'full';
    expect(judged({ opens }, noon.at, full)).toBe('allowed');
    expect(judged({ opens }, noon.at)).toBe('scope');
  });
});

describe('a keyring, after any sequence of commands', () => {
  const keyId = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
  const organisation = fc.constantFrom('acme', 'acme', 'acme', 'globex');
  const anyCommand: fc.Arbitrary<KeyringCommand> = fc.oneof(
    fc
      .record({
        keyId,
        organisation,
        expiresInDays: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 366 })),
      })
      .map(({ keyId: id, ...over }) => minting(id, over)),
    fc.record({ keyId, organisation }).map((of) => revoking(of.keyId, of.organisation)),
  );
  const anyStory = fc.array(fc.tuple(anyCommand, fc.nat({ max: 60 * DAY_MINUTES })), {
    maxLength: 40,
  });
  const stepsOf = (story: readonly (readonly [KeyringCommand, number])[]) => {
    let minutes = 0;
    let keyring = keyringDecider.initial;
    return story.map(([command, pause]) => {
      const occasion: Occasion = afterNoon((minutes += pause));
      const outcome = keyringDecider.decide(command, keyring, occasion);
      for (const event of isRefusal(outcome) ? [] : outcome) {
        keyring = keyringDecider.evolve(event, keyring, occasion.at);
      }
      return { command, occasion, outcome, keyring };
    });
  };
  const always = (property: (steps: ReturnType<typeof stepsOf>) => void) =>
    fc.assert(
      fc.property(anyStory, (story) => property(stepsOf(story))),
      { numRuns: 200 },
    );

  it('never more than five keys are active', () =>
    always((steps) => {
      for (const { keyring, occasion } of steps) {
        const held = [...keyring.keys.values()];
        const active = held.filter((key) => statusAt(key, occasion.at) === 'active');
        expect(active.length).toBeLessThanOrEqual(5);
      }
    }));

  it('a repeat of the last command records nothing', () =>
    always((steps) => {
      const last = steps.at(-1);
      if (!last) return;
      const again = keyringDecider.decide(last.command, last.keyring, last.occasion);
      expect(isRefusal(again) ? [] : again).toEqual([]);
    }));

  it('it belongs to one organisation, and a key once revoked stays revoked', () =>
    always((steps) => {
      const owners = new Set(steps.flatMap(({ keyring }) => keyring.organisation ?? []));
      expect(owners.size).toBeLessThan(2);
      const gone = new Set<string>();
      for (const { keyring } of steps) {
        for (const id of 'abcdefgh') if (keyring.keys.get(id)?.revoked) gone.add(id);
        for (const id of gone) expect(keyring.keys.get(id)?.revoked).toBe(true);
      }
    }));
});

const before = (at: string): string => new Date(Date.parse(at) - 1).toISOString();
