import { FILES_COPIED_AT_ONCE } from './limits.ts';
import { forEachConcurrently } from '../engine/concurrency/semaphore.ts';
import type { FileStore } from './file-store.ts';

/**
 * Copies all files of one store, which belong to one organisation, into another. Idempotent: a
 * file is named by its content.
 *
 * @param signal Begins no further file: rejects with its reason. Default: none.
 * @throws `FilesUnavailable`; `FileMissing` for one that is removed meanwhile.
 */
export const copyFiles = async (
  from: Pick<FileStore, 'stored' | 'open'>,
  to: Pick<FileStore, 'receive'>,
  organisation: string,
  signal?: AbortSignal,
): Promise<void> => {
  for await (const keys of from.stored())
    await forEachConcurrently(keys, FILES_COPIED_AT_ONCE, async (key) => {
      signal?.throwIfAborted();
      const sha256 = key.slice(key.lastIndexOf('/') + 1);
      const received = await to.receive(await from.open({ organisation, sha256 }));
      await received.keep(organisation);
    });
};
