/** The live service: Socket.IO over the platform's own listener. contract.md section 8. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server, type ExtendedError, type Namespace, type Socket } from 'socket.io';
import type { LogReader } from '../../consumers/log-reader.ts';
import type { Graph } from '../../graph/graph.ts';
import {
  LIVE_CLOSE_WAIT_MS,
  LIVE_CONNECT_MAX_MS,
  LIVE_CONNECTIONS_MAX,
  LIVE_CONNECTIONS_OF_CALLER_MAX,
  LIVE_CONNECTIONS_OF_ORGANISATION_MAX,
  LIVE_MESSAGE_BYTES_MAX,
  LIVE_REPLAY_WAIT_MS,
  LIVE_REPLAYS_MAX,
  LIVE_REPLAYS_OF_ORGANISATION_MAX,
} from '../../limits.ts';
import { systemClock } from '../../ops/clock.ts';
import type { LiveMetrics } from '../../ops/live-metrics.ts';
import type { Logger } from '../../ops/logging.ts';
import { places } from '../../ops/places.ts';
import type { EventStore } from '../../store/event-store.ts';
import type { AuthenticationParts } from '../auth/authenticate.ts';
import { problemOf } from '../http/errors.ts';
import { Problem, problems } from '../http/problems.ts';
import { LIVE_PATH, refuseUpgrade } from '../http/upgrades.ts';
import { listeningOf, type Handshake, type Listening } from './credentials.ts';
import { liveFollower } from './follower.ts';
import { joining } from './joining.ts';
import { comesFrom, refuseRequest } from './origins.ts';
import { rooms as roomsOf, type Broadcast } from './rooms.ts';
import { groupOf, serveSession } from './session.ts';

export interface LiveServer {
  /** Serves a request of the polling transport. */
  request(request: IncomingMessage, response: ServerResponse): void;
  /** Serves a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Ends all sessions; resolves when their connections are closed. Twice is once. */
  close(): Promise<void>;
}

export interface LiveServerParts extends AuthenticationParts {
  readonly log: EventStore;
  readonly reader: LogReader;
  readonly graph: Pick<Graph, 'building'>;
  readonly origins: readonly string[];
  readonly metrics: LiveMetrics;
  readonly logger: Logger;
}

/** Nothing of it listens: the platform's listener hands over what is for it. */
export const liveServer = (parts: LiveServerParts): LiveServer => {
  const { log, reader, graph, origins, metrics, logger } = parts;
  const ending = new AbortController();
  const connections = new Set<Duplex>();
  const inner = createServer();
  const io = new Server(inner, {
    path: LIVE_PATH,
    serveClient: false,
    connectTimeout: LIVE_CONNECT_MAX_MS,
    maxHttpBufferSize: LIVE_MESSAGE_BYTES_MAX,
    cors: { origin: [...origins] },
  });
  const buildings = io.of('/buildings');
  const rooms = roomsOf(broadcastIn(buildings), metrics);
  const follower = liveFollower({
    log,
    reader,
    logger,
    isWanted: rooms.has,
    tell: rooms.tell,
    signal: ending.signal,
  });
  const replays = places({
    ofCaller: LIVE_REPLAYS_OF_ORGANISATION_MAX,
    ofOrganisation: LIVE_REPLAYS_OF_ORGANISATION_MAX,
    inAll: LIVE_REPLAYS_MAX,
    waitMs: LIVE_REPLAY_WAIT_MS,
  });
  const held = places({
    ofCaller: LIVE_CONNECTIONS_OF_CALLER_MAX,
    ofOrganisation: LIVE_CONNECTIONS_OF_ORGANISATION_MAX,
    inAll: LIVE_CONNECTIONS_MAX,
  });
  const joins = joining({ log, graph, follower, rooms, replays });
  metrics.standing(() => ({ connections: buildings.sockets.size, rooms: rooms.count() }));

  const told = (error: unknown): Problem => {
    const problem = problemOf(error);
    const { status } = problems[problem.code];
    if (status === 500) logger.error({ err: error }, 'a request of the live service failed');
    else if (status === 503) logger.warn({ err: error }, 'the live service could not answer');
    return problem;
  };

  /** Its credential is then in `socket.data`. */
  const admit = async (socket: Socket): Promise<void> => {
    const handshake = handshakeOf(socket);
    const listening = await listeningOf(handshake, parts);
    const { expiresAt, organisation, actor } = listening.caller;
    // The check of requests bears clocks that differ; a session would end as soon as it begins.
    if (expiresAt !== undefined && expiresAt <= systemClock.now())
      throw new Problem('UNAUTHENTICATED', 'The token has expired.');
    const release = await held.take({ organisation, caller: actor.id });
    socket.once('disconnect', release);
    socket.conn.once('close', release);
    if (socket.conn.readyState !== 'open') release();
    socket.data = listening;
  };

  /** It is there for every client that names no namespace, and for nobody. */
  io.use((_socket, next) => next(refusal(new Problem('NOT_FOUND', 'Connect to /buildings.'))));
  buildings.use((socket, next) => {
    const decide = async () => {
      const refused = await admit(socket).catch((error: unknown) => refusal(told(error)));
      if (refused) next(refused);
      else next();
    };
    void decide();
  });
  buildings.on('connection', (socket) => {
    serveSession(socket, socket.data as Listening, {
      joining: joins,
      metrics,
      codeOf: (error) => told(error).code,
      checkAgain: () => listeningOf(handshakeOf(socket), parts),
      now: () => Date.parse(systemClock.now()),
    });
  });

  const isFull = ({ url = '' }: IncomingMessage) =>
    io.engine.clientsCount >= LIVE_CONNECTIONS_MAX && !url.includes('sid=');

  const close = async () => {
    ending.abort();
    buildings.disconnectSockets(true);
    await io.close();
    const closed = Promise.all(
      [...connections].map((socket) => new Promise((done) => socket.once('close', done))),
    );
    const cutOff = setTimeout(() => {
      for (const socket of connections) socket.destroy();
    }, LIVE_CLOSE_WAIT_MS);
    await closed;
    clearTimeout(cutOff);
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
      connections.add(socket);
      socket.once('close', () => connections.delete(socket));
      inner.emit('upgrade', request, socket, head);
    },

    close: () => (closing ??= close()),
  };
};

const broadcastIn =
  (buildings: Namespace): Broadcast =>
  (buildingId, except, { event, body }, position) => {
    const all = buildings.local.to(groupOf(buildingId));
    (except.length === 0 ? all : all.except([...except])).emit(event, body, position);
  };

const handshakeOf = ({ handshake }: Socket): Handshake => ({
  token: handshake.auth['token'],
  authorization: handshake.headers.authorization,
  sourceIp: handshake.address,
  userAgent: handshake.headers['user-agent'],
});

/** What a client finds in `connect_error`. */
const refusal = ({ code, message }: Problem): ExtendedError =>
  Object.assign(new Error(code), { data: { code, detail: message } });
