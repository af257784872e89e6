/** Draws the preview of a picture, in a process of its own under bounds of time and memory. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  PREVIEW_BYTES_MAX,
  PREVIEW_MAX_MS,
  PREVIEW_MEMORY_MAX_MIB,
  PREVIEW_RESERVED_MIB,
} from '../limits.ts';
import { written } from '../writing.ts';
import { DRAWN, NO_DECODER, NO_PICTURE } from './exit-codes.ts';

/** Types with previews. HEIC has none: its decoder is not freely licensed. */
export const isPreviewed = (mediaType: string): boolean => previewed.has(mediaType);

const previewed: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
]);

/** The type of all previews. */
export const PREVIEW_MEDIA_TYPE = 'image/webp';

export type Drawing =
  | { readonly is: 'drawn'; readonly picture: Buffer }
  /** The bytes are no picture, or too large a one: a retry would fail again. */
  | { readonly is: 'no-picture'; readonly reason: string }
  /** The decoder crashed, or took too much time or memory. */
  | { readonly is: 'failed'; readonly reason: string };

/** No picture can be decoded here: the decoder is not installed, or no process can be started. */
export class NoDecoder extends Error {
  override name = 'NoDecoder';
}

export interface DrawOptions {
  /** Ends the process: rejects with its reason. */
  readonly signal?: AbortSignal;
  /** Default {@link PREVIEW_MAX_MS}. */
  readonly withinMs?: number;
}

export type Draw = (bytes: AsyncIterable<Uint8Array>, options?: DrawOptions) => Promise<Drawing>;

/** @throws {@link NoDecoder}, and what `bytes` throws. */
export const draw: Draw = async (bytes, { signal, withinMs = PREVIEW_MAX_MS } = {}) => {
  signal?.throwIfAborted();
  const child = started();
  const ended = endOf(child);
  const output = outputOf(child);
  const complaint = textOf(child.stderr);
  const late = AbortSignal.timeout(withinMs);
  const end = () => void child.kill('SIGKILL');
  late.addEventListener('abort', end, { once: true });
  signal?.addEventListener('abort', end, { once: true });
  try {
    await sent(bytes, child.stdin);
    const { code, by } = await ended;
    signal?.throwIfAborted();
    const reason = late.aborted
      ? `it took longer than ${withinMs / 1000} s`
      : (await complaint) || `the decoder ended by ${by ?? code}`;
    if (code === NO_DECODER) throw new NoDecoder(reason);
    if (code === NO_PICTURE) return { is: 'no-picture', reason };
    const picture = await output;
    if (code !== DRAWN || picture === null) return { is: 'failed', reason };
    return { is: 'drawn', picture };
  } finally {
    late.removeEventListener('abort', end);
    signal?.removeEventListener('abort', end);
    end();
  }
};

const PROGRAM = fileURLToPath(new URL('./drawing-process.ts', import.meta.url));

/** The shell sets the memory limit, and is replaced by the process. */
const BOUNDED = 'ulimit -d "$0" && exec "$@"';

const started = () => {
  const kib = (PREVIEW_RESERVED_MIB + PREVIEW_MEMORY_MAX_MIB) * 1024;
  const node = [process.execPath, '--max-old-space-size=128', '--v8-pool-size=1', PROGRAM];
  return spawn('/bin/sh', ['-c', BOUNDED, String(kib), ...node], {
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
};

type Child = ReturnType<typeof started>;

const endOf = (child: Child) => {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly code: number | null;
    readonly by: string | null;
  }>();
  child.once('error', (error) => reject(new NoDecoder(error.message)));
  child.once('close', (code, by) => resolve({ code, by }));
  // Awaited later, or not at all where the bytes fail first.
  promise.catch(() => {});
  return promise;
};

/** A process that has read enough, or crashed, closes its input: its exit shows which. */
const sent = async (bytes: AsyncIterable<Uint8Array>, input: Child['stdin']): Promise<void> => {
  input.on('error', () => {});
  for await (const piece of bytes) {
    if (!input.writable) return;
    await written(input, piece);
  }
  input.end();
};

/** `null`: more than {@link PREVIEW_BYTES_MAX}. */
const outputOf = async (child: Child): Promise<Buffer | null> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of child.stdout as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > PREVIEW_BYTES_MAX) {
      child.kill('SIGKILL');
      return null;
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

/** The beginning; the rest is read and discarded, so that the process is not blocked. */
const textOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  let text = '';
  for await (const piece of stream) {
    if (text.length < COMPLAINT_CHARACTERS_MAX) text += piece.toString();
  }
  return text.slice(0, COMPLAINT_CHARACTERS_MAX).trim();
};

const COMPLAINT_CHARACTERS_MAX = 500;
