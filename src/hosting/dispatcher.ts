/** Requests to the addresses of sandboxes, by their Host header. contract.md section 4. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { v7 as newId } from 'uuid';
import { Problem, problemBody } from '../api/http/problems.ts';
import type { TakeRequest } from '../api/http/server.ts';
import { isMissingTable, isUnreachable } from '../db/errors.ts';
import { LogUnavailable } from '../store/event-store.ts';
import type { SandboxView } from '../domain/sandbox/view.ts';
import { SANDBOX_POLL_S } from '../limits.ts';
import type { Logger } from '../ops/logging.ts';
import type { Awake } from './awake.ts';

export interface DispatcherParts {
  /** `sandbox.localhost:4000`; its port is not looked at. */
  readonly sandboxHost: string;
  /** The sandbox at an address; `null` if there is none. */
  readonly find: (slug: string) => Promise<SandboxView | null>;
  readonly awake: Pick<Awake, 'use'>;
  readonly logger: Logger;
}

/** Takes every request to an address below the sandbox host, whether or not there is a sandbox. */
export const dispatcher = ({ sandboxHost, find, awake, logger }: DispatcherParts): TakeRequest => {
  const isSandbox = isBelow(sandboxHost);

  const serve = async (
    slug: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const sandbox = await find(slug);
    if (!sandbox) {
      return answer(response, new Problem('NOT_FOUND', 'There is nothing at this address.'), 404);
    }
    if (sandbox.status !== 'ready') {
      const detail = `This sandbox is ${sandbox.status}.`;
      return answer(response, new Problem('SANDBOX_NOT_READY', detail), 503);
    }
    const { stack, release } = await awake.use(sandbox);
    response.once('close', release);
    // Whoever has gone meanwhile is not told of it again.
    if (response.destroyed) response.emit('close');
    else stack.platform.app.routing(request, response);
  };

  return (request, response) => {
    const host = hostNameOf(request.headers.host ?? '');
    if (!isSandbox(host)) return false;
    const slug = host.slice(0, -(hostNameOf(sandboxHost).length + 1));
    serve(slug, request, response).catch((error: unknown) => {
      const away = isUnreachable(error) || isMissingTable(error) || error instanceof LogUnavailable;
      logger[away ? 'warn' : 'error']({ err: error, host }, 'a sandbox could not be woken');
      const problem = away
        ? new Problem('UNAVAILABLE', 'The database of the sandbox cannot be reached.')
        : new Problem('INTERNAL', 'bug');
      answer(response, problem, away ? 503 : 500);
    });
    return true;
  };
};

/**
 * In a process that hosts none: what is meant for a sandbox must never be taken for the platform's
 * own, whose routes are the same.
 */
export const refusingSandboxes = (sandboxHost: string): TakeRequest => {
  const isSandbox = isBelow(sandboxHost);
  return (request, response) => {
    if (!isSandbox(hostNameOf(request.headers.host ?? ''))) return false;
    answer(response, new Problem('NOT_FOUND', 'There is nothing at this address.'), 404);
    return true;
  };
};

const isBelow = (sandboxHost: string) => {
  const domain = `.${hostNameOf(sandboxHost)}`;
  return (host: string): boolean => host.endsWith(domain);
};

/** In lower case, without a port and without the dot of a complete name. */
export const hostNameOf = (host: string): string =>
  host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

/** Without the sandbox there is no server of its own that could answer. */
const answer = (response: ServerResponse, problem: Problem, status: number): void => {
  if (response.headersSent || response.destroyed) return;
  const requestId = newId();
  const body = JSON.stringify({ ...problemBody(problem, requestId), status });
  response
    .writeHead(status, {
      'content-type': 'application/problem+json',
      'content-length': Buffer.byteLength(body),
      'x-request-id': requestId,
      ...(status === 503 ? { 'retry-after': String(SANDBOX_POLL_S) } : {}),
    })
    .end(body);
};
