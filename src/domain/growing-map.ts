/**
 * An immutable map for the state of a long stream. A copy with one more entry shares most of the
 * others: copying all of them for each event would make the fold quadratic.
 */
export interface GrowingMap<Value> {
  get(key: string): Value | undefined;
  has(key: string): boolean;
  /** In the order in which their keys were first added. */
  values(): Iterable<Value>;
  /** A copy in which `key` has this value. */
  with(key: string, value: Value): GrowingMap<Value>;
}

/** @param layers The newest first, each larger than the one before it. */
const mapOf = <Value>(layers: readonly ReadonlyMap<string, Value>[]): GrowingMap<Value> => {
  return {
    get: (key) => layers.find((layer) => layer.has(key))?.get(key),
    has: (key) => layers.some((layer) => layer.has(key)),
    values: () => new Map(layers.toReversed().flatMap((layer) => [...layer])).values(),
    with(key, value) {
      let newest = new Map([[key, value]]);
      let count = 0;
      for (; count < layers.length && layers[count]!.size <= newest.size; count += 1)
        newest = new Map([...layers[count]!, ...newest]);
      return mapOf([newest, ...layers.slice(count)]);
    },
  };
};

export const growingMap = <Value>(): GrowingMap<Value> => mapOf<Value>([]);
