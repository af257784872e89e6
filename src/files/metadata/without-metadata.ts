/**
 * Removes what pictures reveal of people: place, time, device, owner, texts. The picture itself is
 * not decoded: its pixels, colour profile and orientation stay as they are. docs/decisions/0109.
 */
import { gifWithout } from './gif.ts';
import { heifWithout } from './heif.ts';
import { jpegWithout } from './jpeg.ts';
import { pngWithout } from './png.ts';
import { rewritten, type Rewriting } from './rewriting.ts';
import { webpWithout } from './webp.ts';

/**
 * The bytes of a JPEG, PNG, WebP, GIF, HEIC or AVIF without metadata; those of any other file
 * unchanged. Idempotent. A broken picture stays as broken as it is.
 *
 * @param stepsMax As of {@link rewritten}.
 * @throws `MetadataStay`, and what `chunks` throws.
 */
export async function* withoutMetadata(
  chunks: AsyncIterable<Uint8Array>,
  stepsMax?: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    const head = await headOf(source);
    const all = async function* () {
      yield head;
      yield* { [Symbol.asyncIterator]: () => source };
    };
    const rewriting = rewritingOf(head);
    yield* rewriting ? rewritten(all(), rewriting, stepsMax) : all();
  } finally {
    await source.return?.();
  }
}

/** Enough bytes to detect the type; fewer if the file is shorter. */
const headOf = async (source: AsyncIterator<Uint8Array>): Promise<Buffer> => {
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const next = await source.next();
    if (next.done === true) return head;
    head = Buffer.concat([head, next.value]);
  }
  return head;
};

const HEAD_BYTES = 12;

const rewritingOf = (head: Buffer): Rewriting | null => {
  const text = head.toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return jpegWithout();
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return pngWithout();
  if (/^GIF8[79]a/.test(text)) return gifWithout();
  if (/^RIFF.{4}WEBP/s.test(text)) return webpWithout();
  if (/^.{4}ftyp(avif|avis|mif1|msf1|hei[cxms]|hev[cxms])/s.test(text)) return heifWithout();
  return null;
};
