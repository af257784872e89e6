/**
 * Values of a data layer: which key means which room, and why none did. interface.md «Building
 * graph» and the diagnostics of «Errors»; contract.md section 6.
 */

/** What a key is tried as first; what it is not may still be the other. */
export type KeyBy = 'externalId' | 'id';

export type LayerValue = string | number | boolean | null;

export interface LayerEntry {
  readonly key: string;
  readonly value: LayerValue;
}

/** A room, and the key by which it was found. */
export interface FoundSpace {
  readonly key: string;
  readonly spaceId: string;
  readonly by: KeyBy;
  readonly sourceSystem: string | null;
}

export interface AssignedValues {
  /** By room; of several values for one, the last. */
  readonly values: ReadonlyMap<string, LayerValue>;
  /** Each key once, in the order of the upload. */
  readonly unmatched: readonly string[];
}

/** @param found All rooms that any of the keys may mean. */
export const assignValues = (
  entries: readonly LayerEntry[],
  keyBy: KeyBy,
  found: readonly FoundSpace[],
): AssignedValues => {
  const meant = new Map<string, FoundSpace>();
  for (const space of found) {
    const other = meant.get(space.key);
    if (!other || comesBefore(space, other, keyBy)) meant.set(space.key, space);
  }
  const values = new Map<string, LayerValue>();
  const unmatched = new Set<string>();
  for (const { key, value } of entries) {
    const space = meant.get(key);
    if (space) values.set(space.spaceId, value);
    else unmatched.add(key);
  }
  return { values, unmatched: [...unmatched] };
};

/** Several systems may use one identifier: the model's own counts, else the first by name. */
const comesBefore = (one: FoundSpace, other: FoundSpace, keyBy: KeyBy): boolean => {
  if (one.by !== other.by) return one.by === keyBy;
  const rank = ({ sourceSystem }: FoundSpace) =>
    sourceSystem === 'ifc' ? '' : (sourceSystem ?? '');
  return rank(one) < rank(other);
};

export type MismatchReason =
  | 'BUILDING_HAS_NO_SPACES'
  | 'BUILDING_HAS_NO_EXTERNAL_IDS'
  | 'IDENTIFIERS_NOT_IN_BUILDING';

/** Why none of the keys of an upload found a room. */
export const mismatchReason = (
  keyBy: KeyBy,
  building: { readonly spaces: number; readonly spacesWithExternalId: number },
): MismatchReason => {
  if (building.spaces === 0) return 'BUILDING_HAS_NO_SPACES';
  return keyBy === 'externalId' && building.spacesWithExternalId === 0
    ? 'BUILDING_HAS_NO_EXTERNAL_IDS'
    : 'IDENTIFIERS_NOT_IN_BUILDING';
};
