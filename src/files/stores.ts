import { join } from 'node:path';
import { directoryStores } from './directory-store.ts';
import type { FileStores } from './file-store.ts';
import type { FilesPlace } from './place.ts';
import { s3Stores } from './s3/store.ts';

export interface OpenedFileStores extends FileStores {
  close(): Promise<void>;
}

/** The store of the platform itself, beside those of sandboxes, which end with them. */
export const MAIN_FILES = 'main';

/** The store of the list of erasures, beside it. */
export const ERASURE_FILES = 'erasures';

/**
 * The stores of a place. Nothing is connected or made before its first use.
 *
 * @param dataDirectory Absolute. Files for a bucket are received in it.
 */
export const openFileStores = (place: FilesPlace, dataDirectory: string): OpenedFileStores =>
  place.kind === 's3'
    ? s3Stores({ ...place, receivingDirectory: join(dataDirectory, 'receiving') })
    : { ...directoryStores(place.directory), close: async () => {} };
