/**
 * Compresses long responses for callers who accept it: in Node's thread pool, with bounded
 * concurrency. While all permits are in use, a response is sent uncompressed instead of waiting.
 * contract.md section 1.
 */
import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { COMPRESSED_BYTES_MIN, COMPRESSIONS_AT_ONCE_MAX } from './limits.ts';
import { codingFor, type Coding } from './accept-encoding.ts';
import { varyBy } from './vary.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The answer has a secret next to the caller's own input and is never compressed: its length
     * would reveal how much the two have in common (BREACH). Default: false.
     */
    answersSecret?: true;
    /** The route compresses its answer itself. Default: false. */
    compressesItself?: true;
  }
}

/** Resolves with `null` instead of waiting, while {@link COMPRESSIONS_AT_ONCE_MAX} run. */
export type Compress = (payload: string | Buffer, coding: Coding) => Promise<Buffer | null>;

export const compressor = (): Compress => {
  let underWay = 0;
  return async (payload, coding) => {
    if (underWay >= COMPRESSIONS_AT_ONCE_MAX) return null;
    underWay += 1;
    try {
      return await whole[coding](payload);
    } finally {
      underWay -= 1;
    }
  };
};

/**
 * Compresses answers in JSON, CSV and NDJSON of at least {@link COMPRESSED_BYTES_MIN}, and streams
 * of them, which are flushed after each part. The entity tag stays: it names an aggregate's
 * revision for `If-Match`, independent of the encoding.
 */
export const compressResponses = (app: FastifyInstance, compress: Compress): void => {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isCompressible(request, reply, payload)) return payload;
    varyBy(reply, 'accept-encoding');
    // The client has gone.
    if (reply.raw.destroyed) return payload;
    const coding = codingFor(request.headers['accept-encoding']);
    if (coding === null || payload === null) return payload;
    if (payload instanceof Readable && request.method === 'HEAD') {
      // The headers of the GET, without its body.
      void reply.header('content-encoding', coding);
      return payload;
    }
    const sent =
      payload instanceof Readable
        ? streamed(payload, coding, request)
        : await compress(payload, coding);
    if (sent === null) return payload;
    void reply.header('content-encoding', coding).removeHeader('content-length');
    return sent;
  });
};

/** `null` is the missing body of a 304. */
const isCompressible = (
  { routeOptions }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is string | Buffer | Readable | null => {
  // Most answers are shorter: a character has at most three bytes.
  if (typeof payload === 'string' && payload.length * 3 < COMPRESSED_BYTES_MIN) return false;
  const { answersSecret, compressesItself } = routeOptions.config;
  if (answersSecret || compressesItself || reply.hasHeader('content-encoding')) return false;
  if (payload === null) return reply.statusCode === 304;
  if (!COMPRESSED_TYPES.test(String(reply.getHeader('content-type')))) return false;
  if (payload instanceof Readable) return true;
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false;
  // A character has at least one byte, and the bytes of a long text take time to count.
  const isLong = payload.length >= COMPRESSED_BYTES_MIN;
  return isLong || Buffer.byteLength(payload) >= COMPRESSED_BYTES_MIN;
};

const COMPRESSED_TYPES = /^(application\/(problem\+)?json|application\/x-ndjson|text\/csv)\b/;

/** The fastest level: higher ones save a tenth of the bytes for three times the CPU. */
const GZIP = { level: constants.Z_BEST_SPEED };
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 1,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
};

const whole: Readonly<Record<Coding, (payload: string | Buffer) => Promise<Buffer>>> = {
  br: (payload) => brotlied(payload, BROTLI),
  gzip: (payload) => gzipped(payload, GZIP),
};
const brotlied = promisify(brotliCompress);
const gzipped = promisify(gzip);

const streams: Readonly<Record<Coding, () => Transform>> = {
  br: () => createBrotliCompress({ ...BROTLI, flush: constants.BROTLI_OPERATION_FLUSH }),
  gzip: () => createGzip({ ...GZIP, flush: constants.Z_SYNC_FLUSH }),
};

/**
 * If either stream ends early, the other is ended too: a reader who leaves, or a page that fails.
 */
const streamed = (parts: Readable, coding: Coding, { log }: FastifyRequest): Transform =>
  pipeline(parts, streams[coding](), (error) => {
    if (error) log.debug({ err: error }, 'a compressed answer has not been sent to its end');
  });
