/** A file that is received before it is uploaded, because its hash is in its key. */
import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { durableDirectory } from '../directory-store.ts';
import { FILE_READ_BYTES } from '../limits.ts';
import { writtenTo, type WrittenFile } from '../writing.ts';

export interface ReceivedBytes extends WrittenFile {
  chunks(): AsyncIterable<Uint8Array>;
  /** Idempotent. */
  close(): Promise<void>;
}

/**
 * Receives into a file of `directory` that has no name, so that it disappears with a killed
 * process.
 *
 * @throws Errors of `chunks`.
 */
export const receivedIn = async (
  directory: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<ReceivedBytes> => {
  await durableDirectory(directory);
  const path = join(directory, randomUUID());
  const handle = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    const file = await writtenTo(handle, chunks);
    return {
      ...file,
      chunks: () => chunksOf(handle, file.bytes),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
};

async function* chunksOf(
  handle: FileHandle,
  bytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes;) {
    const length = Math.min(FILE_READ_BYTES, bytes - at);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at);
    if (bytesRead === 0) throw new Error('a received file is shorter than it was');
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
