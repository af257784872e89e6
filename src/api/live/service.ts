/** The live service of one platform: its rooms, which follow its log. contract.md section 8. */
import type { Duplex } from 'node:stream';
import type { Socket } from 'socket.io';
import type { Graph } from '../../building/graph/graph.ts';
import { fairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { LogReader } from '../../engine/consumers/log-reader.ts';
import { LogUnavailable, type EventStore } from '../../engine/log/event-store.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { Problem } from '../http/problems.ts';
import type { AuthenticationParts } from '../sessions/authenticate.ts';
import { handshakeOf, listeningOf } from './credentials.ts';
import { liveFollower } from './follower.ts';
import { joining } from './joining.ts';
import {
  LIVE_CONNECTIONS_MAX,
  LIVE_CONNECTIONS_OF_CALLER_MAX,
  LIVE_CONNECTIONS_OF_ORGANISATION_MAX,
  LIVE_KEY_CHECK_MS,
  LIVE_REPLAY_WAIT_MS,
  LIVE_REPLAYS_MAX,
  LIVE_REPLAYS_OF_CALLER_MAX,
  LIVE_REPLAYS_OF_ORGANISATION_MAX,
  LIVE_ROOMS_OF_CONNECTION_MAX,
  LIVE_SESSION_CHECK_MS,
} from './limits.ts';
import type { LiveMetrics } from './metrics.ts';
import { loggedProblems } from './refusals.ts';
import { rooms as roomsOf } from './rooms.ts';
import type { Send } from './sender.ts';
import { serveSession, type Ending } from './session.ts';

/** A client in the namespace of the service. */
export type LiveClient = Socket;

/** Has no listener: one of this platform, or of the process, passes its clients on. */
export interface LiveService {
  /**
   * Admits a client by its credential.
   *
   * @throws The errors of {@link listeningOf}, {@link Problem} and `NoPermit`.
   */
  admit(socket: Socket): Promise<Serve>;
  /** Closes the connections of all clients, and admits no more. Idempotent. */
  close(): void;
}

/** Serves an admitted client once it is connected. Returns what ends its session. */
export type Serve = (socket: Socket, line: Line) => (reason: Ending) => void;

/** The connection of a client, for writes that bypass the library. */
export interface Line {
  readonly send: Send;
  readonly wire: Duplex | undefined;
}

export interface LiveServiceParts extends AuthenticationParts {
  readonly log: EventStore;
  readonly reader: LogReader;
  readonly graph: Pick<Graph, 'building'>;
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

export const liveService = (parts: LiveServiceParts): LiveService => {
  const { log, reader, graph, metrics, logger } = parts;
  const bounds = { ...boundsByDefault, ...parts.bounds };
  const ending = new AbortController();
  const served = new Set<Socket>();
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
    ofCaller: LIVE_REPLAYS_OF_CALLER_MAX,
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
  const problemOf = loggedProblems(logger);
  metrics.standing(() => ({ connections: served.size, rooms: rooms.count() }));

  return {
    async admit(admitted) {
      const listening = await listeningOf(handshakeOf(admitted), parts);
      const { expiresAt, organisation, actor } = listening.caller;
      // The check of requests tolerates clock skew; here a session would end as soon as it begins.
      if (expiresAt !== undefined && expiresAt <= systemClock.now())
        throw new Problem('UNAUTHENTICATED', 'The token has expired.');
      if (ending.signal.aborted) throw new LogUnavailable('the live service is stopping');
      whenGone(admitted, await held.acquire({ organisation, caller: actor.id }));
      return (socket, line) => {
        served.add(socket);
        socket.once('disconnect', () => served.delete(socket));
        // It was closed after the client had been admitted.
        if (ending.signal.aborted) socket.conn.close(true);
        return serveSession(socket, listening, {
          joining: joins,
          metrics,
          codeOf: (error) => problemOf(error).code,
          checkAgain: () => listeningOf(handshakeOf(socket), parts),
          now: () => Date.parse(systemClock.now()),
          checkMs: { 'as key': bounds.keyCheckMs, 'as session': bounds.sessionCheckMs },
          ...line,
        });
      };
    },

    close() {
      ending.abort();
      // Closes the transport only: after a disconnect packet, a client would not reconnect.
      for (const { conn } of served) conn.close(true);
    },
  };
};

/** Calls `left` once the client has left, or its connection is closed before it has joined. */
export const whenGone = (socket: Socket, left: () => void): void => {
  const { conn } = socket;
  const gone = () => {
    socket.off('disconnect', gone);
    conn.off('close', gone);
    left();
  };
  socket.once('disconnect', gone);
  conn.once('close', gone);
  if (conn.readyState !== 'open') gone();
};
