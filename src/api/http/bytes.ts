/**
 * A stored file as a response from which a browser runs no script; a download by default. RFC 9110
 * section 14, RFC 6266.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '../../files/file-store.ts';
import { isMatched, isUnchanged } from './conditional.ts';
import { Problem } from './problems.ts';

export interface StoredBytes {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** With quotes. Identifies the bytes on every route. */
  readonly etag: string;
  /** A browser may show it: only for bytes that this server has generated. Default: a download. */
  readonly isInline?: boolean;
  /** Both ends are inclusive. */
  open(range: ByteRange): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * The stream for the handler to return, with 200, or 206 for one range; or a 304. A range that
 * cannot be satisfied is ignored.
 *
 * @throws Problem `PRECONDITION_FAILED`, and errors of `open`.
 */
export const answerBytes = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { name, mediaType, bytes, etag, isInline = false, open }: StoredBytes,
): Promise<FastifyReply | Readable> => {
  if (!isMatched(request, etag))
    throw new Problem('PRECONDITION_FAILED', `The file has the ETag ${etag}.`);
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    // Revalidated by its tag each time, so that the credential is always checked.
    'cache-control': 'private, no-cache',
    'content-security-policy': "sandbox; default-src 'none'",
    'content-disposition': isInline ? 'inline' : attachmentNamed(name),
  };
  void reply.headers(headers);
  if (isUnchanged(request, reply)) return reply.code(304).send();
  void reply.type(mediaType);
  if (request.method === 'HEAD') {
    void reply.header('content-length', bytes);
    return Readable.from([]);
  }
  const { range, 'if-range': ifRange } = request.headers;
  const isSame = ifRange === undefined || ifRange === etag;
  const part = isSame ? rangeIn(range, bytes) : null;
  const sent = part ?? { start: 0, end: bytes - 1 };
  // Opened first: a missing file is answered with a problem, not with a truncated response.
  const opened = await open(sent).catch((error: unknown) => {
    for (const header of ['content-type', ...Object.keys(headers)]) void reply.removeHeader(header);
    throw error;
  });
  if (part) {
    void reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${bytes}`);
  }
  void reply.header('content-length', sent.end - sent.start + 1);
  return Readable.from(opened, { objectMode: false });
};

/** The single range of the header, within the file; `null`: the whole file is sent. */
export const rangeIn = (header: string | undefined, bytes: number): ByteRange | null => {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  return start <= end ? { start, end } : null;
};

/** Includes the name in ASCII for clients without RFC 8187. */
const attachmentNamed = (name: string): string => {
  const plain = name.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
};
