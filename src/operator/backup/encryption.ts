/** Compression by zstd and encryption by age, as streams: `age -d -i FILE | zstd -d` reads them. */
import { readFile } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { isSystemError } from '../operator-error.ts';
import { BackupRefused } from './refused.ts';

export type Chunks = AsyncIterable<Uint8Array>;

/** Decrypts parts that were encrypted for this key. */
export interface Identity {
  /** @throws {@link BackupRefused} `WRONG_IDENTITY`, `DAMAGED`; so does reading. */
  opened(sealed: Chunks): Chunks;
}

/** @param recipients Public keys of age; each alone opens the result. */
export async function* sealedFor(
  recipients: readonly string[],
  chunks: Chunks,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const zstd = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
  });
  // A failure ends `zstd`, whose reader gets it.
  pipeline(Readable.from(chunks, { objectMode: true, highWaterMark: 2 }), zstd, () => {});
  yield* await encrypter.encrypt(ReadableStream.from<Uint8Array>(zstd));
}

/** Halves the size compared with the fastest level, at two thirds of its speed. */
const LEVEL = 3;

/**
 * @param file As `age-keygen` writes it: one secret key a line, and comments.
 * @throws {@link BackupRefused} `WRONG_IDENTITY` if it cannot be read, or holds no secret key.
 */
export const identityIn = async (file: string): Promise<Identity> => {
  const decrypter = new Decrypter();
  try {
    const lines = (await readFile(file, 'utf8')).split(/\r?\n/).map((line) => line.trim());
    const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
    if (keys.length === 0) throw new Error('it holds no secret key');
    for (const key of keys) decrypter.addIdentity(key);
  } catch (error) {
    // An error of the library may repeat the key.
    const why = isSystemError(error) ? error.message : 'it is no file of age-keygen';
    throw new BackupRefused('WRONG_IDENTITY', `${file}: ${why}`);
  }
  return { opened: (sealed) => openedBy(decrypter, sealed) };
};

async function* openedBy(
  decrypter: Decrypter,
  sealed: Chunks,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    const compressed = await decrypter.decrypt(ReadableStream.from<Uint8Array>(sealed));
    const zstd = createZstdDecompress();
    pipeline(Readable.from(compressed, { objectMode: true, highWaterMark: 2 }), zstd, () => {});
    yield* zstd as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (error instanceof BackupRefused || isSystemError(error)) throw error;
    const { message } = error as Error;
    if (message.startsWith('no identity matched'))
      throw new BackupRefused('WRONG_IDENTITY', 'the identity does not open this backup', error);
    throw new BackupRefused('DAMAGED', `a part cannot be decrypted: ${message}`, error);
  }
}
