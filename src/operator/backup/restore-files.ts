/** Restores attachments into their store. */
import { createHash } from 'node:crypto';
import { forEachConcurrently } from '../../engine/concurrency/semaphore.ts';
import { FileMissing, type FileStore } from '../../files/file-store.ts';
import { BACKUP_FILES_AT_ONCE } from '../limits.ts';
import { indexedFiles } from './attachments.ts';
import type { IndexedFile, Manifest } from './manifest.ts';
import { BackupRefused, isUnreadable, leaveOut, type OnDamaged } from './refused.ts';
import type { Opening } from './sealed-stream.ts';
import type { BackupPlace } from './place.ts';

export interface FilesParts {
  readonly manifest: Manifest;
  readonly opening: Opening & { readonly place: Pick<BackupPlace, 'read'> };
  /** `null`: they are only read and compared. */
  readonly files: Pick<FileStore, 'open' | 'receive' | 'remove'> | null;
  /** Called for each attachment whose part is missing or damaged. */
  readonly onDamagedFile: OnDamaged;
  readonly signal: AbortSignal;
}

/**
 * Sound files are kept, so that an interrupted restore continues. Damaged parts are left out.
 *
 * @returns The number of files restored, or compared.
 * @throws {@link BackupRefused} `DAMAGED` for the index; `FilesUnavailable`.
 */
export const restoreFiles = async (parts: FilesParts): Promise<number> => {
  const { manifest, opening, onDamagedFile, signal } = parts;
  let restored = 0;
  const restoreAll = async (batch: readonly IndexedFile[]) => {
    await forEachConcurrently(batch, BACKUP_FILES_AT_ONCE, async (file) => {
      signal.throwIfAborted();
      try {
        if (await isRestored(parts, file)) restored += 1;
      } catch (error) {
        // The identity opened the manifest's other parts: what it does not open is damaged.
        const isSealedOtherwise = error instanceof BackupRefused && error.code === 'WRONG_IDENTITY';
        const damaged = damagedFile(file, error);
        leaveOut(isSealedOtherwise ? damaged : error, () => onDamagedFile(damaged));
      }
    });
  };
  let batch: IndexedFile[] = [];
  for await (const file of indexedFiles(opening.place, manifest)) {
    batch.push(file);
    if (batch.length < BATCH) continue;
    await restoreAll(batch);
    batch = [];
  }
  await restoreAll(batch);
  return restored;
};

const damagedFile = ({ sha256, part }: IndexedFile, cause: unknown): BackupRefused =>
  new BackupRefused('DAMAGED', `the part ${part} of the attachment ${sha256} is damaged`, cause);

const BATCH = 8 * BACKUP_FILES_AT_ONCE;

const isRestored = async (
  { opening: { place, identity }, files }: FilesParts,
  file: IndexedFile,
): Promise<boolean> => {
  const { organisation, sha256, part } = file;
  if (part === null) return false;
  const stored = files === null ? null : await storedState(files, file);
  if (stored === 'sound') return false;
  const chunks = identity.opened(place.read(part));
  if (files === null) {
    mustBe(await digestOf(chunks), file);
    return true;
  }
  const received = await files.receive(chunks);
  try {
    mustBe(received.sha256, file);
    // A store may keep a file of the same length.
    if (stored === 'damaged') await files.remove(file);
    await received.keep(organisation);
  } finally {
    await received.discard();
  }
  return sha256 === received.sha256;
};

const mustBe = (found: string, { sha256 }: IndexedFile): void => {
  if (found !== sha256)
    throw new BackupRefused('DAMAGED', `the attachment ${sha256} was changed since it was stored`);
};

/** A file may have been damaged when a disk was lost. */
const storedState = async (
  files: Pick<FileStore, 'open'>,
  file: IndexedFile,
): Promise<'sound' | 'damaged' | 'missing'> => {
  try {
    return (await digestOf(await files.open(file))) === file.sha256 ? 'sound' : 'damaged';
  } catch (error) {
    if (error instanceof FileMissing) return 'missing';
    if (isUnreadable(error)) return 'damaged';
    throw error;
  }
};

const digestOf = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  const digest = createHash('sha256');
  for await (const chunk of chunks) digest.update(chunk);
  return digest.digest('hex');
};
