/**
 * Passes the packets of a client on to another process, over a WebSocket, whatever the client's own
 * transport is. Socket.IO protocol 5, Engine.IO protocol 4.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import { WebSocket, type RawData } from 'ws';
import { withTimeout } from '../../engine/concurrency/timeout.ts';
import { Problem, type ProblemCode } from '../http/problems.ts';
import { LIVE_PATH } from '../http/upgrades.ts';
import { NAMESPACE } from './frames.ts';
import { LIVE_RELAYED_BYTES_MAX, LIVE_SENT_BYTES_MAX } from './limits.ts';
import { whenGone, type LiveClient, type Serve } from './service.ts';
import { ENDING_EVENT } from './session.ts';

export interface Upstream {
  /** The other process, as `http://10.0.0.7:4000`. */
  readonly address: string;
  /** Those of the client's first request, as they are passed on. */
  readonly headers: OutgoingHttpHeaders;
  readonly connectMaxMs: number;
  /** Longest wait for its answer to the handshake. */
  readonly answerMaxMs: number;
}

/**
 * Connects a client with its own credential, which the other process checks.
 *
 * @param failed Called if the other process does not answer, or closes the connection.
 * @returns `null` after `failed`.
 * @throws {@link Problem}, the refusal of the other process.
 */
export const relayed = async (
  client: LiveClient,
  { address, headers, connectMaxMs, answerMaxMs }: Upstream,
  failed: (error: Error) => void,
): Promise<Serve | null> => {
  const url = `${address.replace(/^http/, 'ws')}${LIVE_PATH}?EIO=4&transport=websocket`;
  const upstream = new WebSocket(url, {
    headers: withoutWebSocketHeaders(headers),
    handshakeTimeout: connectMaxMs,
    perMessageDeflate: false,
  });
  let silentMaxMs: number;
  try {
    silentMaxMs = await withTimeout(connected(upstream, client.handshake.auth), answerMaxMs, () => {
      throw new Error('no answer in time');
    });
  } catch (error) {
    upstream.terminate();
    if (error instanceof Problem) throw error;
    failed(error as Error);
    return null;
  }
  whenGone(client, () => upstream.close());
  return (admitted) => relay(admitted, upstream, silentMaxMs);
};

/** The connection to the other process has its own. */
const withoutWebSocketHeaders = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('sec-websocket-')),
  );

/**
 * Resolves once the other process has accepted the client; the connection is paused then.
 *
 * @returns The longest silence of the other process, in milliseconds.
 */
const connected = (upstream: WebSocket, auth: object): Promise<number> =>
  new Promise((resolve, reject) => {
    let silentMaxMs = 0;
    const take = (data: RawData) => {
      const packet = textOf(data);
      if (packet.startsWith(OPEN)) {
        const { pingInterval, pingTimeout } = JSON.parse(packet.slice(OPEN.length)) as Opened;
        silentMaxMs = pingInterval + pingTimeout;
        upstream.send(`${CONNECT}${JSON.stringify(auth)}`);
      } else if (packet.startsWith(CONNECT)) {
        upstream.off('message', take);
        upstream.pause();
        resolve(silentMaxMs);
      } else if (packet.startsWith(CONNECT_ERROR)) {
        const { data: refused } = JSON.parse(packet.slice(CONNECT_ERROR.length)) as ConnectError;
        reject(new Problem(refused.code, refused.detail));
      }
    };
    upstream.on('message', take);
    // It stays: an error must not end the process. The connection closes after it.
    upstream.on('error', reject);
    upstream.once('close', () => reject(new Error('the connection was closed')));
  });

const relay = (client: LiveClient, upstream: WebSocket, silentMaxMs: number): ReturnType<Serve> => {
  const { conn } = client;
  // The connection to a machine that has vanished stays open.
  let silence: NodeJS.Timeout | undefined;
  const pause = () => {
    upstream.pause();
    clearTimeout(silence);
  };
  const resume = () => {
    clearTimeout(silence);
    silence = setTimeout(() => upstream.terminate(), silentMaxMs).unref();
    upstream.resume();
  };
  let unsentBytes = 0;
  const sent = (bytes: number) => () => {
    unsentBytes -= bytes;
    if (upstream.isPaused && unsentBytes <= LIVE_SENT_BYTES_MAX) resume();
  };
  upstream.on('message', (data) => {
    silence?.refresh();
    const packet = textOf(data);
    if (packet === PING) return upstream.send(PONG);
    if (!packet.startsWith(MESSAGE)) return;
    const bytes = packet.length;
    unsentBytes += bytes;
    conn.write(packet.slice(MESSAGE.length), {}, sent(bytes));
    // The other process then drops superseded values, as for each slow client.
    if (unsentBytes > LIVE_SENT_BYTES_MAX) pause();
  });
  upstream.once('close', () => {
    clearTimeout(silence);
    conn.close();
  });
  conn.on('data', (data: string | Buffer) => {
    if (upstream.readyState !== WebSocket.OPEN) return;
    if (typeof data !== 'string') upstream.send(data);
    // This process has answered further handshakes.
    else if (!data.startsWith(HANDSHAKE)) upstream.send(`${MESSAGE}${data}`);
    // The other process does not read.
    if (upstream.bufferedAmount > LIVE_RELAYED_BYTES_MAX) upstream.terminate();
  });
  resume();
  return (reason) => {
    client.emit(ENDING_EVENT, { code: reason });
    client.disconnect(true);
  };
};

/** Text arrives in one piece. */
const textOf = (data: RawData): string => (data as Buffer).toString();

/** Packets of Engine.IO. */
const OPEN = '0';
const PING = '2';
const PONG = '3';
const MESSAGE = '4';

/** The packet of Socket.IO that names a namespace and has a credential. */
const HANDSHAKE = '0';
const CONNECT = `${MESSAGE}${HANDSHAKE}${NAMESPACE},`;
const CONNECT_ERROR = `${MESSAGE}4${NAMESPACE},`;

/** The first packet of Engine.IO; both members in milliseconds. */
interface Opened {
  readonly pingInterval: number;
  readonly pingTimeout: number;
}

/** The `connect_error` of a client. */
interface ConnectError {
  readonly data: { readonly code: ProblemCode; readonly detail: string };
}
