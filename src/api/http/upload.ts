/**
 * A body that is worked on while it comes, for as long as that takes: nothing more of it is taken
 * than is asked for. contract.md section 1.
 */
import type { Socket } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { CallerGone } from './places.ts';

/** Marks connections whose body may take longer than the server gives to others. */
const LONG = Symbol('a body that takes long');

/** Whether the server's deadline for a whole request is none for this one. */
export const isLongRequest = (socket: Socket): boolean => LONG in socket;

/**
 * From now until it has arrived, the request may take longer than `REQUEST_RECEIVE_TIMEOUT_MS`;
 * whoever reads it bounds it.
 */
export const allowLongRequest = (request: IncomingMessage): void => {
  const socket: Socket & { [LONG]?: true } = request.socket;
  socket[LONG] = true;
  request.once('close', () => delete socket[LONG]);
};

export interface UploadBounds {
  /** Ends it: rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Milliseconds for which nothing may come though it is waited for. */
  readonly silentMaxMs: number;
  /** What is thrown then. */
  readonly silent: () => Error;
}

/**
 * The bytes as they come. What nobody wants any more is still received for `silentMaxMs`, so that
 * the answer reaches who is sending.
 *
 * @throws {@link CallerGone} for a body that ended early.
 */
export async function* bytesOf(
  request: IncomingMessage,
  { signal, silentMaxMs, silent }: UploadBounds,
): AsyncGenerator<Buffer, void, undefined> {
  let wake = () => {};
  const moved = () => wake();
  const events = ['readable', 'end', 'close', 'error'] as const;
  for (const event of events) request.on(event, moved);
  signal.addEventListener('abort', moved);
  try {
    for (;;) {
      signal.throwIfAborted();
      const chunk = request.read() as Buffer | null;
      if (chunk !== null) {
        yield chunk;
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
    for (const event of events) request.off(event, moved);
    signal.removeEventListener('abort', moved);
    // A body that breaks off later is nobody's concern.
    request.on('error', () => {});
    if (!request.readableEnded) {
      const cutOff = setTimeout(() => request.destroy(), silentMaxMs).unref();
      request.once('close', () => clearTimeout(cutOff));
    }
    request.resume();
  }
}
