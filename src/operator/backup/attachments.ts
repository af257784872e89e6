/** Attachments, the last part of a backup: stored once, and shared by all backups with them. */
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { forEachConcurrently } from '../../engine/concurrency/semaphore.ts';
import { FileMissing, type FileName, type FileStore } from '../../files/file-store.ts';
import { linesOf } from '../events/lines.ts';
import { BACKUP_FILES_AT_ONCE, BACKUP_FILES_LISTED_AT_ONCE } from '../limits.ts';
import { sealedFor, type Chunks } from './encryption.ts';
import { indexedFileIn, type IndexedFile, type Manifest } from './manifest.ts';
import type { BackupPlace } from './place.ts';
import { BackupRefused, isUnreadable, leaveOut, type OnDamaged } from './refused.ts';

export interface AttachmentsParts {
  readonly pool: Pick<Pool, 'query'>;
  readonly files: Pick<FileStore, 'open'>;
  readonly place: BackupPlace;
  readonly recipients: readonly string[];
  /** The previous backup, if it has the same recipients. */
  readonly previous: Manifest | null;
  /** Whether the place has a part. */
  readonly has: (part: string) => boolean;
  readonly onDamaged: OnDamaged;
  readonly signal: AbortSignal;
}

/**
 * Stores the attachments that the previous backup lacks, and an index of all. Attachments that are
 * removed from the platform meanwhile are left out; those missing in its store are counted, and so
 * are damaged ones, which are reported too.
 */
export const copyAttachments = async (parts: AttachmentsParts): Promise<Manifest['files']> => {
  const totals = { count: 0, bytes: 0, missing: 0 };
  const lines = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const page of storedPages(parts)) {
      for (const { bytes, part } of page) {
        totals.count += 1;
        totals.bytes += bytes;
        if (part === null) totals.missing += 1;
      }
      yield Buffer.from(page.map((file) => `${JSON.stringify(file)}\n`).join(''));
    }
  };
  const index = await parts.place.store(lines());
  return { ...totals, index };
};

async function* storedPages(
  parts: AttachmentsParts,
): AsyncGenerator<readonly IndexedFile[], void, undefined> {
  const { previous, has, signal } = parts;
  const earlier = previous === null ? null : merging(readableFiles(parts, previous));
  for await (const names of neededPages(parts.pool)) {
    signal.throwIfAborted();
    const backedUp: (IndexedFile | null)[] = [];
    for (const name of names) backedUp.push((await earlier?.find(name)) ?? null);
    const page: IndexedFile[] = [];
    await forEachConcurrently(names.entries(), BACKUP_FILES_AT_ONCE, async ([at, name]) => {
      const stored = backedUp[at];
      page[at] = stored?.part && has(stored.part) ? stored : await storedFile(parts, name);
    });
    yield page.filter(({ part }, at) => part !== null || !names[at]!.claimed);
  }
  await earlier?.end();
}

/** The part of a damaged index that can be read: what it lacks is stored again. */
async function* readableFiles(
  { place, onDamaged }: AttachmentsParts,
  previous: Manifest,
): AsyncGenerator<IndexedFile, void, undefined> {
  try {
    yield* indexedFiles(place, previous);
  } catch (error) {
    leaveOut(error, onDamaged);
  }
}

const storedFile = async (
  { files, place, recipients, onDamaged }: AttachmentsParts,
  { organisation, sha256 }: FileName,
): Promise<IndexedFile> => {
  const name = { organisation, sha256 };
  let bytes = 0;
  const checked = async function* (chunks: Chunks): AsyncGenerator<Uint8Array, void, undefined> {
    const digest = createHash('sha256');
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        digest.update(chunk);
        yield chunk;
      }
    } catch (error) {
      throw unreadable(name, error);
    }
    if (digest.digest('hex') !== sha256)
      throw new BackupRefused('DAMAGED', `the attachment ${sha256} was changed in its store`);
  };
  try {
    const opened = await files.open(name).catch((error: unknown) => {
      throw error instanceof FileMissing ? error : unreadable(name, error);
    });
    const part = await place.store(sealedFor(recipients, checked(opened)));
    return { ...name, bytes, part };
  } catch (error) {
    if (!(error instanceof FileMissing)) leaveOut(error, onDamaged);
    return { ...name, bytes: 0, part: null };
  }
};

/** Not an error of the backup's place, as whose an error of the system would be reported. */
const unreadable = ({ sha256 }: FileName, error: unknown): BackupRefused => {
  const why = `the attachment ${sha256} cannot be read: ${(error as Error).message}`;
  return new BackupRefused(isUnreadable(error) ? 'DAMAGED' : 'FILES_UNAVAILABLE', why, error);
};

interface NeededFile extends FileName {
  /** The upload may still be in progress. */
  readonly claimed: boolean;
}

/** Ordered by organisation and digest, as by {@link isBefore}. */
async function* neededPages(
  pool: Pick<Pool, 'query'>,
): AsyncGenerator<readonly NeededFile[], void, undefined> {
  for (let last: FileName = { organisation: '', sha256: '' }; ;) {
    const { rows } = await pool.query<NeededFile>(
      `select organisation, sha256, bool_and(claimed_at is not null) as claimed
       from files.reference where (organisation, sha256) > ($1, $2)
       group by organisation, sha256 order by organisation, sha256 limit $3`,
      [last.organisation, last.sha256, BACKUP_FILES_LISTED_AT_ONCE],
    );
    if (rows.length > 0) yield rows;
    if (rows.length < BACKUP_FILES_LISTED_AT_ONCE) return;
    last = rows.at(-1)!;
  }
}

/** The order of the columns in Postgres, which compares texts as UTF-8 bytes. */
const isBefore = (a: FileName, b: FileName): boolean => {
  const organisations = Buffer.compare(Buffer.from(a.organisation), Buffer.from(b.organisation));
  return organisations < 0 || (organisations === 0 && a.sha256 < b.sha256);
};

/** A merge join: looks up sorted names in sorted files, and holds one file at a time. */
const merging = (files: AsyncGenerator<IndexedFile, void, undefined>) => {
  let next: IndexedFile | null = null;
  let ended = false;
  return {
    async find(name: FileName): Promise<IndexedFile | null> {
      while (!ended && (next === null || isBefore(next, name))) {
        const { value, done } = await files.next();
        next = value ?? null;
        ended = done === true;
      }
      return next !== null && !isBefore(name, next) ? next : null;
    },
    end: () => files.return(),
  };
};

/** The attachments of a backup. @throws {@link BackupRefused} `DAMAGED`. */
export async function* indexedFiles(
  place: Pick<BackupPlace, 'read'>,
  { files }: Pick<Manifest, 'files'>,
): AsyncGenerator<IndexedFile, void, undefined> {
  const chunks = place.read(files.index) as AsyncIterable<Buffer>;
  for await (const { lines } of linesOf(chunks)) {
    for (const line of lines) {
      let file: IndexedFile;
      try {
        file = indexedFileIn(line.toString());
      } catch (error) {
        throw new BackupRefused('DAMAGED', 'the index of attachments cannot be read', error);
      }
      yield file;
    }
  }
}
