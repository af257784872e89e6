import type { Instant } from '../engine/aggregates/decider.ts';
import type { FileStore } from './file-store.ts';
import { FILE_ORPHAN_GRACE_MS, FILE_UNFINISHED_MAX_MS } from './limits.ts';
import type { FileReference, FileReferences } from './references.ts';

export interface SweepParts {
  readonly files: Pick<FileStore, 'removeUnfinished'>;
  readonly references: Pick<FileReferences, 'claimedBefore' | 'record' | 'releaseClaim'>;
  /** Whether the log has the attachment: read models may be behind. */
  readonly isAttached: (reference: FileReference) => Promise<boolean>;
}

/**
 * Settles the claims of uploads that did not end in an event within {@link FILE_ORPHAN_GRACE_MS},
 * and removes unfinished files.
 *
 * @returns How many stored and unfinished files were removed; shared bytes stay.
 */
export const sweepFiles = async (
  { files, references, isAttached }: SweepParts,
  now: Instant,
): Promise<{ readonly orphans: number; readonly unfinished: number }> => {
  const before = new Date(Date.parse(now) - FILE_ORPHAN_GRACE_MS).toISOString();
  let orphans = 0;
  for (const reference of await references.claimedBefore(before)) {
    if (await isAttached(reference)) await references.record(reference);
    else if (await references.releaseClaim(reference, before)) orphans += 1;
  }
  return { orphans, unfinished: await files.removeUnfinished(FILE_UNFINISHED_MAX_MS) };
};
