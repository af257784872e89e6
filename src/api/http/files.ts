/**
 * Files that do not change while the server runs: made once, compressed once off the event loop,
 * and sent only to callers without a current copy. contract.md section 1.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest, onSendAsyncHookHandler } from 'fastify';
import { codingFor, type Coding } from './accept-encoding.ts';
import { isUnchanged } from './conditional.ts';

/**
 * For a route with a constant answer: the first one is kept as a file and sent in place of all
 * later ones.
 */
export const sentAsFile = (): onSendAsyncHookHandler => {
  let file: Promise<File> | undefined;
  return async (request, reply, payload) => {
    if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    file ??= fileOf(payload);
    return answered(await file, request, reply);
  };
};

interface File {
  readonly plain: Buffer;
  readonly compressed: Readonly<Record<Coding, Buffer>>;
  /** Weak, because it names one text in all encodings. */
  readonly tag: string;
}

const fileOf = async (text: string): Promise<File> => {
  const plain = Buffer.from(text);
  const digest = createHash('sha256').update(plain).digest('base64url');
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, BROTLI),
    promisify(gzip)(plain),
  ]);
  return { plain, compressed: { br, gzip: gzipped }, tag: `W/"${digest}"` };
};

/** The default level takes seconds. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const answered = (
  { plain, compressed, tag }: File,
  request: FastifyRequest,
  reply: FastifyReply,
): Buffer | null => {
  void reply
    .header('etag', tag)
    .header('cache-control', 'public, no-cache')
    .header('vary', 'accept-encoding');
  if (isUnchanged(request, reply)) {
    void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return null;
  }
  void reply.removeHeader('content-length');
  const coding = codingFor(request.headers['accept-encoding']);
  if (coding === null) return plain;
  void reply.header('content-encoding', coding);
  return compressed[coding];
};
