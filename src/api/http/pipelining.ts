/** Requests sent before the answers to earlier ones have arrived. RFC 9112, section 9.3.2. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pendingAnswers } from './connections.ts';
import { PIPELINED_MAX, PIPELINED_WAITING_MAX, REQUEST_RECEIVE_TIMEOUT_MS } from './limits.ts';

export interface TurnParts {
  /** Called for a request that has not arrived completely in time after its turn came. */
  readonly late: (socket: Socket) => void;
  /** Default {@link REQUEST_RECEIVE_TIMEOUT_MS}. */
  readonly receiveMaxMs?: number;
}

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Runs `listener` for one request of a connection at a time, in their order: otherwise one
 * connection could occupy the server, and commands could overtake each other. A request whose
 * connection has closed before its turn is not run. Beyond {@link PIPELINED_WAITING_MAX} waiting
 * requests the connection is not read; one that has sent {@link PIPELINED_MAX} by then is cut.
 */
export const inTurn =
  (listener: RequestListener, parts: TurnParts): RequestListener =>
  (request, response) => {
    // Node gives an answer its socket once the answers before it have been sent.
    if (response.socket === null) waitForTurn(request, response, listener, parts);
    else listener(request, response);
  };

/** Whether the request that the connection is receiving waits for its turn, or has waited. */
export const hasWaited = (socket: Connection): boolean => socket[WAITED]?.complete === false;

const WAITED = Symbol('a request that has waited for its turn');

type Connection = Socket & { [WAITED]?: IncomingMessage | null };

const waitForTurn = (
  request: IncomingMessage,
  response: ServerResponse,
  listener: RequestListener,
  { late, receiveMaxMs = REQUEST_RECEIVE_TIMEOUT_MS }: TurnParts,
): void => {
  const socket: Connection = request.socket;
  if (pendingAnswers(socket).size > PIPELINED_MAX) socket.destroy();
  if (socket.destroyed) return;
  const isFull = () => pendingAnswers(socket).size > PIPELINED_WAITING_MAX;
  const pauseIfFull = () => {
    if (isFull()) socket.pause();
  };
  // Node resumes the socket with each progress of an answer.
  if (!(WAITED in socket)) socket.on('resume', pauseIfFull);
  socket[WAITED] = request;
  // The parser resumes the socket after each request of the chunk that it is reading.
  if (isFull()) process.nextTick(pauseIfFull);

  const receiveInTime = () => {
    const timer = setTimeout(() => {
      if (request.complete) return;
      socket[WAITED] = null;
      late(socket);
    }, receiveMaxMs).unref();
    request.once('close', () => clearTimeout(timer));
  };
  const begin = () => {
    if (socket.destroyed) return;
    if (!isFull()) socket.resume();
    if (!request.complete) receiveInTime();
    listener(request, response);
  };
  // In another turn of the event loop, so that other connections have theirs.
  response.once('socket', () => setImmediate(begin));
};
