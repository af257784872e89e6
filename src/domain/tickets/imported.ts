/** What a ticket was where it comes from: its own number and times are new. contract.md 5. */
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { FreeForm } from './free-form.ts';

/** As the system has them that the ticket was in before. */
export interface Originals {
  readonly originalNumber?: string | null | undefined;
  readonly originalCreatedAt?: Instant | null | undefined;
  readonly originalClosedAt?: Instant | null | undefined;
}

/**
 * The metadata with what is known of the original as its member `imported`. Other members that a
 * former import left there stay; with nothing known, so does the metadata.
 */
export const withOriginals = (
  metadata: FreeForm,
  { originalNumber, originalCreatedAt, originalClosedAt }: Originals,
): FreeForm => {
  const known = Object.entries({ originalNumber, originalCreatedAt, originalClosedAt }).filter(
    ([, value]) => typeof value === 'string',
  );
  if (known.length === 0) return metadata;
  const { imported } = metadata;
  const before = typeof imported === 'object' && !Array.isArray(imported) ? imported : {};
  return { ...metadata, imported: { ...before, ...Object.fromEntries(known) } };
};
