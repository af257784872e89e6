/**
 * An imported ticket's number and times in its previous system; here it has new ones. contract.md
 * 5.
 */
import type { Instant } from '../../engine/aggregates/decider.ts';
import { isJsonObject } from '../../engine/json-object.ts';
import type { FreeForm } from './free-form.ts';

/** As in the previous system. */
export interface Originals {
  readonly originalNumber?: string | null | undefined;
  readonly originalCreatedAt?: Instant | null | undefined;
  readonly originalClosedAt?: Instant | null | undefined;
}

/**
 * The metadata with the known originals in its member `imported`. Other members of an earlier
 * `imported` stay; without any originals, the metadata is unchanged.
 */
export const withOriginals = (
  metadata: FreeForm,
  { originalNumber, originalCreatedAt, originalClosedAt }: Originals,
): FreeForm => {
  const members = Object.entries({ originalNumber, originalCreatedAt, originalClosedAt }).filter(
    ([, value]) => typeof value === 'string',
  );
  if (members.length === 0) return metadata;
  const { imported } = metadata;
  const before = isJsonObject(imported) ? imported : {};
  return { ...metadata, imported: { ...before, ...Object.fromEntries(members) } };
};
