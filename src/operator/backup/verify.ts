/** Restores a backup into a scratch installation, and compares. */
import type { Logger } from '../../engine/observe/logging.ts';
import { eventProgress } from '../progress.ts';
import { compareCopy, type CopyVerdict } from './comparison.ts';
import type { Manifest } from './manifest.ts';
import { restoreBackup } from './restore.ts';
import { openScratch } from './scratch.ts';
import type { Opening } from './sealed-stream.ts';

export interface VerifyParts {
  readonly manifest: Manifest;
  /** All manifests of the place, newest first. */
  readonly manifests: readonly Manifest[];
  readonly opening: Opening;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface Verification extends CopyVerdict {
  /** The number of intact attachments. */
  readonly files: number;
  /** Duration of the restore and the comparison. */
  readonly restoreMs: number;
  readonly compareMs: number;
}

/** @throws `BackupRefused`, `EmbeddedUnavailable`, and the abort reason of `signal`. */
export const verifyBackup = async (parts: VerifyParts): Promise<Verification> => {
  const { manifest, manifests, opening, logger, signal } = parts;
  await using closing = new AsyncDisposableStack();
  const { pool, url, log } = await openScratch(manifest, closing, logger);
  const progress = eventProgress('restored');
  const damaged: string[] = [];
  const beganMs = performance.now();
  const files = await restoreBackup({
    manifest,
    opening,
    pool,
    url,
    log: manifest.log.isInDatabase ? null : log,
    files: null,
    manifests,
    onDamaged: ({ message }) => damaged.push(message),
    onDamagedFile: ({ message }) => damaged.push(message),
    erasureList: null,
    until: null,
    signal,
    onEvents: (events, share) => progress.at(events, share),
  });
  const restoredMs = performance.now();
  const verdict = await compareCopy({ manifest, pool, log, signal });
  return {
    ...verdict,
    differences: [...damaged, ...verdict.differences],
    files,
    restoreMs: restoredMs - beganMs,
    compareMs: performance.now() - restoredMs,
  };
};

/** The comparisons and differences, as lines for an operator. */
export const verificationLines = ({
  files,
  checked,
  differences,
}: Verification): readonly string[] => [
  `${files} attachments are as they were stored`,
  ...checked,
  ...differences.map((one) => `DIFFERS: ${one}`),
  differences.length === 0 ? 'verified' : 'this backup is not to be relied on',
];
