/** Refusals of a client's connection and handshake, and failures of its requests. */
import type { ServerResponse } from 'node:http';
import type { ExtendedError } from 'socket.io';
import type { Logger } from '../../engine/observe/logging.ts';
import { problemOf } from '../http/errors.ts';
import { RETRY_AFTER_S } from '../http/limits.ts';
import { problemBody, problems, type Problem } from '../http/problems.ts';

/** Maps an error to the problem for the client. Failures and bugs are logged. */
export const loggedProblems =
  (logger: Logger) =>
  (error: unknown): Problem => {
    const problem = problemOf(error);
    const { status } = problems[problem.code];
    if (status === 500) logger.error({ err: error }, 'a request of the live service failed');
    else if (status === 503) logger.warn({ err: error }, 'the live service could not answer');
    return problem;
  };

/** The client's `connect_error`. */
export const refusal = ({ code, message }: Problem): ExtendedError =>
  Object.assign(new Error(code), { data: { code, detail: message } });

/** Answers the first request of the polling transport. The response has its request id already. */
export const refuseConnection = (response: ServerResponse, problem: Problem): void => {
  const body = JSON.stringify(problemBody(problem, String(response.getHeader('x-request-id'))));
  response
    .writeHead(problems[problem.code].status, {
      'content-type': 'application/problem+json',
      'content-length': Buffer.byteLength(body),
      'retry-after': String(RETRY_AFTER_S),
    })
    .end(body);
};
