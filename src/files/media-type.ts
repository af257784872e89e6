/** The type of a file, detected from its bytes alone. contract.md section 5. */
import { FILE_HEAD_BYTES } from './limits.ts';

export interface TypeInspection {
  /** The bytes as they pass, unchanged. */
  passing(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined>;
  /** Type of the bytes so far; `null`: none that is accepted. */
  mediaType(): Promise<string | null>;
}

/**
 * Keeps the first {@link FILE_HEAD_BYTES}, which bounds what a compressed file can be inflated to,
 * and looks at each byte for those of binary files.
 */
export const inspectedType = (): TypeInspection => {
  const head: Uint8Array[] = [];
  let room = FILE_HEAD_BYTES;
  let isText = true;
  return {
    async *passing(chunks) {
      for await (const chunk of chunks) {
        if (room > 0) head.push(Buffer.from(chunk.subarray(0, room)));
        room -= Math.min(room, chunk.length);
        isText &&= !hasBinary(chunk);
        yield chunk;
      }
    },

    async mediaType() {
      // Loaded for the first file: 40 modules.
      const { fileTypeFromBuffer } = await import('file-type');
      const detected = await fileTypeFromBuffer(Buffer.concat(head));
      const mediaType = detected?.mime.split(';', 1)[0];
      if (mediaType !== undefined && accepted.has(mediaType)) return mediaType;
      // HTML and SVG are served as plain text only.
      return isText && (mediaType === undefined || written.has(mediaType)) ? 'text/plain' : null;
    },
  };
};

/** Control characters that no text has. */
const isBinary = Array.from(
  { length: 256 },
  (_, byte) => byte < 0x20 && ![0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte),
);

/** A plain loop: a callback for each byte is most of what an upload costs. */
const hasBinary = (chunk: Uint8Array): boolean => {
  for (let at = 0; at < chunk.length; at += 1) if (isBinary[chunk[at]!]) return true;
  return false;
};

/** Types that are detected in text. */
const written: ReadonlySet<string> = new Set([
  'application/xml',
  'text/calendar',
  'text/vcard',
  'application/rtf',
]);

/** What people send to a service desk. Programs are not among it. */
const accepted: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/heif',
  'image/tiff',
  'image/bmp',
  'application/pdf',
  'application/zip',
  'application/gzip',
  'application/x-7z-compressed',
  'application/x-cfb',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'audio/mpeg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/ogg',
  'audio/wav',
  'video/mp4',
  'video/quicktime',
  'video/webm',
  'video/x-m4v',
  'video/3gpp',
]);
