/**
 * Files in a directory that all processes of a platform share:
 * `<platform>/<organisation>/<2 characters>/<sha256>`, unfinished ones in `<platform>/unfinished`.
 */
import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock } from '../engine/time/clock.ts';
import { copyFiles } from './copying.ts';
import { fileKeyOf, platformFolder } from './file-key.ts';
import { FILE_READ_BYTES } from './limits.ts';
import { FileMissing, type ByteRange, type FileName } from './file-store.ts';
import type { FileStore, FileStores } from './file-store.ts';
import { writtenTo } from './writing.ts';

/** Creates nothing before the first file. @param root Absolute. */
export const directoryStores = (root: string): FileStores => {
  const of = (platform: string) => directoryStore(join(root, platformFolder(platform)));
  return {
    of,
    copy: (from, to, organisation, signal) => copyFiles(of(from), of(to), organisation, signal),
    drop: (platform) => rm(join(root, platformFolder(platform)), { recursive: true, force: true }),
    names: () => namesIn(root),
  };
};

const directoryStore = (directory: string): FileStore => {
  const unfinished = join(directory, 'unfinished');

  const pathOf = (file: FileName): string => join(directory, fileKeyOf(file));

  return {
    async receive(chunks) {
      await durableDirectory(unfinished);
      const path = join(unfinished, randomUUID());
      const discard = () => rm(path, { force: true });
      try {
        const received = await written(path, chunks);
        return {
          ...received,
          read: () => readAt(path),
          discard,
          async keep(organisation) {
            const kept = pathOf({ organisation, sha256: received.sha256 });
            await durableDirectory(dirname(kept));
            await rename(path, kept);
            await synced(dirname(kept));
          },
        };
      } catch (error) {
        await discard();
        throw error;
      }
    },

    async open(file, range) {
      const handle = await open(pathOf(file), 'r').catch((error: unknown) => {
        throw isAbsent(error) ? new FileMissing(file) : error;
      });
      const pieces = piecesOf(handle, range);
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => pieces.next(),
          // A generator that has not begun would leave the file open.
          async return() {
            await handle.close();
            return pieces.return();
          },
        }),
      };
    },

    remove: (file) => rm(pathOf(file), { force: true }),

    async removeUnfinished(olderThanMs) {
      let removed = 0;
      for (const name of await namesIn(unfinished)) {
        const path = join(unfinished, name);
        const found = await stat(path).catch(unlessAbsent);
        // Real time, as the file system's is.
        if (!found || Date.parse(systemClock.now()) - found.mtimeMs < olderThanMs) continue;
        await rm(path, { force: true });
        removed += 1;
      }
      return removed;
    },

    async *stored(after = '') {
      const [organisation = '', pair = ''] = after.split('/');
      for (const folder of (await namesIn(directory)).toSorted()) {
        if (!/^[0-9a-f]{32}$/.test(folder) || folder < organisation) continue;
        for (const two of (await namesIn(join(directory, folder))).toSorted()) {
          if (folder === organisation && two < pair) continue;
          const names = (await namesIn(join(directory, folder, two))).toSorted();
          const keys = names.map((name) => `${folder}/${two}/${name}`);
          yield keys.filter((key) => key > after);
        }
      }
    },

    ready: () =>
      access(directory, constants.R_OK | constants.W_OK | constants.X_OK).then(
        () => true as const,
        // No directory exists before the first file.
        (error: Error) => isAbsent(error) || `${directory}: ${error.message}`,
      ),
  };
};

type Handle = Awaited<ReturnType<typeof open>>;

/** Writes the bytes to disk. Returns their size and hash. */
const written = async (path: string, chunks: AsyncIterable<Uint8Array>) => {
  const handle = await open(path, 'wx', 0o600);
  try {
    const file = await writtenTo(handle, chunks);
    await handle.sync();
    return file;
  } finally {
    await handle.close();
  }
};

async function* readAt(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield* piecesOf(await open(path, 'r'));
}

async function* piecesOf(
  handle: Handle,
  { start, end }: ByteRange = { start: 0, end: Number.MAX_SAFE_INTEGER },
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (let at = start; at <= end;) {
      const length = Math.min(FILE_READ_BYTES, end - at + 1);
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Creates the directory and its parents so that they survive a power cut. */
export const durableDirectory = async (path: string): Promise<void> => {
  try {
    await durableChild(path);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    await durableDirectory(dirname(path));
    await durableChild(path);
  }
};

/** Creates the directory in one that exists. */
const durableChild = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (await isDirectory(path)) return;
    throw error;
  }
  await synced(dirname(path));
};

const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(unlessAbsent))?.isDirectory() ?? false;

const synced = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const namesIn = async (directory: string): Promise<readonly string[]> =>
  (await readdir(directory).catch(unlessAbsent)) ?? [];

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

const unlessAbsent = (error: unknown): null => {
  if (isAbsent(error)) return null;
  throw error;
};
