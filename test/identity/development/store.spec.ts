import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { developmentKey } from '../../../src/identity/development/key.ts';
import { developmentStore } from '../../../src/identity/development/store.ts';

describe('the store of the development issuer', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('has no expired entry, by any of its keys', async () => {
    const sessions = developmentStore()('Session');
    await sessions.upsert('a', { uid: 'u', userCode: 'c' }, 10);
    vi.advanceTimersByTime(9_999);
    expect(await sessions.find('a')).toBeDefined();
    vi.advanceTimersByTime(1);
    expect(await sessions.findByUid('u')).toBeUndefined();
    expect(await sessions.findByUserCode('c')).toBeUndefined();
    expect(await sessions.find('a')).toBeUndefined();
  });

  it('revokes an entry with its grant, and no other', async () => {
    const tokens = developmentStore()('RefreshToken');
    await tokens.upsert('mine', { grantId: 'g1' });
    await tokens.upsert('other', { grantId: 'g2' });
    await tokens.revokeByGrantId('g1');
    expect([await tokens.find('mine'), await tokens.find('other')]).toEqual([
      undefined,
      { grantId: 'g2' },
    ]);
  });

  it('separates issuers and kinds of entries', async () => {
    const store = developmentStore();
    await store('Session').upsert('a', { uid: 'u' });
    expect(await store('Interaction').find('a')).toBeUndefined();
    expect(await store('Interaction').findByUid('u')).toBeUndefined();
    expect(await developmentStore()('Session').find('a')).toBeUndefined();
  });

  it('is bounded, and evicts the oldest entry first', async () => {
    const codes = developmentStore()('DeviceCode');
    for (let n = 0; n <= 20_000; n += 1) await codes.upsert(`${n}`, {});
    expect([await codes.find('0'), await codes.find('1')]).toEqual([undefined, {}]);
  });
});

it('generates one signing key, also for three concurrent callers', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-key-'));
  const keys = await Promise.all([1, 2, 3].map(() => developmentKey(directory)));
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1);
  rmSync(directory, { recursive: true });
});
