/** The live service: Socket.IO over the platform's own listener. contract.md section 8. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server, type ExtendedError, type Socket } from 'socket.io';
import type { LogReader } from '../../engine/consumers/log-reader.ts';
import type { Graph } from '../../building/graph/graph.ts';
import {
  LIVE_CONNECT_MAX_MS,
  LIVE_CONNECTIONS_MAX,
  LIVE_CONNECTIONS_OF_CALLER_MAX,
  LIVE_CONNECTIONS_OF_ORGANISATION_MAX,
  LIVE_HANDSHAKES_OF_CONNECTION_MAX,
  LIVE_KEY_CHECK_MS,
  LIVE_SESSION_CHECK_MS,
  LIVE_MESSAGE_BYTES_MAX,
  LIVE_REPLAY_WAIT_MS,
  LIVE_REPLAYS_MAX,
  LIVE_REPLAYS_OF_ORGANISATION_MAX,
  LIVE_ROOMS_OF_CONNECTION_MAX,
} from './limits.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { LiveMetrics } from './metrics.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import { fairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import type { AuthenticationParts } from '../sessions/authenticate.ts';
import { problemOf } from '../http/errors.ts';
import { Problem, problems } from '../http/problems.ts';
import { LIVE_PATH, refuseUpgrade } from '../http/upgrades.ts';
import { listeningOf, type Handshake, type Listening } from './credentials.ts';
import { liveFollower } from './follower.ts';
import { joining } from './joining.ts';
import { comesFrom, refuseRequest } from './origins.ts';
import { NAMESPACE } from './frames.ts';
import { boundPackets, type Packets } from './packet-bound.ts';
import { rooms as roomsOf } from './rooms.ts';
import { sender, type Send, type Sending } from './sender.ts';
import { serveSession, type Ending } from './session.ts';
import { sessionIn, wires, type Carried } from './wires.ts';

export interface LiveServer {
  /** Serves a request of the polling transport. */
  request(request: IncomingMessage, response: ServerResponse): void;
  /** Serves a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends all sessions; resolves when their connections are closed. Idempotent. */
  close(): Promise<void>;
}

export interface LiveServerParts extends AuthenticationParts {
  readonly log: EventStore;
  readonly reader: LogReader;
  readonly graph: Pick<Graph, 'building'>;
  readonly origins: readonly string[];
  readonly metrics: LiveMetrics;
  readonly logger: Logger;
  /** The log's timeline in positions; `null`, the default: none. */
  readonly timeline?: () => Promise<string | null>;
  /** Default: those of src/limits.ts. */
  readonly bounds?: Partial<LiveBounds>;
}

export interface LiveBounds {
  readonly connectionsOfCallerMax: number;
  readonly connectionsOfOrganisationMax: number;
  readonly connectionsMax: number;
  readonly roomsOfConnectionMax: number;
  readonly keyCheckMs: number;
  readonly sessionCheckMs: number;
}

const boundsByDefault: LiveBounds = {
  connectionsOfCallerMax: LIVE_CONNECTIONS_OF_CALLER_MAX,
  connectionsOfOrganisationMax: LIVE_CONNECTIONS_OF_ORGANISATION_MAX,
  connectionsMax: LIVE_CONNECTIONS_MAX,
  roomsOfConnectionMax: LIVE_ROOMS_OF_CONNECTION_MAX,
  keyCheckMs: LIVE_KEY_CHECK_MS,
  sessionCheckMs: LIVE_SESSION_CHECK_MS,
};

/** Engine.IO's connection, with the members that its public types lack. */
interface EngineConnection extends Carried, Packets, Sending {
  once(event: 'close', closed: () => void): unknown;
  close(discard: boolean): unknown;
}

/** Has no listener: the platform's listener passes on its requests. */
export const liveServer = (parts: LiveServerParts): LiveServer => {
  const { log, reader, graph, origins, metrics, logger } = parts;
  const bounds = { ...boundsByDefault, ...parts.bounds };
  const ending = new AbortController();
  const carriers = wires();
  const inner = createServer();
  const io = new Server(inner, {
    path: LIVE_PATH,
    serveClient: false,
    connectTimeout: LIVE_CONNECT_MAX_MS,
    maxHttpBufferSize: LIVE_MESSAGE_BYTES_MAX,
    cors: { origin: [...origins] },
  });
  const buildings = io.of(NAMESPACE);
  const rooms = roomsOf(metrics);
  const follower = liveFollower({
    log,
    reader,
    logger,
    hasListeners: rooms.has,
    broadcast: rooms.broadcast,
    signal: ending.signal,
    ...(parts.timeline ? { timeline: parts.timeline } : {}),
  });
  const replays = fairSemaphore({
    ofCaller: LIVE_REPLAYS_OF_ORGANISATION_MAX,
    ofOrganisation: LIVE_REPLAYS_OF_ORGANISATION_MAX,
    inAll: LIVE_REPLAYS_MAX,
    waitMs: LIVE_REPLAY_WAIT_MS,
  });
  const held = fairSemaphore({
    ofCaller: bounds.connectionsOfCallerMax,
    ofOrganisation: bounds.connectionsOfOrganisationMax,
    inAll: bounds.connectionsMax,
  });
  const { roomsOfConnectionMax } = bounds;
  const joins = joining({ log, graph, follower, rooms, replays, roomsOfConnectionMax });
  metrics.standing(() => ({ connections: buildings.sockets.size, rooms: rooms.count() }));

  const loggedProblem = (error: unknown): Problem => {
    const problem = problemOf(error);
    const { status } = problems[problem.code];
    if (status === 500) logger.error({ err: error }, 'a request of the live service failed');
    else if (status === 503) logger.warn({ err: error }, 'the live service could not answer');
    return problem;
  };

  /** Stores the credential in `socket.data`. */
  const admit = async (socket: Socket): Promise<void> => {
    const handshake = handshakeOf(socket);
    const listening = await listeningOf(handshake, parts);
    const { expiresAt, organisation, actor } = listening.caller;
    // The check of requests tolerates clock skew; here a session would end as soon as it begins.
    if (expiresAt !== undefined && expiresAt <= systemClock.now())
      throw new Problem('UNAUTHENTICATED', 'The token has expired.');
    const release = await held.acquire({ organisation, caller: actor.id });
    const left = () => {
      socket.conn.off('close', left);
      release();
    };
    socket.once('disconnect', left);
    socket.conn.once('close', left);
    if (socket.conn.readyState !== 'open') left();
    socket.data = listening;
  };

  /** The default namespace always exists, and is refused to everyone. */
  io.use((_socket, next) => next(refusal(new Problem('NOT_FOUND', 'Connect to /buildings.'))));
  /** Connection → number of handshakes: each costs a signature check. */
  const handshakes = new WeakMap<object, number>();
  buildings.use((socket, next) => {
    const { conn } = socket;
    const count = (handshakes.get(conn) ?? 0) + 1;
    handshakes.set(conn, count);
    if (count > LIVE_HANDSHAKES_OF_CONNECTION_MAX) {
      conn.close(true);
      next(refusal(new Problem('RATE_LIMITED', 'Open another connection.')));
      return;
    }
    const decide = async () => {
      const refused = await admit(socket).catch((error: unknown) => refusal(loggedProblem(error)));
      if (refused) next(refused);
      else next();
    };
    void decide();
  });
  const endings = new WeakMap<object, (reason: Ending) => void>();
  const lines = new WeakMap<object, { readonly send: Send; readonly wire: Duplex | undefined }>();
  io.engine.on('connection', (conn: EngineConnection) => {
    const wire = carriers.of(conn);
    lines.set(conn, { send: sender(conn, wire), wire });
    conn.once('close', () => carriers.release(conn));
    boundPackets(conn, () => {
      endings.get(conn)?.('RATE_LIMITED');
      conn.close(true);
    });
  });
  buildings.on('connection', (socket) => {
    const end = serveSession(socket, socket.data as Listening, {
      joining: joins,
      metrics,
      codeOf: (error) => loggedProblem(error).code,
      checkAgain: () => listeningOf(handshakeOf(socket), parts),
      now: () => Date.parse(systemClock.now()),
      checkMs: { 'as key': bounds.keyCheckMs, 'as session': bounds.sessionCheckMs },
      ...lines.get(socket.conn)!,
    });
    endings.set(socket.conn, end);
  });

  const isFull = (request: IncomingMessage) =>
    io.engine.clientsCount >= bounds.connectionsMax && sessionIn(request) === null;

  const close = async () => {
    ending.abort();
    // Closes the transport only: after a disconnect packet, a client would not reconnect.
    await io.close();
    await carriers.closed();
  };
  let closing: Promise<void> | undefined;

  return {
    request(request, response) {
      if (!comesFrom(request, origins)) refuseRequest(response, 403);
      else if (isFull(request)) refuseRequest(response, 503);
      else inner.emit('request', request, response);
    },

    upgrade(request, socket, head) {
      if (!comesFrom(request, origins)) return refuseUpgrade(socket, 403);
      if (isFull(request) || closing) return refuseUpgrade(socket, 503);
      carriers.add(request, socket);
      inner.emit('upgrade', request, socket, head);
    },

    close: () => (closing ??= close()),
  };
};

const handshakeOf = ({ handshake }: Socket): Handshake => ({
  token: handshake.auth['token'],
  headers: handshake.headers,
  sourceIp: handshake.address,
});

/** The client's `connect_error`. */
const refusal = ({ code, message }: Problem): ExtendedError =>
  Object.assign(new Error(code), { data: { code, detail: message } });
