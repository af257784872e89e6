import type { AnyTypedCodec, EventType } from '../engine/log/codec.ts';

/**
 * Every type of event that these codecs store and read, under its name.
 *
 * @throws If two codecs have the same name: the release would know only one of them.
 */
export const eventTypesOf = (codecs: readonly AnyTypedCodec[]): ReadonlyMap<string, EventType> => {
  const entries = codecs.flatMap(({ types }) => [...types]);
  const byName = new Map(entries);
  if (byName.size < entries.length) {
    const names = entries.map(([name]) => name);
    const duplicates = names.filter((name, at) => names.indexOf(name) < at);
    throw new Error(`two codecs store ${duplicates.join(', ')}`);
  }
  return byName;
};

/** The highest version of each event type that this release reads. */
export const versionsOf = (
  eventTypes: ReadonlyMap<string, EventType>,
): Readonly<Record<string, number>> =>
  Object.fromEntries([...eventTypes].map(([name, { version = 1 }]) => [name, version]));
