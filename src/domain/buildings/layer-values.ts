/**
 * Values of a data layer: assigns keys to rooms, and explains keys that match none. interface.md
 * «Building graph» and the diagnostics of «Errors»; contract.md section 6.
 */

/** The identifier that is tried first; the other one is tried next. */
export type KeyBy = 'externalId' | 'id';

export type LayerValue = string | number | boolean | null;

export interface LayerEntry {
  readonly key: string;
  readonly value: LayerValue;
}

/** A key that matches rooms by one of the two identifiers. */
export interface FoundSpace {
  readonly key: string;
  /** `null`: several rooms have the key, given by different source systems. */
  readonly spaceId: string | null;
  readonly by: KeyBy;
}

export interface AssignedValues {
  /** By room; the last value wins. */
  readonly values: ReadonlyMap<string, LayerValue>;
  /** Each key once, in the order of the upload. */
  readonly unmatched: readonly string[];
  /** Keys that name several rooms and assign no value, each once, in the order of the upload. */
  readonly ambiguous: readonly string[];
}

/** @param found One entry for each key and identifier that match rooms. */
export const assignValues = (
  entries: readonly LayerEntry[],
  keyBy: KeyBy,
  found: readonly FoundSpace[],
): AssignedValues => {
  const meant = new Map<string, FoundSpace>();
  for (const space of found) {
    const other = meant.get(space.key);
    if (!other || space.by === keyBy) meant.set(space.key, space);
  }
  const values = new Map<string, LayerValue>();
  const unmatched = new Set<string>();
  const ambiguous = new Set<string>();
  for (const { key, value } of entries) {
    const space = meant.get(key);
    if (!space) unmatched.add(key);
    else if (space.spaceId === null) ambiguous.add(key);
    else values.set(space.spaceId, value);
  }
  return { values, unmatched: [...unmatched], ambiguous: [...ambiguous] };
};

export type MismatchReason =
  | 'BUILDING_HAS_NO_SPACES'
  | 'BUILDING_HAS_NO_EXTERNAL_IDS'
  | 'IDENTIFIERS_NOT_IN_BUILDING';

/** Why no key of an upload matched a room. */
export const mismatchReason = (
  keyBy: KeyBy,
  building: { readonly spaces: number; readonly spacesWithExternalId: number },
): MismatchReason => {
  if (building.spaces === 0) return 'BUILDING_HAS_NO_SPACES';
  return keyBy === 'externalId' && building.spacesWithExternalId === 0
    ? 'BUILDING_HAS_NO_EXTERNAL_IDS'
    : 'IDENTIFIERS_NOT_IN_BUILDING';
};
