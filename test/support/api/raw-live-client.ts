/**
 * A second client of the live service, written from the specifications over a bare TCP connection:
 * WebSocket (RFC 6455), Engine.IO 4 and Socket.IO 5, as far as tests need them. It can stop
 * reading, and send what no library would.
 */
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { until } from '../until.ts';
import type { LiveClient, Told } from './live-client.ts';

interface RawLiveClient extends Pick<LiveClient, 'told' | 'ask' | 'ending'> {
  /** Every packet so far, except pings. */
  readonly packets: readonly string[];
  /** Sends one packet of Engine.IO, valid or not. */
  send(packet: string): void;
  /** Resolves once a packet with this prefix has arrived. */
  heard(start: string): Promise<string>;
  /** Closes the WebSocket, as an ending program does. */
  leave(): void;
  stopReading(): void;
  readOn(): void;
  closed(): Promise<void>;
}

const NAMESPACE = '/buildings,';
const ANSWER_MAX_MS = 60_000;

const TEXT = 1;
const CLOSE = 8;

/** A masked frame; a mask of zeros changes nothing. */
const frameOf = (text: string, opcode = TEXT): Buffer => {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(8);
  head.writeUInt8(0x80 | opcode, 0);
  head.writeUInt8(0x80 | 126, 1);
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
};

interface Frame {
  readonly opcode: number;
  readonly text: string;
  readonly next: number;
}

/** The first frame of the received bytes, and where the next begins; `null`: incomplete. */
const frameIn = (bytes: Buffer): Frame | null => {
  const short = bytes.length >= 2 ? bytes.readUInt8(1) & 0x7f : null;
  const begin = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (short === null || bytes.length < begin) return null;
  const length =
    short === 127
      ? Number(bytes.readBigUInt64BE(2))
      : short === 126
        ? bytes.readUInt16BE(2)
        : short;
  const next = begin + length;
  if (bytes.length < next) return null;
  return { opcode: bytes.readUInt8(0) & 0xf, text: bytes.toString('utf8', begin, next), next };
};

/** Connected to the namespace; if `token` is `null`, only to the server. */
export const rawLiveClient = async (
  address: string,
  token: string | null,
): Promise<RawLiveClient> => {
  const { hostname, port, host } = new URL(address);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  const packets: string[] = [];
  const told: Told[] = [];
  let rest = Buffer.alloc(0);
  let isUpgraded = false;
  let asked = 0;

  const send = (packet: string) => void socket.write(frameOf(packet));
  const take = (packet: string) => {
    if (packet === '2') return send('3');
    packets.push(packet);
    if (!packet.startsWith(`42${NAMESPACE}`)) return;
    const [event, body, position] = JSON.parse(packet.slice(2 + NAMESPACE.length)) as [
      string,
      Told['body'],
      string?,
    ];
    if (position !== undefined) told.push({ event, body, position });
  };
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    if (!isUpgraded) {
      const headEnd = rest.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      isUpgraded = true;
      rest = rest.subarray(headEnd + 4);
    }
    for (let frame = frameIn(rest); frame; frame = frameIn(rest)) {
      rest = rest.subarray(frame.next);
      if (frame.opcode === CLOSE) socket.end(frameOf('', CLOSE));
      else take(frame.text);
    }
  });
  socket.on('error', () => socket.destroy());

  const heard = async (start: string) => {
    const found = () => packets.find((packet) => packet.startsWith(start));
    await until(() => found() !== undefined, start, { maxMs: ANSWER_MAX_MS });
    return found()!;
  };

  socket.write(
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n' +
      `Host: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await heard('0{');
  if (token !== null) {
    send(`40${NAMESPACE}${JSON.stringify({ token })}`);
    await heard(`40${NAMESPACE}`);
  }
  return {
    told,
    packets,
    send,
    heard,
    async ask(event, payload) {
      asked += 1;
      const start = `43${NAMESPACE}${asked}[`;
      send(`42${NAMESPACE}${asked}${JSON.stringify([event, payload])}`);
      return JSON.parse((await heard(start)).slice(start.length, -1));
    },
    async ending() {
      const start = `42${NAMESPACE}["session.ending",`;
      return JSON.parse((await heard(start)).slice(start.length, -1)).code;
    },
    leave: () => void socket.write(frameOf('', CLOSE)),
    stopReading: () => void socket.pause(),
    readOn: () => void socket.resume(),
    closed: () => closed,
  };
};
