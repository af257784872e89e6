import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogUnavailable } from '../../../src/engine/log/event-store.ts';
import {
  personKeysIn,
  type KeyOwner,
  type PersonKeysParts,
} from '../../../src/engine/personal/person-keys.ts';
import { secretsKeyId, secretsOf } from '../../../src/engine/secrets/secrets.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { freshDatabase, type TestDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';

const secretsKey = randomBytes(32);
let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await freshDatabase();
  pool = poolOf(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** The keys of one process, with a separate cache. */
const process = (parts: Partial<PersonKeysParts> = {}) =>
  personKeysIn({ pool, secrets: secretsOf([secretsKey]), clock: systemClock, ...parts });

let persons = 0;
const owner = (changes: Partial<KeyOwner> = {}): KeyOwner => ({
  organisation: 'north',
  subject: `user:person-${(persons += 1)}`,
  purpose: 'texts',
  ...changes,
});

/** A pool that counts the statements sent over it. */
const counted = () => {
  let statements = 0;
  const query = (...call: Parameters<Pool['query']>) => {
    statements += 1;
    return pool.query(...call);
  };
  return {
    pool: Object.assign(Object.create(pool) as Pool, { query }),
    statements: () => statements,
  };
};

describe('the keys of persons', () => {
  it('has one key for an owner, wrapped by the secrets', async () => {
    const one = owner();
    const [first] = await process().sealing([one]);
    const [again] = await process().sealing([one]);
    expect(again!.keyId).toBe(first!.keyId);
    expect(again!.key.equals(first!.key)).toBe(true);
    const { rows } = await pool.query('select * from personal.keys where key_id = $1', [
      first!.keyId,
    ]);
    expect(rows).toMatchObject([{ subject: one.subject, purpose: 'texts', name: null }]);
    expect(rows[0].wrapped).not.toContain(first!.key.export().toString('base64'));
  });

  it('has separate keys by organisation, subject, purpose and name', async () => {
    const one = owner();
    const owners = [
      one,
      { ...one, organisation: 'south' },
      { ...one, purpose: 'identity' as const },
      { ...one, purpose: 'identity' as const, name: 'Ada' },
      { ...one, purpose: 'identity' as const, name: 'Ada L.' },
      owner(),
    ];
    const keys = await process().sealing(owners);
    expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(owners.length);
  });

  it('returns the same key to concurrent processes', async () => {
    const owners = Array.from({ length: 20 }, () => owner());
    const raced = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        process().sealing(n % 2 === 0 ? owners : owners.toReversed()),
      ),
    );
    const ids = raced.map((keys, n) =>
      (n % 2 === 0 ? keys : keys.toReversed()).map(({ keyId }) => keyId),
    );
    expect(new Set(ids.map((one) => one.join())).size).toBe(1);
  });

  it("loads another process's keys, with one statement for all missing ones", async () => {
    const owners = Array.from({ length: 50 }, (_, n) => owner({ name: `Person ${n}` }));
    const sealed = await process().sealing(owners);
    const { pool: watched, statements } = counted();
    const keys = process({ pool: watched });
    const ids = sealed.map(({ keyId }) => keyId);
    const opened = await keys.opening([...ids, ...ids]);
    for (const [n, { keyId, key }] of sealed.entries()) {
      expect(opened.get(keyId)).toMatchObject({ subject: owners[n]!.subject, name: `Person ${n}` });
      expect(opened.get(keyId)!.key.equals(key)).toBe(true);
    }
    await keys.opening(ids);
    expect(statements()).toBe(1);
  });

  it('reloads a cached key after its maximum age', async () => {
    const [sealed] = await process().sealing([owner()]);
    const reader = process({ trustedMs: 0 });
    expect((await reader.opening([sealed!.keyId])).get(sealed!.keyId)).not.toBeNull();
    await process().destroy([sealed!.keyId]);
    expect((await reader.opening([sealed!.keyId])).get(sealed!.keyId)).toBeNull();
  });

  it('destroys a key permanently, and then creates another for its owner', async () => {
    const one = owner();
    const keys = process();
    const [sealed] = await keys.sealing([one]);
    await keys.opening([sealed!.keyId]);
    await keys.destroy([sealed!.keyId]);
    await keys.destroy([sealed!.keyId]);
    expect((await keys.opening([sealed!.keyId])).get(sealed!.keyId)).toBeNull();
    expect(await keys.keysOf('north', [one.subject])).toEqual([]);
    const [next] = await keys.sealing([one]);
    expect(next!.keyId).not.toBe(sealed!.keyId);
  });

  it('unlinks a key from its owner, and still opens with it', async () => {
    const one = owner({ name: 'Ada' });
    const keys = process();
    const [sealed] = await keys.sealing([one]);
    await keys.opening([sealed!.keyId]);
    await keys.unlink([sealed!.keyId]);
    await keys.unlink([sealed!.keyId]);
    const opened = (await keys.opening([sealed!.keyId])).get(sealed!.keyId)!;
    expect(opened).toMatchObject({ subject: null, name: null });
    expect(opened.key.equals(sealed!.key)).toBe(true);
    const [next] = await keys.sealing([one]);
    expect(next!.keyId).not.toBe(sealed!.keyId);
  });

  it('finds all keys of the given subjects in one organisation', async () => {
    const one = owner();
    const identity = { ...one, purpose: 'identity' as const };
    const other = owner();
    const sealed = await process().sealing([
      one,
      { ...identity, name: 'Ada' },
      { ...identity, name: 'Ada L.' },
      other,
      { ...one, organisation: 'south' },
      owner(),
    ]);
    const found = await process().keysOf('north', [one.subject, other.subject]);
    expect(found.map(({ keyId }) => keyId).toSorted()).toEqual(
      sealed
        .slice(0, 4)
        .map(({ keyId }) => keyId)
        .toSorted(),
    );
  });

  it('bounds its cached keys', async () => {
    const sealed = await process().sealing(Array.from({ length: 5 }, () => owner()));
    const { pool: watched, statements } = counted();
    const keys = process({ pool: watched, cachedMax: 4 });
    const ids = sealed.map(({ keyId }) => keyId);
    await keys.opening(ids);
    await keys.opening([ids[4]!]);
    expect(statements()).toBe(1);
    await keys.opening([ids[0]!]);
    expect(statements()).toBe(2);
  });

  it('is unavailable, and reports no erasure, while the database is unavailable', async () => {
    const [sealed] = await process().sealing([owner()]);
    const away = poolOf('postgres://127.0.0.1:1/none');
    try {
      const keys = process({ pool: away });
      await expect(keys.opening([sealed!.keyId])).rejects.toThrow(LogUnavailable);
      await expect(keys.sealing([owner()])).rejects.toThrow(LogUnavailable);
    } finally {
      await away.end();
    }
  });

  it('is unavailable while the secrets key that wrapped a key is not configured', async () => {
    const [sealed] = await process().sealing([owner()]);
    const other = secretsOf([randomBytes(32)]);
    const without = process({ secrets: other });
    expect(without.ready()).toBe(true);
    await expect(without.opening([sealed!.keyId])).rejects.toThrow(LogUnavailable);
    expect(without.ready()).toBe(
      `ATRIUM_SECRETS_KEY lacks key ${secretsKeyId(secretsKey)}, which keys of persons are ` +
        'sealed with',
    );
    const rotated = secretsOf([randomBytes(32), secretsKey]);
    const opened = await process({ secrets: rotated }).opening([sealed!.keyId]);
    expect(opened.get(sealed!.keyId)!.key.equals(sealed!.key)).toBe(true);
  });
});
