/** `clamd` as the scanner, by its command INSTREAM over TCP or a Unix socket. man 8 clamd. */
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { semaphore } from '../../engine/concurrency/semaphore.ts';
import { singleFlight } from '../../engine/concurrency/single-flight.ts';
import {
  SCAN_ATTEMPTS_MAX,
  SCAN_MAX_MS,
  SCAN_PAUSE_MS,
  SCAN_READY_KEPT_MS,
  SCAN_READY_MAX_MS,
  SCANS_AT_ONCE,
} from '../limits.ts';
import type { ScannerAddress } from '../place.ts';
import { written } from '../writing.ts';
import { ScannerUnavailable, type Scanner } from './scanner.ts';

export interface ClamdOptions {
  /** Timeout of one scan. Default {@link SCAN_MAX_MS}. */
  readonly withinMs?: number;
  /** Before the next attempt. Default {@link SCAN_PAUSE_MS}. */
  readonly pauseMs?: number;
}

export const clamdAt = (
  address: ScannerAddress,
  { withinMs = SCAN_MAX_MS, pauseMs = SCAN_PAUSE_MS }: ClamdOptions = {},
): Scanner => {
  const permits = semaphore(SCANS_AT_ONCE);

  const attempted = async (read: () => AsyncIterable<Uint8Array>, attempt: number) => {
    try {
      return foundIn(await exchange(address, 'INSTREAM', withinMs, inChunks(read())));
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      if (attempt >= SCAN_ATTEMPTS_MAX) throw new ScannerUnavailable(error.message);
      await sleep(pauseMs);
      return attempted(read, attempt + 1);
    }
  };

  const pinged = async (): Promise<true | string> => {
    try {
      const answer = await exchange(address, 'PING', SCAN_READY_MAX_MS);
      return answer === 'PONG' || `the scanner answered ${answer.slice(0, 100)}`;
    } catch (error) {
      if (error instanceof Lost) return error.message;
      throw error;
    }
  };

  return {
    scan: (read) => permits.run(() => attempted(read, 1)),
    ready: singleFlight(pinged, SCAN_READY_KEPT_MS),
  };
};

/** No complete answer arrived: a retry may succeed. */
class Lost extends Error {}

/** @throws {@link ScannerUnavailable} for an answer that is neither. */
const foundIn = (answer: string): string | null => {
  if (answer === 'stream: OK') return null;
  const [, name] = /^stream: (.+) FOUND$/.exec(answer) ?? [];
  if (name !== undefined) return name;
  throw new ScannerUnavailable(`the scanner answered ${answer.slice(0, 200)}`);
};

/** Each with its length before it; an empty one is the end. */
async function* inChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    if (chunk.length > 0) yield Buffer.concat([lengthOf(chunk.length), chunk]);
  }
  yield lengthOf(0);
}

const lengthOf = (bytes: number): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
};

/** @throws {@link Lost}, and what `content` throws. */
const exchange = async (
  address: ScannerAddress,
  command: string,
  withinMs: number,
  content?: AsyncIterable<Uint8Array>,
): Promise<string> => {
  const socket = createConnection({ ...address });
  const answer = answerOf(socket);
  const late = setTimeout(() => {
    socket.destroy(new Error(`no answer within ${withinMs / 1000} s`));
  }, withinMs);
  try {
    await written(socket, Buffer.from(`z${command}\0`));
    for await (const piece of content ?? []) {
      // It does not read a refused file to its end.
      if (!socket.writable) break;
      await written(socket, piece);
    }
    return await answer;
  } finally {
    clearTimeout(late);
    socket.destroy();
  }
};

/** Answers end with a zero byte. */
const answerOf = (socket: Socket): Promise<string> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = '';
  let failure = 'it hung up';
  socket.on('data', (bytes: Buffer) => {
    if (received.length < ANSWER_CHARACTERS_MAX) received += bytes.toString();
    const [answer] = received.split('\0', 1);
    if (received.includes('\0')) resolve(answer!);
  });
  socket.on('error', (error) => {
    failure = error.message || 'it cannot be reached';
  });
  socket.on('close', () => reject(new Lost(`the scanner is away: ${failure}`)));
  // Awaited once everything is written.
  promise.catch(() => {});
  return promise;
};

const ANSWER_CHARACTERS_MAX = 4_096;
