/** A bounded cache that evicts the least recently used entry first. */
export interface LruCache<Value> {
  /** `undefined` if the key is not cached. */
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/** A second bound beside the number of entries, such as their bytes. */
export interface WeightBound<Value> {
  /** The sum over all entries; the entry set last is kept, whatever its weight. */
  readonly weightMax: number;
  /** Called once, when the value is set. */
  readonly weightOf: (value: Value) => number;
}

/** @param bound Default: only the number of entries is bounded. */
export const lruCache = <Value>(
  entriesMax: number,
  { weightMax, weightOf }: WeightBound<Value> = { weightMax: 0, weightOf: () => 0 },
): LruCache<Value> => {
  const kept = new Map<string, { readonly value: Value; readonly weight: number }>();
  let weight = 0;
  const remove = (key: string) => {
    weight -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  };
  return {
    delete: remove,
    get(key) {
      const entry = kept.get(key);
      if (entry === undefined) return undefined;
      kept.delete(key);
      kept.set(key, entry);
      return entry.value;
    },
    set(key, value) {
      remove(key);
      const entry = { value, weight: weightOf(value) };
      kept.set(key, entry);
      weight += entry.weight;
      for (const oldest of kept.keys()) {
        const fits = kept.size <= entriesMax && weight <= weightMax;
        if (fits || (oldest === key && entriesMax > 0)) return;
        remove(oldest);
      }
    },
  };
};
