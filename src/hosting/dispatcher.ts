/** Requests to the addresses of sandboxes, by their Host header. contract.md section 4. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { v7 as newId } from 'uuid';
import { Problem, problemBody } from '../api/http/problems.ts';
import type { TakeRequest } from '../api/http/server.ts';
import { refuseUpgrade, type TakeUpgrade } from '../api/http/upgrades.ts';
import { isMissingTable, isUnreachable } from '../db/errors.ts';
import { LogUnavailable } from '../store/event-store.ts';
import type { SandboxView } from '../domain/sandbox/view.ts';
import { SANDBOX_POLL_S } from '../limits.ts';
import type { Logger } from '../ops/logging.ts';
import type { Awake, Used } from './awake.ts';
import type { LoopShare } from './loop-share.ts';
import { PASSED_ON, type PassOn } from './pass-on.ts';

export interface DispatcherParts {
  /** `sandbox.localhost:4000`; its port is not looked at. */
  readonly sandboxHost: string;
  /** The sandbox at an address; `null` if there is none. */
  readonly find: (slug: string) => Promise<SandboxView | null>;
  readonly awake: Pick<Awake, 'use'>;
  /** What a sandbox that is awake here may use of the event loop; `null`: it is not. */
  readonly shareOf: (slug: string) => LoopShare | null;
  readonly passOn: Pick<PassOn, 'request' | 'upgrade'>;
  readonly logger: Logger;
}

export interface Dispatcher {
  readonly takeRequest: TakeRequest;
  readonly takeUpgrade: TakeUpgrade;
}

/** Takes all that is for an address below the sandbox host, whether or not there is a sandbox. */
export const dispatcher = (parts: DispatcherParts): Dispatcher => {
  const { sandboxHost, find, awake, shareOf, passOn, logger } = parts;
  const slugOf = slugsBelow(sandboxHost);

  const problemOf = (error: unknown, slug: string): Refusal => {
    const away = isUnreachable(error) || isMissingTable(error) || error instanceof LogUnavailable;
    logger[away ? 'warn' : 'error']({ err: error, slug }, 'a sandbox could not be woken');
    const problem = away
      ? new Problem('UNAVAILABLE', 'The database of the sandbox cannot be reached.')
      : new Problem('INTERNAL', 'bug');
    return { problem, status: away ? 503 : 500 };
  };

  /** Before anything is asked: a refusal must cost next to nothing. */
  const overdrawn = (slug: string): Refusal | null => {
    const ms = shareOf(slug)?.overdrawnMs() ?? 0;
    if (ms === 0) return null;
    const detail = 'This sandbox has used its share of the server. Send less at once.';
    const problem = new Problem('RATE_LIMITED', detail);
    return { problem, status: 429, retryAfterS: Math.ceil(ms / 1_000) };
  };

  /** The sandbox, held until `release`; or the process where it is; or why there is none. */
  const open = async (
    slug: string,
    { headers }: IncomingMessage,
  ): Promise<Used | Host | Refusal> => {
    const sandbox = await find(slug);
    if (!sandbox) {
      return {
        problem: new Problem('NOT_FOUND', 'There is nothing at this address.'),
        status: 404,
      };
    }
    if (sandbox.status !== 'ready') {
      const detail = `This sandbox is ${sandbox.status}.`;
      return { problem: new Problem('SANDBOX_NOT_READY', detail), status: 503 };
    }
    const found = await awake.use(sandbox);
    if (!('address' in found)) return found;
    const { address } = found;
    // What was passed on already comes from a process that knew less, or is changing hands.
    if (address !== null && !(PASSED_ON in headers)) return { address };
    return unreached;
  };

  const away = (slug: string, error: Error): Refusal => {
    logger.warn({ err: error, slug }, 'a request could not be passed on');
    return unreached;
  };

  return {
    takeRequest(request, response) {
      const slug = slugOf(request);
      if (slug === null) return false;
      const serve = (found: Used | Host | Refusal) => {
        if ('problem' in found) return answer(response, found);
        if ('address' in found) {
          const failed = (error: Error) => answer(response, away(slug, error));
          return passOn.request(found.address, request, response, failed);
        }
        response.once('close', found.release);
        // Whoever has gone meanwhile is not told of it again.
        if (response.destroyed) return void response.emit('close');
        shareOf(slug)?.enter();
        found.stack.platform.app.routing(request, response);
      };
      const tooMuch = overdrawn(slug);
      if (tooMuch) {
        answer(response, tooMuch);
        return true;
      }
      open(slug, request)
        .then(serve)
        .catch((error: unknown) => answer(response, problemOf(error, slug)));
      return true;
    },

    takeUpgrade(request, socket, head) {
      const slug = slugOf(request);
      if (slug === null) return false;
      const serve = (found: Used | Host | Refusal) => {
        if ('problem' in found) return refuseUpgrade(socket, found.status);
        if ('address' in found) {
          const failed = (error: Error) => refuseUpgrade(socket, away(slug, error).status);
          return passOn.upgrade(found.address, request, socket, head, failed);
        }
        socket.once('close', found.release);
        if (socket.destroyed) socket.emit('close');
        else if (!found.stack.platform.takeUpgrade(request, socket, head))
          refuseUpgrade(socket, 404);
      };
      const tooMuch = overdrawn(slug);
      if (tooMuch) {
        refuseUpgrade(socket, tooMuch.status);
        return true;
      }
      open(slug, request)
        .then(serve)
        .catch((error: unknown) => refuseUpgrade(socket, problemOf(error, slug).status));
      return true;
    },
  };
};

/** The process that hosts it. */
interface Host {
  readonly address: string;
}

interface Refusal {
  readonly problem: Problem;
  readonly status: 404 | 429 | 500 | 503;
  /** Default {@link SANDBOX_POLL_S} for a 503, and nothing else. */
  readonly retryAfterS?: number;
}

const unreached: Refusal = {
  problem: new Problem('UNAVAILABLE', 'The process that hosts the sandbox cannot be reached.'),
  status: 503,
};

/**
 * In a process that hosts none: what is meant for a sandbox must never be taken for the platform's
 * own, whose routes are the same.
 */
export const refusingSandboxes = (sandboxHost: string): Dispatcher => {
  const slugOf = slugsBelow(sandboxHost);
  const problem = new Problem('NOT_FOUND', 'There is nothing at this address.');
  return {
    takeRequest(request, response) {
      if (slugOf(request) === null) return false;
      answer(response, { problem, status: 404 });
      return true;
    },

    takeUpgrade(request, socket) {
      if (slugOf(request) === null) return false;
      refuseUpgrade(socket, 404);
      return true;
    },
  };
};

/** The slug of the sandbox that a request is for; `null`: it is for none. */
const slugsBelow = (sandboxHost: string) => {
  const domain = `.${hostNameOf(sandboxHost)}`;
  return ({ headers }: IncomingMessage): string | null => {
    const host = hostNameOf(headers.host ?? '');
    return host.endsWith(domain) ? host.slice(0, -domain.length) : null;
  };
};

/** In lower case, without a port and without the dot of a complete name. */
export const hostNameOf = (host: string): string =>
  host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

/** Without the sandbox there is no server of its own that could answer. */
const answer = (response: ServerResponse, { problem, status, ...refusal }: Refusal): void => {
  if (response.headersSent || response.destroyed) return;
  const requestId = newId();
  const body = JSON.stringify({ ...problemBody(problem, requestId), status });
  const { retryAfterS = status === 503 ? SANDBOX_POLL_S : null } = refusal;
  response
    .writeHead(status, {
      'content-type': 'application/problem+json',
      'content-length': Buffer.byteLength(body),
      'x-request-id': requestId,
      ...(retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) }),
    })
    .end(body);
};
