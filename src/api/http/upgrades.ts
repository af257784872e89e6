/** Requests for another protocol on the connection. Of these there is one: WebSocket. */
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Whether it takes the connection, which is then its own to serve and to end. */
export type TakeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/** Where the live service is spoken to. Socket.IO's own default. */
export const LIVE_PATH = '/socket.io/';

/**
 * Which requests are upgrades at all; any other is served as if it had not asked, as clients expect
 * that offer HTTP/2 with every request.
 */
export const isUpgrade = ({ headers, url = '' }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && url.startsWith(LIVE_PATH);

/** Offers each upgrade to the takers in their order; what nobody takes is a 404. */
export const takeUpgrades = (server: Server, takers: readonly TakeUpgrade[]): void => {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Whoever takes it listens himself; until then a lost connection must not end the process.
    socket.on('error', () => socket.destroy());
    if (!takers.some((take) => take(request, socket, head))) refuseUpgrade(socket, 404);
  });
};

/** Answers with the bare status, and ends the connection. */
export const refuseUpgrade = (socket: Duplex, status: number): void => {
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  socket.end(`${head}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
};
