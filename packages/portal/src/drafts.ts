/**
 * What was typed and not sent, in the storage of the browser: it survives a reload, a crash and
 * the end of the session. Kept by person and organisation, so that no one else at the same browser
 * is shown it; removed when it is sent or discarded.
 */

/** Of all persons together; the oldest are removed. */
export const DRAFTS_MAX = 50;
/** Characters of one draft; a longer one is not kept. */
export const DRAFT_LENGTH_MAX = 200_000;
/** Days after the last change. */
export const DRAFT_DAYS_MAX = 7;

const PREFIX = 'atrium.draft:';
const DAY_MS = 86_400_000;

export interface Draft<Content> {
  /** The time of the last change, in milliseconds since 1970. */
  readonly at: number;
  readonly content: Content;
}

export interface Drafts {
  /** `null`: none, one that is too old, or one that cannot be read. */
  readonly read: <Content>(form: string) => Draft<Content> | null;
  /** @returns whether it is kept: it is not where it is too long or the browser has no room. */
  readonly write: (form: string, content: unknown) => boolean;
  readonly remove: (form: string) => void;
}

/** @param owner The person and the organisation. */
export const draftsOf = (
  owner: readonly (string | null)[],
  storage: Storage = localStorage,
  now: () => number = Date.now,
): Drafts => {
  const keyOf = (form: string) => PREFIX + JSON.stringify([...owner, form]);
  return {
    read<Content>(form: string) {
      const draft = parsed<Content>(storage.getItem(keyOf(form)));
      return draft !== null && isFresh(draft, now()) ? draft : null;
    },
    write(form, content) {
      const key = keyOf(form);
      const text = JSON.stringify({ at: now(), content });
      if (text.length > DRAFT_LENGTH_MAX) {
        // An earlier state of the same text must not come back in place of the latest.
        storage.removeItem(key);
        return false;
      }
      prune(storage, key, now());
      try {
        storage.setItem(key, text);
        return true;
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        storage.removeItem(key);
        return false;
      }
    },
    remove: (form) => storage.removeItem(keyOf(form)),
  };
};

const parsed = <Content>(text: string | null): Draft<Content> | null => {
  try {
    return JSON.parse(text ?? 'null') as Draft<Content> | null;
  } catch {
    return null;
  }
};

const isFresh = ({ at }: Draft<unknown>, now: number): boolean =>
  now - at <= DRAFT_DAYS_MAX * DAY_MS;

/** Makes room for one more: removes what is too old, and the oldest beyond the bound. */
const prune = (storage: Storage, coming: string, now: number): void => {
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at)!);
  const found = keys
    .filter((key) => key.startsWith(PREFIX) && key !== coming)
    .map((key) => ({ key, draft: parsed(storage.getItem(key)) }))
    .toSorted((a, b) => (b.draft?.at ?? 0) - (a.draft?.at ?? 0));
  found.forEach(({ key, draft }, at) => {
    if (draft === null || !isFresh(draft, now) || at >= DRAFTS_MAX - 1) storage.removeItem(key);
  });
};
