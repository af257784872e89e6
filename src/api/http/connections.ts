/**
 * The connections of a server that stops. Node ends those that have been answered and wait for
 * their next request at that very moment, and then looks at none any more: one that never sent
 * anything, as browsers and load balancers keep them ready, one whose request does not get on, or
 * one that becomes idle later would hold up the stop until its client leaves.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { CONNECTION_STOP_WAIT_MS, CONNECTIONS_STOP_MS } from '../../limits.ts';

/**
 * From the beginning of a stop on, ends each connection when its last answer has been sent, and
 * those without a request after {@link CONNECTION_STOP_WAIT_MS}. Whoever has not taken his answer
 * after {@link CONNECTIONS_STOP_MS} is cut off. What has become a WebSocket is left alone.
 */
export const endConnections = (app: FastifyInstance): void => {
  const server: Server = app.server;
  /** How many requests are under way on each. */
  const open = new Map<Socket, number>();
  let stopping = false;

  const endIfIdle = (socket: Socket) => {
    if (open.get(socket) === 0) socket.destroySoon();
  };
  const endIdleSoon = (...sockets: readonly Socket[]) => {
    const end = () => sockets.forEach(endIfIdle);
    // What has arrived while this process was busy is read first.
    setTimeout(() => setImmediate(end), CONNECTION_STOP_WAIT_MS).unref();
  };

  server.on('connection', (socket) => {
    open.set(socket, 0);
    socket.once('close', () => open.delete(socket));
    if (stopping) endIdleSoon(socket);
  });
  server.on('upgrade', (_request, socket: Socket) => open.delete(socket));
  server.on('request', ({ socket }, response: ServerResponse) => {
    open.set(socket, (open.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = open.get(socket);
      // Of a connection that has ended nothing is left.
      if (left === undefined) return;
      open.set(socket, left - 1);
      if (stopping) endIfIdle(socket);
    });
  });

  app.addHook('preClose', async () => {
    stopping = true;
    endIdleSoon(...open.keys());
    const cutOff = setTimeout(() => server.closeAllConnections(), CONNECTIONS_STOP_MS).unref();
    server.once('close', () => clearTimeout(cutOff));
  });
  app.addHook('onSend', async (_request, reply) => {
    if (stopping) void reply.header('connection', 'close');
  });
};
