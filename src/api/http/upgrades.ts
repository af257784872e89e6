/** Upgrade requests; WebSocket is the only protocol. */
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { pendingAnswers } from './connections.ts';
import { RETRY_AFTER_S } from './limits.ts';
import { originForm } from './origin-form.ts';

/** Whether it accepts the connection, which it then serves and ends. */
export type TakeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/** The path of the live service. Socket.IO's own default. */
export const LIVE_PATH = '/socket.io/';

/**
 * Under this path of the main host, pages call a sandbox by its slug with the credential of their
 * session: a page has no token that it could send to the sandbox's own host.
 */
export const SANDBOX_PASSAGE = '/session/sandboxes/';

const PASSED_LIVE = new RegExp(`^${SANDBOX_PASSAGE}[^/?]+${LIVE_PATH}`);

/**
 * Which requests are upgrades; any other is served normally, because some clients offer HTTP/2 with
 * every request. After an upgrade, answers to earlier requests would be written into its stream.
 */
export const isUpgrade = ({ headers, url = '', socket }: IncomingMessage): boolean => {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return false;
  const path = originForm(url);
  const isLive = path.startsWith(LIVE_PATH) || PASSED_LIVE.test(path);
  return isLive && pendingAnswers(socket).size === 0;
};

/** Offers each upgrade to the takers in order; an upgrade without a taker is answered 404. */
export const takeUpgrades = (server: Server, takers: readonly TakeUpgrade[]): void => {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A taker adds its own listener; until then a lost connection must not end the process.
    socket.on('error', () => socket.destroy());
    if (!takers.some((take) => take(request, socket, head))) refuseUpgrade(socket, 404);
  });
};

/** Answers without a body, and ends the connection. */
export const refuseUpgrade = (socket: Duplex, status: number): void => {
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  const retry = status === 429 || status === 503 ? `Retry-After: ${RETRY_AFTER_S}\r\n` : '';
  socket.end(`${head}\r\nConnection: close\r\n${retry}Content-Length: 0\r\n\r\n`);
};
