/** A stream of any length as encrypted parts of bounded size. */
import { createHash } from 'node:crypto';
import { BACKUP_PART_BYTES } from '../limits.ts';
import { sealedFor, type Chunks, type Identity } from './encryption.ts';
import type { SealedStream } from './manifest.ts';
import type { BackupPlace } from './place.ts';
import { BackupRefused } from './refused.ts';

/** Stores parts, encrypted for recipients. */
export interface Sealing {
  readonly place: Pick<BackupPlace, 'store'>;
  readonly recipients: readonly string[];
}

/** Stores all of `chunks`, with one chunk in memory per stage. @throws As `chunks` does. */
export const sealedStream = async (
  { place, recipients }: Sealing,
  chunks: Chunks,
): Promise<SealedStream> => {
  const digest = createHash('sha256');
  const parts: string[] = [];
  let bytes = 0;
  const source = chunks[Symbol.asyncIterator]();
  /** The bytes of one part, beginning with the chunk already read. */
  async function* piece(first: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
    let length = 0;
    for (let chunk = first; ;) {
      digest.update(chunk);
      length += chunk.length;
      bytes += chunk.length;
      yield chunk;
      if (length >= BACKUP_PART_BYTES) return;
      const next = await source.next();
      if (next.done) return;
      chunk = next.value;
    }
  }
  for (let next = await source.next(); !next.done; next = await source.next())
    parts.push(await place.store(sealedFor(recipients, piece(next.value))));
  return { sha256: digest.digest('hex'), bytes, parts };
};

/** Reads parts, and decrypts them. */
export interface Opening {
  readonly place: Pick<BackupPlace, 'read'>;
  readonly identity: Identity;
}

/**
 * The bytes of a stream, verified against its digest at the end.
 *
 * @throws {@link BackupRefused} `WRONG_IDENTITY`, `DAMAGED`, while it is read.
 */
export async function* openedStream(
  { place, identity }: Opening,
  what: string,
  { sha256, parts }: SealedStream,
): AsyncGenerator<Uint8Array, void, undefined> {
  const digest = createHash('sha256');
  for (const part of parts)
    for await (const chunk of identity.opened(place.read(part))) {
      digest.update(chunk);
      yield chunk;
    }
  if (digest.digest('hex') !== sha256)
    throw new BackupRefused('DAMAGED', `${what} was changed since it was written`);
}
