/**
 * Messages in wire format: encoded once for all clients. Concurrent messages are one buffer, so
 * that each client costs one write.
 */
import { cursorText, type Cursor } from './cursor.ts';
import type { LiveMessage } from './messages.ts';

/** The namespace of the service. */
export const NAMESPACE = '/buildings';

/** One message. Socket.IO protocol 5, Engine.IO protocol 4, RFC 6455 section 5.2. */
export interface Frame {
  readonly supersededBy: string | null;
  /** When it happened. */
  readonly at: string;
  /** The packet of Socket.IO. */
  readonly packet: string;
  /** The same as a frame of WebSocket. */
  readonly bytes: Buffer;
}

export interface Place {
  readonly message: LiveMessage;
  /** A listener's cursor after it. */
  readonly cursor: Cursor;
}

/** Each message is an event with two arguments: the body, and the position after it. */
export const frameOf = ({ message: { event, body, supersededBy }, cursor }: Place): Frame => {
  const packet = `${EVENT}${NAMESPACE},${JSON.stringify([event, body, cursorText(cursor)])}`;
  return { supersededBy, at: body.timestamp, packet, bytes: textFrame(MESSAGE + packet) };
};

/** The types of a packet of Socket.IO and of Engine.IO. */
const EVENT = '2';
const MESSAGE = '4';

const FINAL_TEXT = 0x81;

/** Unmasked, as servers send it. */
const textFrame = (text: string): Buffer => {
  const length = Buffer.byteLength(text);
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame.writeUInt8(FINAL_TEXT, 0);
  frame.writeUInt8(head === 2 ? length : head === 4 ? 126 : 127, 1);
  if (head === 4) frame.writeUInt16BE(length, 2);
  else if (head === 10) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.write(text, head);
  return frame;
};

/** Messages that are sent together. */
export interface Burst {
  readonly frames: readonly Frame[];
  /** All of them, one after the other. */
  readonly bytes: Buffer;
}

export const burstOf = (frames: readonly Frame[]): Burst => ({
  frames,
  bytes: frames.length === 1 ? frames[0]!.bytes : Buffer.concat(frames.map(({ bytes }) => bytes)),
});
