import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { lruCache, type LruCache } from '../concurrency/lru-cache.ts';
import { PERSON_KEYS_CACHED_MAX } from '../limits.ts';
import type { EventType } from '../log/codec.ts';
import type { EventStore, NewEvent, StoredEvent } from '../log/event-store.ts';
import { logWith } from '../log/log-with.ts';
import { memoryEventStore } from '../log/memory/store.ts';
import { CannotSeal, personalInClear } from './clear-events.ts';
import { openedEvent } from './open-events.ts';
import {
  PERSON_KEY_BYTES,
  type KeyOwner,
  type OpeningKey,
  type PersonKeys,
  type SealingKey,
} from './person-keys.ts';
import { sealedLog } from './sealed-log.ts';

/** What was erased of a person: their identity alone, or their texts too. */
export type ErasedSince = 'identity' | 'all';

export interface StoredSealerParts {
  readonly types: ReadonlyMap<string, EventType>;
  readonly keys: Pick<PersonKeys, 'sealing' | 'unlink' | 'destroy'>;
  /** What of this owner was erased after `at`; `null`: none of it. */
  readonly erasedAfter: (owner: KeyOwner, at: string | undefined) => Promise<ErasedSince | null>;
}

/**
 * Seals events of one command that were stored in the clear, as a sealed log would have stored
 * them. What needs no sealing is returned as it is. Personal data of a person who was erased since
 * is sealed under a key that is stored nowhere, so that it reads as erased; texts that were kept
 * are sealed under a key that names no person. Each sealed event is opened again and compared.
 *
 * @throws {@link CannotSeal}; `LogUnavailable` as the keys do.
 */
export type StoredSealer = (command: readonly StoredEvent[]) => Promise<readonly StoredEvent[]>;

export const storedSealer = ({ types, keys, erasedAfter }: StoredSealerParts): StoredSealer => {
  const nowhere = memoryEventStore();
  const destroyed = lruCache<Promise<SealingKey>>(PERSON_KEYS_CACHED_MAX);
  const unlinked = lruCache<Promise<SealingKey>>(PERSON_KEYS_CACHED_MAX);

  const createDestroyed = async (): Promise<SealingKey> => {
    const drawn = { keyId: randomUUID(), key: createSecretKey(randomBytes(PERSON_KEY_BYTES)) };
    // It was never stored: this records that it is destroyed, not lost.
    await keys.destroy([drawn.keyId]);
    return drawn;
  };

  const createUnlinked = async ({ organisation, purpose }: KeyOwner): Promise<SealingKey> => {
    const owner = { organisation, subject: `erased:${randomUUID()}`, purpose };
    const [created] = await keys.sealing([owner]);
    await keys.unlink([created!.keyId]);
    return created!;
  };

  const keptFor = (
    kept: LruCache<Promise<SealingKey>>,
    owner: KeyOwner,
    create: (owner: KeyOwner) => Promise<SealingKey>,
  ): Promise<SealingKey> => {
    const name = JSON.stringify(owner);
    const key = kept.get(name) ?? create(owner);
    kept.set(name, key);
    return key;
  };

  const keyOf = async (owner: KeyOwner, at: string | undefined): Promise<SealingKey> => {
    const erased = await erasedAfter(owner, at);
    if (erased === null) return (await keys.sealing([owner]))[0]!;
    if (erased === 'all' || owner.purpose === 'identity')
      return keptFor(destroyed, owner, createDestroyed);
    return keptFor(unlinked, owner, createUnlinked);
  };

  return async (command) => {
    const clear = command.map((event) => personalInClear(event, types));
    if (clear.every((one) => one === null)) return command;
    const used = new Map<string, OpeningKey>();
    const at = command[0]!.meta['at'];
    const sealing = async (owners: readonly KeyOwner[]) => {
      const found = await Promise.all(owners.map((owner) => keyOf(owner, at)));
      for (const [n, { keyId, key }] of found.entries())
        used.set(keyId, { key, subject: owners[n]!.subject, name: owners[n]!.name ?? null });
      return found;
    };
    const clearEvents = clear.flatMap((one) => one?.event ?? []);
    const stored = await asStored(nowhere, command[0]!.stream, clearEvents, sealing, types);
    let at0 = 0;
    return command.map((event, n) => {
      if (clear[n] === null) return event;
      const { data, meta } = stored[(at0 += 1) - 1]!;
      if (meta['personKeys'] === undefined) return event;
      const sealed = { ...event, data, meta };
      mustOpenAs(clear[n]!.event, sealed, used, event);
      return sealed;
    });
  };
};

/** The event as a sealed log passes it to its backend. */
const asStored = async (
  nowhere: EventStore,
  stream: string,
  events: readonly NewEvent[],
  sealing: PersonKeys['sealing'],
  types: ReadonlyMap<string, EventType>,
): Promise<readonly NewEvent[]> => {
  let stored: readonly NewEvent[] = [];
  const backend = logWith(nowhere, {
    async append(_stream, _expected, appended) {
      stored = appended;
      return { revision: 0, position: '0', repeated: false };
    },
  });
  const keys = { sealing, sealingCached: () => null, opening: async () => new Map() };
  await sealedLog(backend, keys, types).append(stream, 'any', events);
  return stored;
};

const mustOpenAs = (
  expected: NewEvent,
  sealed: StoredEvent,
  keys: ReadonlyMap<string, OpeningKey>,
  stored: StoredEvent,
): void => {
  const { data, meta } = openedEvent(sealed, keys);
  const { personKeys: _, ...rest } = meta;
  if (textOf(data, rest) !== textOf(expected.data, expected.meta))
    throw new CannotSeal(stored, 'opened again it is another event');
};

const textOf = (data: unknown, meta: Readonly<Record<string, string>>): string =>
  JSON.stringify([data, Object.entries(meta).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
