import type { Instant } from '../engine/aggregates/decider.ts';
import { streamOf } from '../engine/log/streams.ts';
import type { Logger } from '../engine/observe/logging.ts';
import { isFailure } from '../engine/processes/reaction.ts';
import { FilesUnavailable, type FileStore } from './file-store.ts';
import { FILE_ORPHAN_GRACE_MS, FILE_UNFINISHED_MAX_MS } from './limits.ts';
import type { FileReference, FileReferences } from './references.ts';

export interface SweepParts {
  readonly files: Pick<FileStore, 'ready' | 'removeUnfinished'>;
  readonly references: Pick<FileReferences, 'claimedBefore' | 'record' | 'releaseClaim'>;
  /** Whether the log has the attachment: read models may be behind. */
  readonly isAttached: (reference: FileReference) => Promise<boolean>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Settles the claims of uploads that did not end in an event within {@link FILE_ORPHAN_GRACE_MS},
 * and removes unfinished files. A claim that fails is left to the next sweep.
 *
 * @param signal Begins no further claim. Default: none.
 * @returns How many stored and unfinished files were removed; shared bytes stay.
 */
export const sweepFiles = async (
  { files, references, isAttached, logger }: SweepParts,
  now: Instant,
  signal?: AbortSignal,
): Promise<{ readonly orphans: number; readonly unfinished: number }> => {
  const before = new Date(Date.parse(now) - FILE_ORPHAN_GRACE_MS).toISOString();
  let orphans = 0;
  for (const reference of await references.claimedBefore(before)) {
    if (signal?.aborted) break;
    try {
      if (await isAttached(reference)) await references.record(reference);
      else if (await references.releaseClaim(reference, before)) orphans += 1;
    } catch (error) {
      // Without the log, the database or the store, each further claim would wait for its timeout.
      const isAway = isFailure(error) && !(error instanceof FilesUnavailable);
      if (isAway || (await files.ready()) !== true) throw error;
      const { ticketId, sha256 } = reference;
      const stream = streamOf('ticket', ticketId);
      logger.warn({ err: error, stream, sha256 }, 'a stored file cannot be swept; trying again');
    }
  }
  return { orphans, unfinished: await files.removeUnfinished(FILE_UNFINISHED_MAX_MS) };
};
