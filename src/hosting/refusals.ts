/** Refusals at the addresses of sandboxes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { commonHeaders } from '../api/http/common-headers.ts';
import { Problem, problemBody, problems } from '../api/http/problems.ts';
import { SANDBOX_POLL_S } from '../domain/sandboxes/limits.ts';

export interface Refusal {
  readonly problem: Problem;
  /** Default: the problem's own. */
  readonly status?: number;
  /** Default {@link SANDBOX_POLL_S} for a 503, and nothing else. */
  readonly retryAfterS?: number;
}

export const statusOf = ({ problem, status }: Refusal): number =>
  status ?? problems[problem.code].status;

export type AnswerRefusal = (
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
) => RefusalSent | null;

/** `null` if the response had begun or ended. */
export interface RefusalSent {
  readonly status: number;
  readonly requestId: string;
}

/**
 * @param corsOrigins Pages of these origins can read the answer, and sign in again after a 401.
 */
export const refusalAnswers =
  (corsOrigins: readonly string[]): AnswerRefusal =>
  (request, response, refusal) => {
    if (response.headersSent || response.destroyed) return null;
    const status = statusOf(refusal);
    const { requestId, headers } = commonHeaders(request.headers, corsOrigins);
    const body = JSON.stringify({ ...problemBody(refusal.problem, requestId), status });
    const { retryAfterS = status === 503 ? SANDBOX_POLL_S : null } = refusal;
    response
      .writeHead(status, {
        ...headers,
        'content-type': 'application/problem+json',
        'content-length': Buffer.byteLength(body),
        ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
        ...(retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) }),
      })
      .end(body);
    return { status, requestId };
  };
