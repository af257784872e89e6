/**
 * The connections of a server that stops. Node ends those that have been answered and wait for
 * their next request at that very moment, and then looks at none any more: one that never sent
 * anything, as browsers and load balancers keep them ready, one whose request does not get on, or
 * one that becomes idle later would hold up the stop until its client leaves.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { CONNECTION_STOP_WAIT_MS, CONNECTIONS_STOP_MS } from './limits.ts';

export interface ConnectionsParts {
  /** Aborts when whoever asks is to go elsewhere, though the listener is still open. */
  readonly draining: AbortSignal;
}

/**
 * While the server drains, each answer asks for the end of its connection: whoever comes again
 * makes a new one, to a process that a load balancer finds ready. From the beginning of the stop
 * on, ends each connection when its last answer has been sent, and those without a request after
 * {@link CONNECTION_STOP_WAIT_MS}. Whoever has not taken his answer after
 * {@link CONNECTIONS_STOP_MS} is cut off. What has become a WebSocket is left alone.
 */
export const endConnections = (app: FastifyInstance, { draining }: ConnectionsParts): void => {
  const server: Server = app.server;
  /** The answers that are under way on each. */
  const open = new Map<Socket, Set<ServerResponse>>();
  let stopping = false;

  const endIfIdle = (socket: Socket) => {
    if (open.get(socket)?.size === 0) socket.destroySoon();
  };
  const endIdleSoon = (...sockets: readonly Socket[]) => {
    const end = () => sockets.forEach(endIfIdle);
    // What has arrived while this process was busy is read first.
    setTimeout(() => setImmediate(end), CONNECTION_STOP_WAIT_MS).unref();
  };

  server.on('connection', (socket) => {
    open.set(socket, new Set());
    socket.once('close', () => open.delete(socket));
    if (stopping) endIdleSoon(socket);
  });
  server.on('upgrade', (_request, socket: Socket) => open.delete(socket));
  // Before whoever answers at once.
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    const answers = open.get(socket);
    answers?.add(response);
    if (draining.aborted) endAfter(response);
    response.once('close', () => {
      answers?.delete(response);
      if (stopping) endIfIdle(socket);
    });
  });
  const drain = () => {
    for (const answers of open.values()) answers.forEach(endAfter);
  };
  draining.addEventListener('abort', drain, { once: true });

  app.addHook('preClose', async () => {
    drain();
    stopping = true;
    endIdleSoon(...open.keys());
    const cutOff = setTimeout(() => server.closeAllConnections(), CONNECTIONS_STOP_MS).unref();
    server.once('close', () => clearTimeout(cutOff));
  });
};

/** Says so in its header, and Node ends the connection. */
const endAfter = (response: ServerResponse): void => {
  response.shouldKeepAlive = false;
};
