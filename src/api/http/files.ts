/**
 * Files that do not change while the server runs: made once, compressed once off the event loop,
 * and sent only to callers without a current copy. contract.md section 1.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest, onSendAsyncHookHandler } from 'fastify';
import { codingFor } from './accept-encoding.ts';

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
  readonly compressed: Buffer;
  /** Weak, because it names one text in two encodings. */
  readonly tag: string;
}

const fileOf = async (text: string): Promise<File> => {
  const plain = Buffer.from(text);
  const digest = createHash('sha256').update(plain).digest('base64url');
  return { plain, compressed: await promisify(gzip)(plain), tag: `W/"${digest}"` };
};

const answered = (
  { plain, compressed, tag }: File,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Buffer | null => {
  void reply
    .header('etag', tag)
    .header('cache-control', 'public, no-cache')
    .header('vary', 'accept-encoding');
  if (headers['if-none-match']?.includes(tag)) {
    void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return null;
  }
  void reply.removeHeader('content-length');
  if (codingFor(headers['accept-encoding'], ['gzip']) === null) return plain;
  void reply.header('content-encoding', 'gzip');
  return compressed;
};
