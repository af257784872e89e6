import { useState } from 'preact/hooks';

export interface StableKeys {
  /** The keys of the items, in their order. */
  readonly keys: readonly number[];
  readonly onAdded: () => void;
  readonly onRemoved: (at: number) => void;
  readonly onMoved: (from: number, to: number) => void;
}

/**
 * Keys that stay with the items of a list when these are moved or others removed, so that partial
 * input stays with its item. A list whose length was changed otherwise gets new keys.
 */
export const useStableKeys = (count: number): StableKeys => {
  const [{ keys, next }, set] = useState(() => fresh(0, count));
  const shown = keys.length === count ? { keys, next } : fresh(next, count);
  if (shown.keys !== keys) set(shown);
  return {
    keys: shown.keys,
    onAdded: () => set({ keys: [...shown.keys, shown.next], next: shown.next + 1 }),
    onRemoved: (at) => set({ ...shown, keys: shown.keys.toSpliced(at, 1) }),
    onMoved: (from, to) =>
      set({ ...shown, keys: shown.keys.toSpliced(from, 1).toSpliced(to, 0, shown.keys[from]!) }),
  };
};

const fresh = (from: number, count: number) => ({
  keys: Array.from({ length: count }, (_, at) => from + at),
  next: from + count,
});
