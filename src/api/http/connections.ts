/**
 * The connections of a stopping server. Node ends only connections that are idle at the moment of
 * the stop. Others would hold up the stop until their client leaves: a connection that never sent a
 * request, as browsers and load balancers keep in reserve, one whose request stalls, and one that
 * becomes idle later.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { CONNECTION_STOP_WAIT_MS, CONNECTIONS_STOP_MS } from './limits.ts';

export interface ConnectionsParts {
  /** Aborts when clients should use another process, although the listener is still open. */
  readonly draining: AbortSignal;
}

/**
 * The answers of a connection that have not been sent, in the order of their requests. Only of
 * servers with {@link endConnections}.
 */
export const pendingAnswers = (socket: Connection): ReadonlySet<ServerResponse> =>
  socket[PENDING] ?? NONE;

const PENDING = Symbol('pending answers');

type Connection = Socket & { [PENDING]?: Set<ServerResponse> };

const NONE: ReadonlySet<ServerResponse> = new Set();

/**
 * While the server drains, each answer closes its connection, so that the client's next one goes to
 * a process that a load balancer finds ready. From the beginning of the stop, each connection is
 * ended after its last answer, and one without a request after {@link CONNECTION_STOP_WAIT_MS}. A
 * client that has not read its answer after {@link CONNECTIONS_STOP_MS} is cut off. WebSockets are
 * left alone.
 */
export const endConnections = (app: FastifyInstance, { draining }: ConnectionsParts): void => {
  const server: Server = app.server;
  const open = new Set<Connection>();
  let stopping = false;

  const endIfIdle = (socket: Connection) => {
    if (open.has(socket) && pendingAnswers(socket).size === 0) socket.destroySoon();
  };
  const endIdleSoon = (...sockets: readonly Connection[]) => {
    const end = () => sockets.forEach(endIfIdle);
    // First reads requests that arrived while this process was busy.
    setTimeout(() => setImmediate(end), CONNECTION_STOP_WAIT_MS).unref();
  };

  server.on('connection', (socket: Connection) => {
    socket[PENDING] = new Set();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (stopping) endIdleSoon(socket);
  });
  server.on('upgrade', (_request, socket: Connection) => open.delete(socket));
  // Prepended, because other listeners may answer synchronously.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const socket: Connection = request.socket;
    const answers = socket[PENDING];
    answers?.add(response);
    if (draining.aborted) endAfter(response);
    response.once('close', () => {
      answers?.delete(response);
      if (stopping) endIfIdle(socket);
    });
  });
  const drain = () => {
    for (const socket of open) pendingAnswers(socket).forEach(endAfter);
  };
  draining.addEventListener('abort', drain, { once: true });

  app.addHook('preClose', async () => {
    drain();
    stopping = true;
    endIdleSoon(...open);
    const cutOff = setTimeout(() => server.closeAllConnections(), CONNECTIONS_STOP_MS).unref();
    server.once('close', () => clearTimeout(cutOff));
  });
};

/** An answer whose head has not been sent ends its connection. */
export const endAfter = (response: ServerResponse): void => {
  response.shouldKeepAlive = false;
};
