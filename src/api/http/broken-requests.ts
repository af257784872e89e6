/** Answers input that is no valid request with a problem and an id. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { timeOrderedId } from '../../engine/time/time-ordered-id.ts';
import { commonHeaders } from './common-headers.ts';
import { endAfter, pendingAnswers } from './connections.ts';
import { hasWaited } from './pipelining.ts';
import { Problem, problemBody, type ProblemCode } from './problems.ts';
import { isLongRequest } from './upload.ts';

/** Input that does not parse as HTTP, or has not arrived in time. */
export const brokenRequest = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === LATE && (isLongRequest(socket) || hasWaited(socket))) return;
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const pending = [...pendingAnswers(socket)];
  const last = pending.findLast(({ req }) => req.complete);
  // Requests before the broken one are answered, and none of them with its error.
  if (last?.headersSent === false) return endAfter(last);
  const begun = pending.find(({ headersSent }) => headersSent);
  if (begun) return begun.writableEnded ? socket.destroySoon() : void socket.destroy();
  const [line, detail, code] = answers[error.code ?? ''] ?? notHttp;
  const requestId = timeOrderedId();
  const body = bodyOf(line, detail, code, requestId);
  socket.write(
    `HTTP/1.1 ${line}\r\ncontent-type: application/problem+json\r\nconnection: close\r\n` +
      `x-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  // A half-closed connection would still run its request, and last as long as its client likes.
  socket.destroySoon();
};

const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Answers a request that has not arrived in time. */
export const lateRequest = (socket: Socket): void =>
  brokenRequest(Object.assign(new Error('late'), { code: LATE }), socket);

type Answer = readonly [line: string, detail: string, code: ProblemCode];

/** By the code of the error. */
const answers: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The request line and the headers are larger than 16 KiB.',
    'HEADERS_TOO_LARGE',
  ],
  [LATE]: ['408 Request Timeout', 'The request did not arrive in time.', 'VALIDATION_FAILED'],
};

const notHttp: Answer = ['400 Bad Request', 'This is not valid HTTP.', 'VALIDATION_FAILED'];

/** An `Expect` that is not `100-continue`. */
export const expectationRefusal =
  (corsOrigins: readonly string[]) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const { requestId, headers } = commonHeaders(request.headers, corsOrigins);
    const detail = 'The only expectation that this server supports is 100-continue.';
    const body = bodyOf('417', detail, 'VALIDATION_FAILED', requestId);
    response.writeHead(417, { 'content-type': 'application/problem+json', ...headers }).end(body);
  };

const bodyOf = (line: string, detail: string, code: ProblemCode, requestId: string): string => {
  const status = Number.parseInt(line, 10);
  return JSON.stringify({ ...problemBody(new Problem(code, detail), requestId), status });
};
