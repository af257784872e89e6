/**
 * Values in the browser's storage: by person and organisation, so that other users of the browser
 * do not see them, and bounded, so that they never fill the storage.
 */

/** Days after the last change until a value expires. */
export const KEPT_DAYS_MAX = 7;

const DAY_MS = 86_400_000;

export interface Kept<Content> {
  /** The time of the last change, in milliseconds since 1970. */
  readonly at: number;
  readonly content: Content;
}

/** A value that is too long, or for which the storage has no room, is not kept. */
export type Keeping = 'kept' | 'too-long' | 'no-room';

export interface KeptValues {
  /** `null` if it is absent, expired or unreadable. */
  readonly read: <Content>(name: string) => Kept<Content> | null;
  /** Where the storage is full, a draft evicts the oldest drafts; other values evict none. */
  readonly write: (name: string, content: unknown) => Keeping;
  readonly remove: (name: string) => void;
  /** The names of all values of this owner, in no order. */
  readonly names: () => readonly string[];
}

export interface KeptBounds {
  /** Values of all owners together; the oldest are evicted. */
  readonly max: number;
  /** Characters of one value; a longer one is not stored. */
  readonly lengthMax: number;
}

/** The storage and the clock; only tests replace them. */
export interface KeptIn {
  readonly storage?: Storage;
  readonly now?: () => number;
}

/** The prefix of drafts, which alone are evicted where the storage is full. */
export const DRAFT = 'atrium.draft:';

/**
 * @param prefix Names the kind of value: `atrium.draft:`.
 * @param owner The person and the organisation.
 */
export const keptValues = (
  prefix: string,
  owner: readonly (string | null)[],
  { max, lengthMax }: KeptBounds,
  { storage = localStorage, now = Date.now }: KeptIn = {},
): KeptValues => {
  const keyOf = (name: string) => prefix + JSON.stringify([...owner, name]);
  /** Makes room for one value: removes expired ones, and the oldest beyond the limit. */
  const prune = (coming: string) => {
    newestIn(storage, prefix, coming).forEach(({ key, kept }, at) => {
      if (kept === null || !isFresh(kept, now()) || at >= max - 1) storage.removeItem(key);
    });
  };
  /** Evicts the oldest drafts for a draft. If it still does not fit, they are restored. */
  const stored = (key: string, text: string): Keeping => {
    prune(key);
    const evicted: [key: string, text: string][] = [];
    while (!hasStored(storage, key, text)) {
      const oldest = prefix === DRAFT ? newestIn(storage, DRAFT, key).at(-1) : undefined;
      if (oldest === undefined) {
        // The newest first: another tab may have taken a part of the room.
        for (const [other, draft] of evicted.toReversed()) hasStored(storage, other, draft);
        return 'no-room';
      }
      evicted.push([oldest.key, storage.getItem(oldest.key)!]);
      storage.removeItem(oldest.key);
    }
    return 'kept';
  };
  return {
    read<Content>(name: string) {
      const kept = parsed<Content>(storage.getItem(keyOf(name)));
      return kept !== null && isFresh(kept, now()) ? kept : null;
    },
    write(name, content) {
      const key = keyOf(name);
      const text = JSON.stringify({ at: now(), content });
      const keeping = text.length > lengthMax ? 'too-long' : stored(key, text);
      // An outdated version must not be restored in place of the latest.
      if (keeping !== 'kept') storage.removeItem(key);
      return keeping;
    },
    remove: (name) => storage.removeItem(keyOf(name)),
    names() {
      const own = JSON.stringify(owner).slice(0, -1);
      return keysIn(storage, `${prefix}${own},`).map((key) =>
        (JSON.parse(key.slice(prefix.length)) as string[]).at(-1)!,
      );
    },
  };
};

const keysIn = (storage: Storage, prefix: string): readonly string[] =>
  Array.from({ length: storage.length }, (_, at) => storage.key(at)!).filter((key) =>
    key.startsWith(prefix),
  );

/** Values of a kind, beside one, the newest first. */
const newestIn = (storage: Storage, prefix: string, except: string) =>
  keysIn(storage, prefix)
    .filter((key) => key !== except)
    .map((key) => ({ key, kept: parsed(storage.getItem(key)) }))
    .toSorted((a, b) => (b.kept?.at ?? 0) - (a.kept?.at ?? 0));

/** @returns false if the storage is full. */
const hasStored = (storage: Storage, key: string, text: string): boolean => {
  try {
    storage.setItem(key, text);
    return true;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return false;
  }
};

const parsed = <Content>(text: string | null): Kept<Content> | null => {
  try {
    return JSON.parse(text ?? 'null') as Kept<Content> | null;
  } catch {
    return null;
  }
};

const isFresh = ({ at }: Kept<unknown>, now: number): boolean => now - at <= KEPT_DAYS_MAX * DAY_MS;
