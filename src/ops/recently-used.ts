/** A bounded memory: the least recently used leaves first. What leaves has to be found again. */
export interface RecentlyUsed<Value> {
  /** `undefined` for what is not kept. */
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/**
 * @param weightMax Of all that is kept together; what was set last is kept, whatever it weighs.
 * @param weightOf Default: each entry weighs 1.
 */
export const recentlyUsed = <Value>(
  weightMax: number,
  weightOf: (value: Value) => number = () => 1,
): RecentlyUsed<Value> => {
  const kept = new Map<string, Value>();
  let weight = 0;
  const remove = (key: string) => {
    const value = kept.get(key);
    if (value === undefined) return;
    kept.delete(key);
    weight -= weightOf(value);
  };
  return {
    get(key) {
      const value = kept.get(key);
      if (value !== undefined) {
        kept.delete(key);
        kept.set(key, value);
      }
      return value;
    },
    set(key, value) {
      remove(key);
      kept.set(key, value);
      weight += weightOf(value);
      for (const oldest of kept.keys()) {
        if (weight <= weightMax || oldest === key) return;
        remove(oldest);
      }
    },
  };
};
