/** Clients of a WebSocket server that only count frames and answer pings. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface CountingClient {
  /** Resolves when this number of frames has arrived. */
  heard(frames: number): Promise<void>;
  send(text: string): void;
  readonly socket: Socket;
}

/** @param counted Called with the number of complete frames in each chunk. */
export const countingClient = async (
  port: number,
  path: string,
  counted: (frames: number) => void,
): Promise<CountingClient> => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  let frames = 0;
  let came = () => {};
  /** Remaining bytes of an incomplete frame, and the bytes of an incomplete head. */
  let missing = 0;
  let isPing = false;
  let cut: Buffer = Buffer.alloc(0);
  const take = (chunk: Buffer) => {
    const bytes = cut.length === 0 ? chunk : Buffer.concat([cut, chunk]);
    cut = Buffer.alloc(0);
    let [at, whole] = [0, 0];
    while (at < bytes.length) {
      if (missing === 0) {
        const head = headOf(bytes, at);
        if (head === null) {
          cut = bytes.subarray(at);
          break;
        }
        [at, missing] = [at + head.bytes, head.payload];
        isPing = missing === PING_BYTES;
        if (isPing) socket.write(maskedFrame('3'));
      }
      const here = Math.min(missing, bytes.length - at);
      [at, missing] = [at + here, missing - here];
      if (missing === 0 && !isPing) whole += 1;
    }
    frames += whole;
    counted(whole);
    came();
  };
  await new Promise<void>((upgraded) => {
    let head = Buffer.alloc(0);
    const takeHead = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      socket.off('data', takeHead);
      socket.on('data', take);
      if (head.length > end + 4) take(head.subarray(end + 4));
      upgraded();
    };
    socket.on('data', takeHead);
  });
  return {
    async heard(count) {
      const isThere = () => frames >= count;
      while (!isThere()) await new Promise<void>((next) => (came = next));
    },
    send: (text) => void socket.write(maskedFrame(text)),
    socket,
  };
};

/** No other packet of Engine.IO is so short. */
const PING_BYTES = 1;

/** Length of the frame's head and of its payload; `null`: the head is incomplete. */
const headOf = (bytes: Buffer, at: number) => {
  if (bytes.length - at < 2) return null;
  const short = bytes.readUInt8(at + 1);
  if (short < 126) return { bytes: 2, payload: short };
  if (bytes.length - at < 4) return null;
  return { bytes: 4, payload: bytes.readUInt16BE(at + 2) };
};

const maskedFrame = (text: string): Buffer => {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(8);
  head.writeUInt8(0x81, 0);
  head.writeUInt8(0x80 | 126, 1);
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
};
