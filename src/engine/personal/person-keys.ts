import { createSecretKey, randomBytes, randomUUID, type KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { asStorable } from '../storable.ts';
import { batcher, upTo } from '../concurrency/batcher.ts';
import { datedCache } from '../concurrency/dated-cache.ts';
import {
  PERSON_KEY_TRUSTED_MS,
  PERSON_KEYS_CACHED_MAX,
  SECRETS_KEY_NOT_READY_MS,
  PERSON_KEYS_SEALED_AT_ONCE_MAX,
} from '../limits.ts';
import { LogUnavailable } from '../log/event-store.ts';
import { isUnreachable } from '../postgres/errors.ts';
import { readinessError, type Ready } from '../observe/readiness-error.ts';
import { CannotOpen, KeyNotConfigured, type Secrets } from '../secrets/secrets.ts';
import type { Clock } from '../time/clock.ts';
import { keyRowsIn, type HeldKey, type KeyOwner, type KeyRow, type NamedKey } from './key-rows.ts';

export type { HeldKey, KeyOwner, NamedKey } from './key-rows.ts';
export type { Purpose } from '../log/personal-data.ts';

export interface SealingKey {
  readonly keyId: string;
  readonly key: KeyObject;
}

export interface OpeningKey {
  readonly key: KeyObject;
  /** `null`: sealed data can still be opened, but no longer names its person. */
  readonly subject: string | null;
  readonly name: string | null;
}

/**
 * The keys that personal data in the log is sealed under, each of one person, one organisation and
 * one purpose: rows outside the log, wrapped by {@link Secrets}. To erase a person is to destroy
 * the keys. An id is random and reveals nothing. contract.md section 11, decision 0123.
 *
 * Every method throws `LogUnavailable` while the keys cannot be reached, or cannot be opened
 * because a secrets key is not configured: sealed data must not be mistaken for erased data
 * meanwhile.
 */
export interface PersonKeys {
  /**
   * One key for each owner, in their order, created where there is none yet. Concurrent processes
   * get the same key. Durable when the promise resolves. A cached one may have been destroyed by
   * another process less than {@link PERSON_KEY_TRUSTED_MS} ago: data that is sealed under it then
   * is erased too.
   */
  sealing(owners: readonly KeyOwner[]): Promise<readonly SealingKey[]>;
  /** Creates the key of each owner that has none: never from a cache. */
  ensured(owners: readonly KeyOwner[]): Promise<void>;
  /** The same as {@link sealing} from the cache; `null` if one of them is not cached. */
  sealingCached(owners: readonly KeyOwner[]): readonly SealingKey[] | null;
  /**
   * The keys by id; `null` for a destroyed one. At most {@link PERSON_KEY_TRUSTED_MS} old, all
   * uncached ones in one statement.
   */
  opening(keyIds: Iterable<string>): Promise<ReadonlyMap<string, OpeningKey | null>>;
  /** All keys of these subjects: never from a cache. */
  keysOf(organisation: string, subjects: readonly string[]): Promise<readonly NamedKey[]>;
  /** Those of the keys that exist, without opening any: never from a cache. */
  held(keyIds: readonly string[]): Promise<readonly HeldKey[]>;
  /** Destroys the keys: data sealed under them can never be opened again. Idempotent. */
  destroy(keyIds: readonly string[]): Promise<void>;
  /** Destroys keys again that a restored table brought back. @returns Their number. */
  destroyAgain(): Promise<number>;
  /** Unlinks the keys from their persons. They still open. Idempotent. */
  unlink(keyIds: readonly string[]): Promise<void>;
  /**
   * Whether this process has the secrets keys that others seal with: without one it reads no
   * further in the log. Only for {@link SECRETS_KEY_NOT_READY_MS} after the last failure; readers
   * of the log try again more often.
   */
  ready(): Ready;
}

export interface PersonKeysParts {
  /** The pool of a migrated database. */
  readonly pool: Pool;
  readonly secrets: Secrets;
  readonly clock: Pick<Clock, 'now'>;
  /** Entries of each of its two caches. Default {@link PERSON_KEYS_CACHED_MAX}. */
  readonly cachedMax?: number;
  /** How long an entry is trusted. Default {@link PERSON_KEY_TRUSTED_MS}. */
  readonly trustedMs?: number;
}

export const personKeysIn = ({
  pool,
  secrets,
  clock,
  cachedMax = PERSON_KEYS_CACHED_MAX,
  trustedMs = PERSON_KEY_TRUSTED_MS,
}: PersonKeysParts): PersonKeys => {
  const rows = keyRowsIn(pool);
  const sealingKeys = datedCache<SealingKey>(cachedMax, trustedMs);
  const openingKeys = datedCache<OpeningKey | null>(cachedMax, trustedMs);
  /** Incremented by each erasure: an answer that was in flight meanwhile is not cached. */
  let erasures = 0;
  /** The last secrets key that was missing. */
  let lacking: { readonly keyId: string; readonly at: number } | null = null;

  /** A missing key must be distinguishable from one that cannot be read now. */
  const reaching = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof KeyNotConfigured)
        lacking = { keyId: error.keyId, at: performance.now() };
      if (isUnreachable(error) || error instanceof CannotOpen)
        throw new LogUnavailable(`the keys of persons: ${(error as Error).message}`, error);
      throw error;
    }
  };

  const cachedKey = (owner: KeyOwner): SealingKey | null =>
    sealingKeys.get(ownerKey(owner))?.value ?? null;

  const unwrapped = ({ keyId, wrapped }: Pick<KeyRow, 'keyId' | 'wrapped'>): KeyObject =>
    createSecretKey(Buffer.from(secrets.open(wrapped, keyId), 'base64'));

  const drawn = (owner: KeyOwner): KeyRow => {
    const keyId = randomUUID();
    const wrapped = secrets.seal(randomBytes(PERSON_KEY_BYTES).toString('base64'), keyId);
    return { ...owner, name: owner.name ?? null, keyId, wrapped, createdAt: clock.now() };
  };

  const lookUpOrCreate = batcher<KeyOwner, SealingKey>({
    next: upTo(PERSON_KEYS_SEALED_AT_ONCE_MAX),
    async write(_, owners) {
      const before = erasures;
      const readAt = performance.now();
      const byOwner = new Map(owners.map((owner) => [ownerKey(owner), owner]));
      const found = await rows.ofOwners([...byOwner.values()]);
      const rowsByOwner = new Map(found.map((row) => [ownerKey(row), row]));
      const missing = [...byOwner].flatMap(([key, owner]) => (rowsByOwner.has(key) ? [] : [owner]));
      for (const row of await rows.created(missing.map(drawn))) rowsByOwner.set(ownerKey(row), row);
      const keys = new Map(
        Array.from(rowsByOwner, ([owner, row]) => [
          owner,
          { keyId: row.keyId, key: unwrapped(row) },
        ]),
      );
      if (before === erasures)
        for (const [owner, value] of keys) sealingKeys.set(owner, value, readAt);
      return owners.map((owner) => keys.get(ownerKey(owner)) ?? destroyedMeanwhile());
    },
  });

  const forget = (changed: readonly KeyRow[], keyIds: readonly string[]) => {
    erasures += 1;
    for (const row of changed) sealingKeys.delete(ownerKey(row));
    for (const keyId of keyIds) openingKeys.delete(keyId);
  };

  return {
    sealingCached(owners) {
      const keys: SealingKey[] = [];
      for (const owner of owners) {
        // An owner whose name Postgres cannot store unchanged is not cached.
        const key = cachedKey(owner);
        if (key === null) return null;
        keys.push(key);
      }
      return keys;
    },

    sealing: (owners) =>
      reaching(() =>
        Promise.all(
          owners
            .map(storable)
            .map(async (owner) => cachedKey(owner) ?? lookUpOrCreate('all', owner)),
        ),
      ),

    ensured: (owners) =>
      reaching(async () => {
        await Promise.all(owners.map((owner) => lookUpOrCreate('all', storable(owner))));
      }),

    opening: (keyIds) =>
      reaching(async () => {
        const readAt = performance.now();
        const keys = new Map<string, OpeningKey | null>();
        const missing: string[] = [];
        for (const keyId of keyIds) {
          if (keys.has(keyId)) continue;
          const cached = openingKeys.get(keyId);
          if (!cached) missing.push(keyId);
          keys.set(keyId, cached?.value ?? null);
        }
        if (missing.length === 0) return keys;
        const before = erasures;
        for (const row of await rows.byId(missing)) {
          keys.set(row.keyId, { key: unwrapped(row), subject: row.subject, name: row.name });
        }
        if (before === erasures) {
          for (const keyId of missing) openingKeys.set(keyId, keys.get(keyId) ?? null, readAt);
        }
        return keys;
      }),

    keysOf: (organisation, subjects) => reaching(() => rows.ofSubjects(organisation, subjects)),

    held: (keyIds) => reaching(() => rows.held(keyIds)),

    destroy: (keyIds) => reaching(async () => forget(await rows.destroyed(keyIds), keyIds)),

    destroyAgain: () =>
      reaching(async () => {
        const back = await rows.destroyedAgain();
        forget(
          back,
          back.map(({ keyId }) => keyId),
        );
        return back.length;
      }),

    unlink: (keyIds) => reaching(async () => forget(await rows.unlinked(keyIds), keyIds)),

    ready() {
      if (!lacking || performance.now() - lacking.at > SECRETS_KEY_NOT_READY_MS) return true;
      return readinessError(
        `ATRIUM_SECRETS_KEY lacks key ${lacking.keyId}, which keys of persons are sealed with`,
      );
    },
  };
};

/**
 * The same for commands that may lack the secrets key: operations without it and without a cache.
 */
export const erasableKeysIn = (pool: Pool): Pick<PersonKeys, 'held' | 'destroy' | 'unlink'> => {
  const rows = keyRowsIn(pool);
  return {
    held: (keyIds) => rows.held(keyIds),
    destroy: async (keyIds) => void (await rows.destroyed(keyIds)),
    unlink: async (keyIds) => void (await rows.unlinked(keyIds)),
  };
};

/** The length of a key for AES-256. */
export const PERSON_KEY_BYTES = 32;

const destroyedMeanwhile = () =>
  new LogUnavailable('a key of a person was destroyed while another process created it');

const ownerKey = ({
  organisation,
  subject,
  purpose,
  name,
}: Pick<KeyRow, 'organisation' | 'subject' | 'purpose'> & {
  readonly name?: string | null | undefined;
}): string => `${purpose}\0${subject}\0${name ?? ''}\0${organisation}`;

/** The owner with a name that Postgres can store. */
const storable = (owner: KeyOwner): KeyOwner => ({
  ...owner,
  subject: asStorable(owner.subject),
  name: owner.name === undefined ? undefined : asStorable(owner.name),
});
