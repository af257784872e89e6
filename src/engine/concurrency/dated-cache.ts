import { lruCache, type WeightBound } from './lru-cache.ts';

/** A value, and when its source was read, by the process's monotonic clock. */
export interface Dated<Value> {
  readonly value: Value;
  readonly readAt: number;
}

/** A bounded cache whose entries expire. */
export interface DatedCache<Value> {
  /** `undefined` if the key is not cached, or its value has expired. */
  get(key: string): Dated<Value> | undefined;
  /** @param readAt For a value derived from a cached one: that of the cached one. */
  set(key: string, value: Value, readAt: number): void;
  delete(key: string): void;
}

/**
 * @param trustedMs A value expires this long after it was read.
 * @param bound As of {@link lruCache}.
 */
export const datedCache = <Value>(
  entriesMax: number,
  trustedMs: number,
  bound?: WeightBound<Value>,
): DatedCache<Value> => {
  const kept = lruCache<Dated<Value>>(
    entriesMax,
    bound && { weightMax: bound.weightMax, weightOf: ({ value }) => bound.weightOf(value) },
  );
  return {
    get(key) {
      const entry = kept.get(key);
      return entry && performance.now() - entry.readAt < trustedMs ? entry : undefined;
    },
    set: (key, value, readAt) => kept.set(key, { value, readAt }),
    delete: (key) => kept.delete(key),
  };
};
