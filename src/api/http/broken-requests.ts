/** Answers input that is no valid request with a problem and an id. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { Problem, problemBody, type ProblemCode } from './problems.ts';
import { isLongRequest } from './upload.ts';

/** Input that does not parse as HTTP, or has not arrived in time. */
export const brokenRequest = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isLongRequest(socket)) return;
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const { line, requestId, body } = answerOf(...(answers[error.code ?? ''] ?? notHttp));
  socket.end(
    `HTTP/1.1 ${line}\r\ncontent-type: application/problem+json\r\nconnection: close\r\n` +
      `x-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
};

type Answer = readonly [line: string, detail: string, code?: ProblemCode];

/** By the code of the error. */
const answers: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The request line and the headers are larger than 16 KiB.',
    'HEADERS_TOO_LARGE',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};

const notHttp: Answer = ['400 Bad Request', 'This is not valid HTTP.'];

/** An `Expect` that is not `100-continue`. */
export const refuseExpectation = (_: IncomingMessage, response: ServerResponse): void => {
  const { requestId, body } = answerOf(
    '417 Expectation Failed',
    'The only expectation that this server supports is 100-continue.',
  );
  response
    .writeHead(417, { 'content-type': 'application/problem+json', 'x-request-id': requestId })
    .end(body);
};

const answerOf = (line: string, detail: string, code: ProblemCode = 'VALIDATION_FAILED') => {
  const requestId = uuidv7();
  const status = Number.parseInt(line, 10);
  const body = JSON.stringify({ ...problemBody(new Problem(code, detail), requestId), status });
  return { line, requestId, body };
};
