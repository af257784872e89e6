/**
 * A client of the live service over a bare TCP connection: WebSocket (RFC 6455), Engine.IO 4 and
 * Socket.IO 5 written out, as far as tests need them. It can stop reading.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { until } from '../until.ts';

export interface RawLiveClient {
  send(packet: string): void;
  /** Resolves once a packet that contains this text has come. */
  heard(text: string): Promise<void>;
  stopReading(): void;
  readOn(): void;
  closed(): Promise<unknown>;
}

/** A masked text frame; a mask of zeros changes nothing. */
const frameOf = (text: string): Buffer => {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(8);
  head.writeUInt8(0x81, 0);
  head.writeUInt8(0x80 | 126, 1);
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
};

export const rawLiveClient = async (address: string, token: string): Promise<RawLiveClient> => {
  const { hostname, port, host } = new URL(address);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const closed = once(socket, 'close');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', () => socket.destroy());
  const heard = (text: string) => until(() => received.includes(text), text, { maxMs: 20_000 });
  const send = (packet: string) => void socket.write(frameOf(packet));
  socket.write(
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n' +
      `Host: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await heard('"sid"');
  send(`40/buildings,${JSON.stringify({ token })}`);
  await heard('40/buildings,{"sid"');
  return {
    send,
    heard,
    stopReading: () => void socket.pause(),
    readOn: () => void socket.resume(),
    closed: () => closed,
  };
};
