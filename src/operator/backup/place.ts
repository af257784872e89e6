/** The store of backups: a directory or a bucket, as for attachments. */
import { createHash } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { FileMissing, FilesUnavailable, type FileStore } from '../../files/file-store.ts';
import { shownS3Address } from '../../files/place.ts';
import { openFileStores } from '../../files/stores.ts';
import { isSystemError } from '../operator-error.ts';
import { BACKUP_MANIFEST_BYTES_MAX } from '../limits.ts';
import type { Chunks } from './encryption.ts';
import { manifestIn, type Manifest } from './manifest.ts';
import { BackupRefused, isUnreadable, leaveOut, type OnDamaged } from './refused.ts';

export interface BackupPlace {
  /** For display: without secrets. */
  readonly shown: string;
  /** Stores bytes durably. @returns The part's name: the SHA-256 of its bytes. */
  store(chunks: Chunks): Promise<string>;
  /** The bytes of a part. @throws {@link BackupRefused} `DAMAGED`; so does reading. */
  read(part: string): Chunks;
  /** Idempotent. */
  remove(part: string): Promise<void>;
  /** Removes what killed commands have left half-written; no other writer may run. */
  removeUnfinished(): Promise<void>;
  /** The names of all parts, in pages. */
  stored(): AsyncIterable<readonly string[]>;
  /** Newest first, without damaged ones. @param onDamaged Default: they are not reported. */
  manifests(onDamaged?: OnDamaged): Promise<readonly Manifest[]>;
  /** Stores the manifest, which makes the backup exist. */
  add(manifest: Manifest): Promise<void>;
  /** Removes the manifests of these backups, not their parts. Idempotent. */
  forget(ids: ReadonlySet<string>): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param writes Whether backups are to be written.
 * @throws {@link BackupRefused} `NOT_CONFIGURED`, `PLACE_UNAVAILABLE`: an absent directory is not
 *   created, because it may be a volume that is not mounted.
 */
export const openBackupPlace = async (
  { backup, dataDirectory }: Pick<Config, 'backup' | 'dataDirectory'>,
  { writes }: { readonly writes: boolean },
): Promise<BackupPlace> => {
  const { place } = backup;
  if (place === null) {
    const option = writes ? '--to' : '--from';
    throw new BackupRefused(
      'NOT_CONFIGURED',
      `name a directory or bucket: ${option}, or BACKUP_URL`,
    );
  }
  const shown = place.kind === 's3' ? shownS3Address(place.address) : place.directory;
  if (place.kind === 'directory') {
    const mode = constants.R_OK | constants.X_OK | (writes ? constants.W_OK : 0);
    await access(place.directory, mode).catch((error: Error) => {
      throw unavailable(shown, error);
    });
  }
  const stores = openFileStores(place, dataDirectory);
  const parts = stores.of('parts');
  const manifests = stores.of('manifests');
  const tried = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw error instanceof FilesUnavailable || isSystemError(error)
        ? unavailable(shown, error)
        : error;
    });

  return {
    shown,
    store: (chunks) => tried(keptIn(parts, chunks)),
    read: (part) => partOf(parts, part),
    remove: (part) => tried(parts.remove({ organisation: OWNER, sha256: part })),

    async removeUnfinished() {
      for (const store of [parts, manifests]) await tried(store.removeUnfinished(0));
    },

    async *stored() {
      for await (const keys of parts.stored()) yield keys.map(nameIn);
    },

    manifests: (onDamaged = () => {}) =>
      tried(
        manifestsIn(manifests, onDamaged).then((found) => found.map(({ manifest }) => manifest)),
      ),

    async add(manifest) {
      await tried(keptIn(manifests, bytesOf(manifest)));
    },

    async forget(ids) {
      for (const { sha256, manifest } of await tried(manifestsIn(manifests, () => {})))
        if (ids.has(manifest.id)) await tried(manifests.remove({ organisation: OWNER, sha256 }));
    },

    close: () => stores.close(),
  };
};

/** A file store is divided by organisation; backups use one name. */
const OWNER = 'backup';

const unavailable = (shown: string, error: Error): BackupRefused =>
  new BackupRefused('PLACE_UNAVAILABLE', `${shown}: ${error.message}`, error);

const nameIn = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

const textOf = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 1)}\n`;

async function* bytesOf(manifest: Manifest): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(textOf(manifest));
}

const keptIn = async (store: FileStore, chunks: Chunks): Promise<string> => {
  const received = await store.receive(chunks);
  try {
    await received.keep(OWNER);
    return received.sha256;
  } finally {
    await received.discard();
  }
};

/** Verifies the bytes against the part's name at the end. */
async function* partOf(
  store: FileStore,
  sha256: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const digest = createHash('sha256');
  try {
    for await (const chunk of await store.open({ organisation: OWNER, sha256 })) {
      digest.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof FileMissing)
      throw new BackupRefused('DAMAGED', `part ${sha256} is missing`, error);
    if (isUnreadable(error))
      throw new BackupRefused('DAMAGED', `part ${sha256} cannot be read`, error);
    throw error;
  }
  if (digest.digest('hex') !== sha256)
    throw new BackupRefused('DAMAGED', `part ${sha256} was changed since it was written`);
}

interface StoredManifest {
  readonly sha256: string;
  readonly manifest: Manifest;
}

/** Newest first. */
const manifestsIn = async (
  store: FileStore,
  onDamaged: OnDamaged,
): Promise<readonly StoredManifest[]> => {
  const found: StoredManifest[] = [];
  for await (const keys of store.stored())
    for (const key of keys) {
      const sha256 = nameIn(key);
      const text = await wholeText(partOf(store, sha256)).catch((error: unknown) => {
        const damaged = new BackupRefused('DAMAGED', `manifests/${key} is damaged`, error);
        leaveOut(error, () => onDamaged(damaged));
      });
      if (text === undefined) continue;
      const manifest = manifestIn(text);
      if (manifest === null)
        throw new BackupRefused(
          'NEWER_RELEASE',
          `${key} is a manifest that this release cannot read`,
        );
      found.push({ sha256, manifest });
    }
  return found.toSorted((a, b) => (a.manifest.id < b.manifest.id ? 1 : -1));
};

const wholeText = async (chunks: Chunks): Promise<string> => {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > BACKUP_MANIFEST_BYTES_MAX)
      throw new BackupRefused('DAMAGED', 'a manifest is longer than any can be');
    read.push(chunk);
  }
  return Buffer.concat(read).toString();
};
