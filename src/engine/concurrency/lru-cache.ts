/** A bounded memory: the least recently used leaves first. What leaves has to be found again. */
export interface RecentlyUsed<Value> {
  /** `undefined` for what is not kept. */
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/** A bound beside the number of entries, such as their bytes. */
export interface WeightBound<Value> {
  /** Of all that is kept together; what was set last is kept, whatever it weighs. */
  readonly weightMax: number;
  /** Asked once, when the value is set. */
  readonly weightOf: (value: Value) => number;
}

/** @param bound Default: only entries count. */
export const recentlyUsed = <Value>(
  entriesMax: number,
  { weightMax, weightOf }: WeightBound<Value> = { weightMax: 0, weightOf: () => 0 },
): RecentlyUsed<Value> => {
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
