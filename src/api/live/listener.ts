/**
 * Socket.IO over another server's listener. Its connections are open to everyone: a client sends
 * its credential afterwards, in the handshake of the namespace. contract.md section 8.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server, type Socket } from 'socket.io';
import type { Logger } from '../../engine/observe/logging.ts';
import { Problem, problems } from '../http/problems.ts';
import { sourceIps } from '../http/source-ip.ts';
import { LIVE_PATH, refuseUpgrade } from '../http/upgrades.ts';
import { connectionCounts, type ConnectionBounds } from './connection-counts.ts';
import { NAMESPACE } from './frames.ts';
import {
  LIVE_CONNECT_MAX_MS,
  LIVE_HANDSHAKES_OF_CONNECTION_MAX,
  LIVE_MESSAGE_BYTES_MAX,
} from './limits.ts';
import { comesFrom, refuseOrigin } from './origins.ts';
import { boundPackets, type Packets } from './packet-bound.ts';
import { loggedProblems, refusal, refuseConnection } from './refusals.ts';
import { sender, type Sending } from './sender.ts';
import type { Line, Serve } from './service.ts';
import type { Ending } from './session.ts';
import { sessionIn, wires, type Carried } from './wires.ts';

export interface LiveListener {
  /** Serves a request of the polling transport. */
  request(request: IncomingMessage, response: ServerResponse): void;
  /** Serves a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends all sessions; resolves when their connections are closed. Idempotent. */
  close(): Promise<void>;
}

export interface LiveListenerParts {
  /**
   * Admits a client by its credential, or throws its refusal. `null`: it cannot be served now; its
   * connection is then closed without an answer, after which a client reconnects.
   */
  readonly admit: (socket: Socket) => Promise<Serve | null>;
  /** Pages that may connect. */
  readonly origins: readonly string[];
  /** The origin of the address that a request is for, if its pages may connect too. */
  readonly ownOrigin?: (request: IncomingMessage) => string;
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly logger: Logger;
  /** Default: those of ./limits.ts. */
  readonly bounds?: Partial<ConnectionBounds> | undefined;
}

/** Engine.IO's connection, with the members that its public types lack. */
interface EngineConnection extends Carried, Packets, Sending {
  once(event: 'close', closed: () => void): unknown;
  close(discard: boolean): unknown;
}

export const liveListener = (parts: LiveListenerParts): LiveListener => {
  const { admit, origins, ownOrigin } = parts;
  const problemOf = loggedProblems(parts.logger);
  const counts = connectionCounts(parts.bounds);
  const sourceOf = sourceIps(parts.trustedProxies);
  const carriers = wires();
  const inner = createServer();
  const io = new Server(inner, {
    path: LIVE_PATH,
    serveClient: false,
    connectTimeout: TIMER_MAX_MS,
    maxHttpBufferSize: LIVE_MESSAGE_BYTES_MAX,
    cors: { origin: [...origins] },
  });
  const buildings = io.of(NAMESPACE);

  /** Connection → the timer that closes it, unless it is being admitted or was. */
  const waiting = new WeakMap<object, NodeJS.Timeout>();
  const stopWaiting = (conn: object) => clearTimeout(waiting.get(conn));
  const awaitHandshake = (conn: Pick<EngineConnection, 'close'>) => {
    stopWaiting(conn);
    const timer = setTimeout(() => conn.close(true), LIVE_CONNECT_MAX_MS);
    waiting.set(conn, timer.unref());
  };

  /** The default namespace always exists, and is refused to everyone. */
  io.use((_socket, next) => next(refusal(new Problem('NOT_FOUND', 'Connect to /buildings.'))));
  /** Connection → number of handshakes: each costs a signature check. */
  const handshakes = new WeakMap<object, number>();
  buildings.use((socket, next) => {
    const { conn } = socket;
    const count = (handshakes.get(conn) ?? 0) + 1;
    handshakes.set(conn, count);
    stopWaiting(conn);
    if (count > LIVE_HANDSHAKES_OF_CONNECTION_MAX) {
      conn.close(true);
      next(refusal(new Problem('RATE_LIMITED', 'Open another connection.')));
      return;
    }
    const decide = async () => {
      const decided = await admit(socket).catch((error: unknown) => refusal(problemOf(error)));
      const serve = typeof decided === 'function' && !counts.admit(conn) ? null : decided;
      if (typeof serve === 'function') {
        stopWaiting(conn);
        socket.data = serve;
        return next();
      }
      if (serve === null) conn.close(true);
      else if (conn.readyState === 'open') awaitHandshake(conn);
      next(serve ?? refusal(new Problem('UNAVAILABLE', 'Connect again.')));
    };
    void decide();
  });
  const endings = new WeakMap<object, (reason: Ending) => void>();
  const lines = new WeakMap<object, Line>();
  io.engine.on('connection', (conn: EngineConnection) => {
    const wire = carriers.of(conn);
    lines.set(conn, { send: sender(conn, wire), wire });
    awaitHandshake(conn);
    conn.once('close', () => {
      stopWaiting(conn);
      carriers.release(conn);
    });
    // Requests that arrive together are all checked before the first of them is counted.
    if (!counts.open(conn, sourceOf(conn.request))) conn.close(true);
    boundPackets(conn, () => {
      endings.get(conn)?.('RATE_LIMITED');
      conn.close(true);
    });
  });
  buildings.on('connection', (socket) => {
    const { conn } = socket;
    endings.set(conn, (socket.data as Serve)(socket, lines.get(conn)!));
    // Without a session it would keep the place of a client.
    socket.once('disconnect', () => conn.close());
  });

  const isListed = (request: IncomingMessage) =>
    comesFrom(request, ownOrigin ? [...origins, ownOrigin(request)] : origins);
  const refusalOf = (request: IncomingMessage) =>
    sessionIn(request) === null ? counts.refusal(sourceOf(request)) : null;

  const close = async () => {
    await io.close();
    await carriers.closed();
  };
  let closing: Promise<void> | undefined;

  return {
    request(request, response) {
      if (!isListed(request)) return refuseOrigin(response);
      const problem = refusalOf(request);
      if (problem) refuseConnection(response, problem);
      else inner.emit('request', request, response);
    },

    upgrade(request, socket, head) {
      if (!isListed(request)) return refuseUpgrade(socket, 403);
      if (closing) return refuseUpgrade(socket, 503);
      const problem = refusalOf(request);
      if (problem) return refuseUpgrade(socket, problems[problem.code].status);
      carriers.add(request, socket);
      inner.emit('upgrade', request, socket, head);
    },

    close: () => (closing ??= close()),
  };
};

/** The library's own limit would also count the time that it takes to admit a client. */
const TIMER_MAX_MS = 2 ** 31 - 1;
