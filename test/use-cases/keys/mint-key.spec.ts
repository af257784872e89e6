import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyringOf, readToken } from '../../../src/identity/keys/token.ts';
import { keyringCodec } from '../../../src/domain/keys/codecs.ts';
import { keyringAnnouncements } from '../../../src/identity/keys/key-use-log.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { historyOf } from '../../../src/engine/log/history.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { keyringRepository } from '../../../src/use-cases/keys/keyrings.ts';
import { streamOf } from '../../../src/engine/log/streams.ts';
import { mintKey } from '../../../src/use-cases/keys/mint-key.ts';
import { afterNoon, noon } from '../../support/domain/specify.ts';

const asked = { organisation: 'acme', label: 'ci', scope: 'full', expiresInDays: 1 } as const;

const keyring = () => {
  const log = memoryEventStore();
  return {
    mint: mintKey({
      keyrings: keyringRepository(log, keyringAnnouncements({ log, clock: systemClock })),
    }),
    facts: () => historyOf(log, keyringCodec, streamOf('keyring', keyringOf('acme'))),
  };
};

describe('minting a key', () => {
  it('answers the token of the key that was issued, of which only a hash is kept', async () => {
    const { mint, facts } = keyring();
    const { key, token } = await mint(asked, noon, { commandId: randomUUID() });
    expect(key).toMatchObject({
      label: 'ci',
      scope: 'full',
      status: 'active',
      createdAt: noon.at,
      createdBy: noon.by,
      expiresAt: '2026-03-03T12:00:00.000Z',
    });
    const issued = (await facts()).map(({ event }) => event).at(-1)!;
    if (issued.type !== 'KeyIssued') throw new Error('no key was issued');
    const read = readToken(token!)!;
    expect([read.keyId, issued.keyId]).toEqual([key.keyId, key.keyId]);
    expect(read.hasHash(issued.secretHash)).toBe(true);
    expect(JSON.stringify(issued)).not.toContain(token!.slice(-49, -6));
  });

  it('is idempotent: a repeat returns the same key, without its token', async () => {
    const { mint, facts } = keyring();
    const name = { commandId: randomUUID(), bodyHash: 'a' };
    const first = await mint(asked, noon, name);
    await mint(asked, noon, { commandId: randomUUID() });
    const aWeekLater = afterNoon(7 * 24 * 60);
    const again = await mint(asked, aWeekLater, name);
    expect(again.key).toEqual(first.key);
    expect([again.token, again.answer.replayed]).toEqual([null, true]);
    expect((await facts()).filter(({ event }) => event.type === 'KeyIssued')).toHaveLength(2);
  });

  it('refused, returns no token', async () => {
    const { mint } = keyring();
    for (let minted = 0; minted < 5; minted += 1)
      await mint({ ...asked, expiresInDays: null }, noon, { commandId: randomUUID() });
    await expect(mint(asked, noon, { commandId: randomUUID() })).rejects.toMatchObject({
      refusal: { refused: 'KEY_LIMIT_REACHED' },
    });
  });
});
