/** A body that is processed while it arrives, with backpressure. contract.md section 1. */
import type { Socket } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { CallerGone } from './permits.ts';

/** Marks connections whose body may exceed the server's deadline. */
const LONG = Symbol('a body that takes long');

/** Whether the server's deadline for a whole request does not apply to this one. */
export const isLongRequest = (socket: Socket): boolean => LONG in socket;

/** Exempts the request's body from `REQUEST_RECEIVE_TIMEOUT_MS`; its reader sets a bound. */
export const allowLongRequest = (request: IncomingMessage): void => {
  const socket: Socket & { [LONG]?: IncomingMessage } = request.socket;
  socket[LONG] = request;
  request.once('close', () => {
    // The next request of the connection may have begun.
    if (socket[LONG] === request) delete socket[LONG];
  });
};

export interface UploadBounds {
  /** Ends the upload: rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Longest silence while bytes are expected, in milliseconds. */
  readonly silentMaxMs: number;
  /** The error after that silence. */
  readonly silent: () => Error;
}

/**
 * The bytes as they arrive. Small chunks are joined: a client may send a chunk per byte, and each
 * piece has its price in all later steps. After the consumer has stopped, the rest is received for
 * `silentMaxMs` and discarded, so that the sender gets the answer. From the first read on, the
 * server's deadline for a whole request does not apply.
 *
 * @throws {@link CallerGone} for a body that ended early.
 */
export async function* bytesOf(
  request: IncomingMessage,
  { signal, silentMaxMs, silent }: UploadBounds,
): AsyncGenerator<Buffer, void, undefined> {
  allowLongRequest(request);
  let wake = () => {};
  const onProgress = () => wake();
  const events = ['readable', 'end', 'close', 'error'] as const;
  for (const event of events) request.on(event, onProgress);
  signal.addEventListener('abort', onProgress);
  try {
    for (;;) {
      signal.throwIfAborted();
      const chunk = request.read() as Buffer | null;
      if (chunk !== null) {
        yield chunk.length < PIECE_BYTES ? await joined(chunk, request) : chunk;
        continue;
      }
      if (request.readableEnded) return;
      if (request.destroyed) throw new CallerGone();
      const { promise, resolve } = Promise.withResolvers<boolean>();
      wake = () => resolve(true);
      const timer = setTimeout(() => resolve(false), silentMaxMs);
      const came = await promise;
      clearTimeout(timer);
      if (!came) throw silent();
    }
  } finally {
    for (const event of events) request.off(event, onProgress);
    signal.removeEventListener('abort', onProgress);
    // A body that breaks off later has no effect.
    request.on('error', () => {});
    if (!request.readableEnded) {
      const cutOff = setTimeout(() => request.destroy(), silentMaxMs).unref();
      request.once('close', () => clearTimeout(cutOff));
    }
    request.resume();
  }
}

/** A shorter chunk waits for what else arrives in the same turn of the event loop. */
const PIECE_BYTES = 16 * 1024;

const joined = async (first: Buffer, request: IncomingMessage): Promise<Buffer> => {
  await turn();
  const chunks = [first];
  for (let chunk; (chunk = request.read() as Buffer | null) !== null;) chunks.push(chunk);
  return chunks.length === 1 ? first : Buffer.concat(chunks);
};
