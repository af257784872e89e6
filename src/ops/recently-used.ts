/** A bounded memory: the least recently used leaves first. What leaves has to be found again. */
export interface RecentlyUsed<Value> {
  /** `undefined` for what is not kept. */
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

export const recentlyUsed = <Value>(entriesMax: number): RecentlyUsed<Value> => {
  const kept = new Map<string, Value>();
  const put = (key: string, value: Value) => {
    kept.delete(key);
    kept.set(key, value);
  };
  return {
    get(key) {
      const value = kept.get(key);
      if (value !== undefined) put(key, value);
      return value;
    },
    set(key, value) {
      put(key, value);
      const oldest = kept.keys().next();
      if (kept.size > entriesMax && !oldest.done) kept.delete(oldest.value);
    },
  };
};
