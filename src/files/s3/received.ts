/** A file that is received before it is uploaded, because its hash is in its key. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { FILE_READ_BYTES } from '../limits.ts';

export interface ReceivedBytes {
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  chunks(): AsyncIterable<Uint8Array>;
  /** Idempotent. */
  close(): Promise<void>;
}

/**
 * In a file of `directory` that has no name, so that nothing remains of a killed process.
 *
 * @throws What `chunks` throws.
 */
export const receivedIn = async (
  directory: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<ReceivedBytes> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, randomUUID());
  const handle = await open(path, 'wx+', 0o600);
  try {
    await rm(path);
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of chunks) {
      hash.update(chunk);
      await handle.appendFile(chunk);
      bytes += chunk.length;
    }
    return {
      bytes,
      sha256: hash.digest('hex'),
      chunks: () => chunksOf(handle, bytes),
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
