import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Instant } from '../../src/engine/aggregates/decider.ts';
import { countingJournal, denialJournal } from '../../src/domain/keys/journals.ts';
import type { KeyUseEvent } from '../../src/domain/keys/uses.ts';
import type { KeyUse } from '../../src/identity/keys/key-authority.ts';
import { keyUseLog, type KeyUseLog } from '../../src/identity/keys/key-use-log.ts';
import { keyringOf, newKeyId, newToken } from '../../src/identity/keys/token.ts';
import type { RunningKeyAuthority } from '../../src/identity/keys/authority.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { LogUnavailable, type EventStore } from '../../src/engine/log/event-store.ts';
import { logWith } from '../../src/engine/log/log-with.ts';
import {
  authorityOn,
  clockAt,
  keysOf,
  usesIn,
  usesOf,
  currentVersions,
} from '../support/log/keys.ts';
import type { Keys, Minted, SettableClock } from '../support/log/keys.ts';

/** The guarantees of the key check, on every backend of the log. contract.md section 3. */
export const keyAuthorityContract = (
  name: string,
  open: () => Promise<{ log: EventStore; close(): Promise<void> }>,
) =>
  describe(`the check of keys on ${name}`, () => {
    let log: EventStore;
    let recording: KeyUseLog;
    let close: () => Promise<void>;
    let organisation: string;
    let clock: SettableClock;
    let keys: Keys;
    let authority: RunningKeyAuthority;
    /** Unique to this test, in a journal that all tests share. */
    let sourceIp: string;
    let tests = 0;

    beforeAll(async () => {
      ({ log, close } = await open());
      recording = keyUseLog({ log, clock: systemClock, versions: currentVersions });
    });
    afterAll(async () => {
      await recording.close();
      await close();
    });
    beforeEach(() => {
      tests += 1;
      organisation = `org-${randomUUID().slice(0, 8)}`;
      // Separate minutes, so that no test counts another's denials.
      clock = clockAt(new Date(Date.UTC(2026, 2, 1, tests)).toISOString());
      keys = keysOf(log, clock, organisation, recording);
      authority = authorityOn(log, clock, recording);
      sourceIp = `test-${randomUUID().slice(0, 8)}`;
    });

    /** An authority that calls `before` ahead of each append, and fails with its error. */
    const authorityAfter = (before: () => Promise<void>) =>
      authorityOn(
        logWith(log, { append: (...of) => before().then(() => log.append(...of)) }),
        clock,
        { ...recording, record: (use) => before().then(() => recording.record(use)) },
      );
    const use = (over: Partial<KeyUse> = {}): KeyUse => ({
      needs: 'platform.sandboxes:read',
      route: 'GET /api/v1/sandboxes',
      sourceIp,
      userAgent: 'curl/8',
      ...over,
    });
    const said = async (token: string, over: Partial<KeyUse> = {}, by = authority) => {
      const answer = await by.check(token, use(over));
      return answer.allowed ? 'allowed' : answer.code;
    };
    const uses = async (at: Instant = clock.at) =>
      (await usesOf(log, organisation, at)).map(({ event }) => event);
    const denials = async (at: Instant = clock.at) =>
      (await usesIn(log, denialJournal(at)))
        .map(({ event }) => event)
        .filter((event) => 'sourceIp' in event && event.sourceIp?.startsWith(sourceIp));
    const countings = async (since: Instant) =>
      (await usesIn(log, countingJournal(since)))
        .map(({ event }) => event)
        .filter((event) => 'minute' in event && event.minute >= since.slice(0, 16));
    const isAllowed = (event: KeyUseEvent) =>
      event.type === 'KeyUsed' && event.outcome === 'allowed';
    const wrongSecretOf = ({ keyId }: Minted) => newToken(keyId).token;
    const unknown = () => newToken(newKeyId(organisation)).token;

    describe('a key', () => {
      it('acts for its organisation, within its scope', async () => {
        const { token, keyId } = await keys.mint({ scope: 'full' });
        expect(await authority.check(token, use())).toEqual({
          allowed: true,
          caller: {
            actor: { kind: 'key', id: keyId, name: 'ci' },
            organisation,
            roles: [],
            permissions: new Set([
              'platform.sandboxes:read',
              'platform.sandboxes:write',
              'platform.keys:read',
              'platform.keys:write',
            ]),
            person: false,
            scope: 'full',
          },
        });
      });

      it.each([
        ['sandbox', 'platform.sandboxes:read', 'allowed'],
        ['sandbox', 'platform.sandboxes:write', 'allowed'],
        ['sandbox', 'platform.keys:read', 'SCOPE_DENIED'],
        ['sandbox', 'service-desk.tickets:read', 'SCOPE_DENIED'],
        ['publish', 'platform.sandboxes:read', 'SCOPE_DENIED'],
        ['publish', 'platform.bus:publish', 'SCOPE_DENIED'],
        ['full', 'platform.sandboxes:write', 'allowed'],
        ['full', 'platform.keys:read', 'allowed'],
        ['full', 'platform.keys:write', 'allowed'],
        ['full', 'platform.audit:read', 'SCOPE_DENIED'],
        ['full', 'service-desk.tickets:write', 'SCOPE_DENIED'],
        ['full', null, 'SCOPE_DENIED'],
      ] as const)('of scope %s on a route that needs %s is %s', async (scope, needs, expected) => {
        const { token } = await keys.mint({ scope });
        expect(await said(token, { needs })).toBe(expected);
        expect(await uses()).toMatchObject([
          expected === 'allowed'
            ? { outcome: 'allowed', reason: null, scope }
            : { outcome: 'denied', reason: 'scope', scope },
        ]);
      });

      it('is recorded with the route, the source and the revision of its keyring', async () => {
        const { token, keyId } = await keys.mint({ expiresInDays: 1 });
        await said(token, { route: 'GET /api/v1/sandboxes/{id}' });
        const [recorded] = await usesOf(log, organisation, clock.at);
        expect(recorded).toMatchObject({
          at: clock.at,
          by: { kind: 'key', id: keyId, name: 'ci' },
          origin: 'api',
          organisation,
          event: {
            type: 'KeyUsed',
            outcome: 'allowed',
            reason: null,
            keyId,
            label: 'ci',
            scope: 'sandbox',
            expiresAt: new Date(Date.parse(clock.at) + 24 * 3_600_000).toISOString(),
            route: 'GET /api/v1/sandboxes/{id}',
            sourceIp,
            userAgent: 'curl/8',
            keyringRevision: 1,
          },
        });
      });

      it('expires at its instant by the platform clock', async () => {
        const { token } = await keys.mint({ expiresInDays: 1 });
        clock.pass(24 * 3_600 - 0.001);
        expect(await said(token)).toBe('allowed');
        clock.pass(0.001);
        expect(await said(token)).toBe('KEY_EXPIRED');
      });

      it('without an expiry is accepted after years', async () => {
        const { token } = await keys.mint({ expiresInDays: null });
        clock.pass(10 * 366 * 24 * 3_600);
        expect(await said(token)).toBe('allowed');
      });

      it('stays revoked after its expiry', async () => {
        const { token, keyId } = await keys.mint({ expiresInDays: 1 });
        await keys.revoke(keyId);
        clock.pass(2 * 24 * 3_600);
        expect(await said(token, { needs: null })).toBe('KEY_REVOKED');
      });

      it('is recorded in a preliminary check only if it is denied', async () => {
        const minted = await keys.mint();
        const preliminary = { needs: 'authenticated', isPreliminary: true } as const;
        expect(await said(minted.token, preliminary)).toBe('allowed');
        expect(await uses()).toEqual([]);
        expect(await said(wrongSecretOf(minted), preliminary)).toBe('UNAUTHENTICATED');
        const { keyId } = minted;
        expect(await uses()).toMatchObject([{ reason: 'secret_mismatch', keyId }]);
      });

      it('with a wrong secret is answered like an unknown one', async () => {
        const minted = await keys.mint();
        await keys.revoke(minted.keyId);
        const wrong = await authority.check(wrongSecretOf(minted), use());
        expect(wrong).toEqual(await authority.check(unknown(), use()));
        expect(wrong).toMatchObject({ allowed: false, code: 'UNAUTHENTICATED' });
        expect(await uses()).toMatchObject([{ reason: 'secret_mismatch', keyId: minted.keyId }]);
        const [recorded] = await usesOf(log, organisation, clock.at);
        expect(recorded!.by).toEqual({ kind: 'system', id: 'key-check' });
      });

      it('issued before scopes existed behaves as `full`', async () => {
        const keyId = newKeyId(organisation);
        const { token, secretHash } = newToken(keyId);
        const meta = { commandId: randomUUID(), at: clock.at, by: 'user:ana', origin: 'api' };
        const event = (type: string, data: object) => ({ id: randomUUID(), type, data, meta });
        await log.append(`keyring-${keyringOf(organisation)}`, 'no_stream', [
          event('KeyringOpened', { organisation }),
          event('KeyIssued', { keyId, label: 'old', secretHash, expiresAt: null }),
        ]);
        expect(await said(token, { needs: 'platform.keys:write' })).toBe('allowed');
        expect(await uses()).toMatchObject([{ scope: 'full', label: 'old' }]);
      });
    });

    describe('another process', () => {
      it("that revokes a key ends it with the key's next request", async () => {
        const { token, keyId } = await keys.mint();
        expect(await said(token)).toBe('allowed');
        await keys.revoke(keyId);
        expect(await said(token)).toBe('KEY_REVOKED');
      });

      it('that revokes between check and record has the request checked again', async () => {
        const { token, keyId } = await keys.mint();
        let revoking: Promise<void> | undefined;
        const late = authorityAfter(() => (revoking ??= keys.revoke(keyId)));
        expect(await said(token, {}, late)).toBe('KEY_REVOKED');
        expect(await uses()).toMatchObject([{ outcome: 'denied', reason: 'revoked' }]);
      });

      it('that mints a key has it accepted at once', async () => {
        const first = await keys.mint();
        expect(await said(first.token)).toBe('allowed');
        const second = await keys.mint();
        expect(await said(second.token)).toBe('allowed');
        expect(await denials()).toEqual([]);
      });

      it('that mints a key has it accepted though unknown keys are only counted', async () => {
        const first = await keys.mint();
        expect(await said(first.token)).toBe('allowed');
        for (let tried = 0; tried < 7; tried += 1) await said(unknown());
        const second = await keys.mint();
        expect(await said(second.token)).toBe('allowed');
        await authority.stop();
        const counted = (await denials()).filter(({ type }) => type === 'KeyDenialsCounted');
        expect(counted).toMatchObject([{ count: 2 }]);
      });

      it('that keeps changing the keyring makes the check unavailable', async () => {
        const { token } = await keys.mint();
        const others = [await keys.mint(), await keys.mint(), await keys.mint(), await keys.mint()];
        const restless = authorityAfter(async () => {
          const next = others.pop() ?? (await keys.mint());
          await keys.revoke(next.keyId);
        });
        await expect(restless.check(token, use())).rejects.toBeInstanceOf(LogUnavailable);
        expect(await uses()).toEqual([]);
      });
    });

    describe('a record', () => {
      it('holds no part of a token, right or wrong', async () => {
        const minted = await keys.mint();
        const tokens = [minted.token, wrongSecretOf(minted), unknown(), `${minted.token}x`];
        for (const token of tokens) await said(token);
        for (let tried = 0; tried < 9; tried += 1) await said(tokens[3]!);
        await authority.stop();
        const streams = [
          `keyring-${keyringOf(organisation)}`,
          denialJournal(clock.at),
          countingJournal(clock.at),
        ];
        const text = JSON.stringify([
          await Promise.all(streams.map((each) => log.readStream(each))),
          await usesOf(log, organisation, clock.at),
        ]);
        expect(text).toContain(minted.keyId);
        for (const token of tokens) {
          const secret = token.slice(27);
          for (let at = 0; at + 8 <= secret.length; at += 1) {
            expect(text.includes(secret.slice(at, at + 8))).toBe(false);
          }
        }
        // The id of an unknown key is chosen by its sender.
        expect(text).not.toContain(tokens[2]!.slice(16, 26));
      });

      it('with an invalid header does not fail the records in the same batch', async () => {
        const { token } = await keys.mint();
        const poison = [
          { userAgent: 'a\0b' },
          { userAgent: 'a\ud800b' },
          { userAgent: 'x'.repeat(100_000) },
          { userAgent: `${'x'.repeat(511)}\u{1F511}` },
          { userAgent: '' },
          { userAgent: null },
          { sourceIp: 'fe80::1%eth0\0' },
          { sourceIp: '"; drop table event; --' },
          { sourceIp: '' },
          { sourceIp: '1'.repeat(10_000) },
        ];
        const answers = await Promise.all(
          poison.flatMap((over) => [said(token, over), said(token)]),
        );
        expect(new Set(answers)).toEqual(new Set(['allowed']));
        const recorded = await uses();
        expect(recorded).toHaveLength(20);
        for (const event of recorded) {
          if (event.type !== 'KeyUsed') throw new Error(event.type);
          expect(event.userAgent?.length ?? 0).toBeLessThanOrEqual(512);
          expect(event.sourceIp.length).toBeLessThanOrEqual(64);
          expect(event.sourceIp).not.toBe('');
          for (const text of [event.sourceIp, event.userAgent ?? '']) {
            expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
          }
        }
        expect(recorded).toContainEqual(expect.objectContaining({ userAgent: 'a\uFFFDb' }));
      });

      it.each([
        ['a good key', (minted: Minted) => minted.token],
        ['a wrong secret', wrongSecretOf],
        ['an unknown key', () => unknown()],
        ['a malformed token', () => 'atr_nonsense'],
      ])('that cannot be stored leaves %s without an answer', async (_, tokenOf) => {
        const token = tokenOf(await keys.mint());
        const gone = new LogUnavailable('it is gone');
        let isGone = false;
        const failing = authorityAfter(async () => {
          if (isGone) throw gone;
        });
        await said(token, {}, failing);
        isGone = true;
        // Denials recorded singly, and further ones that would only be counted.
        for (let tried = 0; tried < 12; tried += 1) {
          await expect(failing.check(token, use())).rejects.toBe(gone);
        }
        isGone = false;
        for (let tried = 0; tried < 6; tried += 1) await said(token, {}, failing);
        isGone = true;
        await failing.stop();
        // Failed records do not use up the places of later ones.
        const recorded = [...(await denials()), ...(await uses())];
        expect(recorded).toHaveLength(recorded.some(isAllowed) ? 7 : 5);
      });

      it('is not made where the log cannot even be read', async () => {
        const { token } = await keys.mint();
        const gone = new LogUnavailable('it is gone');
        const failing = authorityOn(
          logWith(log, { readStream: () => Promise.reject(gone) }),
          clock,
          recording,
        );
        await expect(failing.check(token, use())).rejects.toBe(gone);
        expect(await uses()).toEqual([]);
      });
    });

    describe('denials without a valid secret', () => {
      it.each([
        ['unknown keys', () => unknown()],
        ['malformed tokens', () => 'atr_x'],
      ])('of %s: five singly, the rest in one summary with the exact count', async (_, tokenOf) => {
        const began = clock.at;
        for (let tried = 0; tried < 30; tried += 1) {
          clock.pass(1);
          expect(await said(tokenOf())).toBe('UNAUTHENTICATED');
        }
        expect(await denials()).toHaveLength(5);
        clock.pass(60);
        authority.start();
        await expect.poll(async () => (await denials()).length).toBe(6);
        const recorded = await denials();
        expect(recorded.slice(0, 5)).toEqual(
          Array.from({ length: 5 }, () =>
            expect.objectContaining({ type: 'KeyUsed', reason: 'unknown', keyId: null }),
          ),
        );
        expect(recorded[5]).toEqual({
          type: 'KeyDenialsCounted',
          reason: 'unknown',
          sourceIp,
          count: 25,
          firstAt: new Date(Date.parse(began) + 6_000).toISOString(),
          lastAt: new Date(Date.parse(began) + 30_000).toISOString(),
        });
        expect(await uses()).toEqual([]);
        await authority.stop();
        expect(await denials()).toHaveLength(6);
        expect(await countings(began)).toMatchObject([
          { type: 'DenialCountingBegan' },
          { type: 'DenialCountingEnded' },
        ]);
      });

      it("of a wrong secret are recorded in the journal of the key's organisation", async () => {
        const minted = await keys.mint();
        for (let tried = 0; tried < 8; tried += 1) await said(wrongSecretOf(minted));
        await authority.stop();
        expect(await denials()).toEqual([]);
        const mismatch = { reason: 'secret_mismatch', keyId: minted.keyId, label: 'ci' };
        expect(await uses()).toMatchObject([
          ...Array.from({ length: 5 }, () => mismatch),
          { type: 'KeyDenialsCounted', reason: 'secret_mismatch', sourceIp, count: 3 },
        ]);
      });

      it('that stay within five are not counted', async () => {
        const began = clock.at;
        for (let tried = 0; tried < 5; tried += 1) await said('atr_x');
        await authority.stop();
        expect(await denials()).toHaveLength(5);
        expect(await countings(began)).toEqual([]);
      });

      it('of the right secret are all recorded singly', async () => {
        const { token } = await keys.mint();
        for (let tried = 0; tried < 12; tried += 1) await said(token, { needs: null });
        expect(await uses()).toHaveLength(12);
      });

      it('of more than a hundred sources share one count, and five single records', async () => {
        const flood = async (sources: number, each: number) => {
          for (let source = 0; source < sources; source += 1) {
            for (let tried = 0; tried < each; tried += 1) {
              await said('atr_x', { sourceIp: `${sourceIp}-${source}` });
            }
          }
        };
        await flood(140, 7);
        expect(await denials()).toHaveLength(100 * 5 + 5);
        await authority.stop();
        const all = (await usesIn(log, denialJournal(clock.at))).filter(
          ({ at, event }) => event.type === 'KeyDenialsCounted' && at === clock.at,
        );
        expect(all).toHaveLength(101);
        const shared = all.filter(({ event }) => 'sourceIp' in event && event.sourceIp === null);
        expect(shared).toMatchObject([{ event: { count: 40 * 7 - 5 } }]);
        const apart = all.filter((one) => !shared.includes(one));
        for (const { event } of apart) expect(event).toMatchObject({ count: 2 });
      });

      it('are counted exactly when they are concurrent', async () => {
        const began = clock.at;
        const many = Array.from({ length: 400 }, () => said(unknown()));
        expect(new Set(await Promise.all(many))).toEqual(new Set(['UNAUTHENTICATED']));
        await authority.stop();
        const recorded = await denials();
        const counted = recorded.flatMap((event) => ('count' in event ? event.count : []));
        expect(recorded.length - counted.length).toBe(5);
        expect(counted).toEqual([395]);
        expect(await countings(began)).toHaveLength(2);
      });
    });

    describe('counts that were lost with their process', () => {
      /** Counts denials in a process that then ends without recording the count. */
      const killed = async (by = authority) => {
        for (let tried = 0; tried < 9; tried += 1) await said('atr_x', {}, by);
      };
      const lostSince = async (since: Instant) =>
        (await countings(since)).filter(({ type }) => type === 'DenialCountsLost');

      it('are reported once, by the next process, though two start at once', async () => {
        const began = clock.at;
        await killed();
        clock.pass(121);
        const next = [authorityOn(log, clock, recording), authorityOn(log, clock, recording)];
        for (const each of next) each.start();
        for (const each of next) await each.stop();
        expect(await lostSince(began)).toMatchObject([{ minute: began }]);
        const later = authorityOn(log, clock, recording);
        later.start();
        await later.stop();
        expect(await lostSince(began)).toHaveLength(1);
      });

      it('are reported even after months', async () => {
        const began = clock.at;
        await killed();
        clock.pass(200 * 24 * 3_600);
        const next = authorityOn(log, clock, recording);
        next.start();
        await next.stop();
        expect(await lostSince(began)).toHaveLength(1);
      });

      it('are not reported while their process may still record them', async () => {
        const began = clock.at;
        await killed();
        clock.pass(60 + 59);
        const next = authorityOn(log, clock, recording);
        next.start();
        await next.stop();
        await authority.stop();
        expect(await lostSince(began)).toEqual([]);
        expect((await denials()).at(-1)).toMatchObject({ count: 4 });
      });

      it('are not reported where the minute ended before a denial was counted', async () => {
        const began = clock.at;
        const slow = authorityOn(
          logWith(log, {
            async append(stream, ...of) {
              const appended = await log.append(stream, ...of);
              const isFirst = stream.startsWith('keycount') && clock.at === began;
              if (isFirst) clock.pass(60);
              return appended;
            },
          }),
          clock,
          recording,
        );
        for (let tried = 0; tried < 6; tried += 1) await said('atr_x', {}, slow);
        await slow.stop();
        clock.pass(300);
        const next = authorityOn(log, clock, recording);
        next.start();
        await next.stop();
        const all = await countings(began);
        expect(all.map(({ type }) => type).toSorted()).toEqual([
          'DenialCountingBegan',
          'DenialCountingBegan',
          'DenialCountingEnded',
          'DenialCountingEnded',
        ]);
        expect((await denials()).at(-1)).toMatchObject({ count: 1 });
      });

      it('are not reported where no further denial came in that minute', async () => {
        const { token } = await keys.mint();
        let passes = 0;
        const passing = () => {
          passes += 1;
          clock.pass(60);
        };
        let isSlow = false;
        const slow = authorityOn(
          logWith(log, {
            async readStream(...of) {
              if (isSlow && passes === 0) passing();
              return log.readStream(...of);
            },
            async append(stream, ...of) {
              const appended = await log.append(stream, ...of);
              if (stream.startsWith('keycount') && passes === 1) passing();
              return appended;
            },
          }),
          clock,
          recording,
        );
        const began = clock.at;
        await said(token, {}, slow);
        for (let tried = 0; tried < 5; tried += 1) await said(unknown(), {}, slow);
        isSlow = true;
        await said(unknown(), {}, slow);
        expect(passes).toBe(2);
        await slow.stop();
        const all = await countings(began);
        expect(all.map(({ type }) => type).toSorted()).toEqual([
          'DenialCountingBegan',
          'DenialCountingBegan',
          'DenialCountingEnded',
          'DenialCountingEnded',
        ]);
        expect((await denials()).at(-1)).toMatchObject({ count: 1 });
      });

      it('are kept while the log is unavailable, and recorded once it is back', async () => {
        let isGone = false;
        const failing = authorityAfter(async () => {
          if (isGone) throw new LogUnavailable('it is gone');
        });
        for (let tried = 0; tried < 9; tried += 1) await said('atr_x', {}, failing);
        isGone = true;
        await failing.stop();
        isGone = false;
        await failing.stop();
        expect((await denials()).slice(5)).toMatchObject([{ count: 4 }]);
      });
    });
  });
