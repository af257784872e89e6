import type { AnyTypedCodec, EventType } from '../engine/log/codec.ts';

/**
 * Every type of event that these codecs store and read, under its name.
 *
 * @throws For a name that two of them have: the release would know but one of the two.
 */
export const eventTypesOf = (codecs: readonly AnyTypedCodec[]): ReadonlyMap<string, EventType> => {
  const all = codecs.flatMap(({ types }) => [...types]);
  const byName = new Map(all);
  if (byName.size < all.length) {
    const twice = all.map(([name]) => name).filter((name, at, names) => names.indexOf(name) < at);
    throw new Error(`two codecs store ${twice.join(', ')}`);
  }
  return byName;
};

/** The highest version of each that is read. */
export const versionsOf = (
  eventTypes: ReadonlyMap<string, EventType>,
): Readonly<Record<string, number>> =>
  Object.fromEntries([...eventTypes].map(([name, { version = 1 }]) => [name, version]));
