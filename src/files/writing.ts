/** Writes bytes with backpressure. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';

/** Resolves when there is room for more, or never will be: check `writable` then. */
export const written = async (stream: Writable, bytes: Uint8Array): Promise<void> => {
  if (stream.write(bytes) || !stream.writable) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.once('drain', resolve).once('close', resolve);
  await promise;
  stream.off('drain', resolve).off('close', resolve);
};

export interface WrittenFile {
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Appends all chunks. @throws What `chunks` throws, and the file system. */
export const writtenTo = async (
  handle: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
): Promise<WrittenFile> => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    await handle.appendFile(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
};
