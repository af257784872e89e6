import type { Readable } from 'node:stream';
import { errorCodes, type FastifyRequest } from 'fastify';
import { NoPermit } from '../../engine/concurrency/fair-semaphore.ts';
import { holderOf, type HeldBytes } from './held-bytes.ts';
import { BODY_CHUNKS_MAX } from './limits.ts';
import { invalid } from './problems.ts';

/**
 * Reads whole bodies into one buffer each, which grows with what has arrived: Fastify keeps every
 * chunk until the end, and a chunk of one byte costs several hundred.
 *
 * @returns The body; rejects with {@link NoPermit}, a problem, or one of Fastify's errors.
 */
export const bodyReader =
  (received: HeldBytes): ReadBody =>
  (request, payload) =>
    new Promise((resolve, reject) => {
      const { bodyLimit } = request.routeOptions;
      const declared = Number(request.headers['content-length']);
      if (declared > bodyLimit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
      const holder = holderOf(request);
      let body = Buffer.allocUnsafe(Math.min(declared || FIRST_BYTES, FIRST_BYTES));
      let length = 0;
      let chunks = 0;

      const grow = (bytes: number) => {
        const larger = Buffer.allocUnsafe(Math.min(Math.max(2 * body.length, bytes), bodyLimit));
        const bound = received.exceeds(holder, larger.length - body.length);
        if (bound !== null) throw new NoPermit(bound);
        received.add(holder, larger.length - body.length);
        body.copy(larger, 0, 0, length);
        body = larger;
      };
      const take = (chunk: Buffer) => {
        chunks += 1;
        if (chunks > BODY_CHUNKS_MAX) throw inTooManyParts();
        const end = length + chunk.length;
        if (end > bodyLimit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
        if (end > body.length) grow(end);
        chunk.copy(body, length);
        length = end;
      };
      const settle = (work: () => void) => {
        payload.off('data', onData).off('end', onEnd).off('error', onError);
        if (body.length > first) received.add(holder, first - body.length);

        work();
      };
      const first = body.length;
      const onData = (chunk: Buffer) => {
        try {
          take(chunk);
        } catch (error) {
          settle(() => reject(error));
        }
      };
      const onEnd = () =>
        settle(() => {
          if (declared >= 0 && declared !== length)
            reject(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
          else resolve(body.subarray(0, length));
        });
      const onError = (error: Error) => settle(() => reject(error));
      payload.on('data', onData).on('end', onEnd).on('error', onError);
    });

type ReadBody = (request: FastifyRequest, payload: Readable) => Promise<Buffer>;

/** Allocated at once, and not counted. */
const FIRST_BYTES = 64 * 1024;

const inTooManyParts = () =>
  invalid([{ path: '', message: `The body arrives in more than ${BODY_CHUNKS_MAX} parts.` }]);
