/** Requests to the addresses of sandboxes, by their Host header. contract.md sections 2 and 4. */
import type { IncomingMessage } from 'node:http';
import { invalid, notThere, Problem } from '../api/http/problems.ts';
import type { Answered, TakeRequest } from '../api/http/server.ts';
import { LIVE_PATH, refuseUpgrade, type TakeUpgrade } from '../api/http/upgrades.ts';
import { slugBelow } from '../capabilities/request-address.ts';
import { isMissingTable, isUnreachable } from '../engine/postgres/errors.ts';
import { LogUnavailable } from '../engine/log/event-store.ts';
import type { SandboxView } from '../domain/sandboxes/view.ts';
import type { Logger } from '../engine/observe/logging.ts';
import { addressed } from './addresses.ts';
import { admission, type AdmissionParts } from './admission.ts';
import type { ActiveSandboxes, Used } from './active-sandboxes.ts';
import type { LoopShare } from './loop-share.ts';
import { PROXIED_HEADER, type SandboxProxy } from './proxy.ts';
import { refusalAnswers, statusOf, type Refusal } from './refusals.ts';

export interface AddressParts extends AdmissionParts {
  /** `sandbox.localhost:4000`; its port is ignored. */
  readonly sandboxHost: string;
  /** Pages that may read answers. */
  readonly corsOrigins: readonly string[];
  readonly logger: Logger;
}

export interface DispatcherParts extends AddressParts {
  /** The sandbox at an address; `null` if there is none. */
  readonly find: (slug: string) => Promise<SandboxView | null>;
  readonly active: Pick<ActiveSandboxes, 'use'>;
  /** A sandbox that is active here, as it was opened; `null`: there is none. */
  readonly activeAt: (slug: string) => ActiveSandbox | null;
  readonly proxy: Pick<SandboxProxy, 'request' | 'upgrade'>;
  /** Called after a refusal at an address that this process answered itself. */
  readonly refused: (slug: string, answered: Answered) => void;
}

export interface ActiveSandbox {
  readonly sandbox: SandboxView;
  /** Its share of the event loop. */
  readonly share: LoopShare;
}

export interface Dispatcher {
  readonly takeRequest: TakeRequest;
  readonly takeUpgrade: TakeUpgrade;
}

/**
 * Handles every request for an address below the sandbox host, with or without a sandbox, and every
 * request with a malformed address.
 */
export const dispatcher = (parts: DispatcherParts): Dispatcher => {
  const { find, active, activeAt, proxy, logger } = parts;
  const answer = refusalAnswers(parts.corsOrigins);
  const admitted = admission(parts);
  const addressOf = addresses(parts.sandboxHost);

  const failure = (error: unknown, slug: string): Refusal => {
    const away = isUnreachable(error) || isMissingTable(error) || error instanceof LogUnavailable;
    logger[away ? 'warn' : 'error']({ err: error, slug }, 'a sandbox could not be woken');
    return {
      problem: away
        ? new Problem('UNAVAILABLE', 'The database of the sandbox cannot be reached.')
        : new Problem('INTERNAL', 'bug'),
    };
  };

  /** A refusal that needs no look-up. */
  const refusedAtOnce = (request: IncomingMessage, slug: string): Refusal | null => {
    const problem = opennessOf(request) === 'by credential' && admitted.malformed(request, slug);
    return problem ? { problem } : null;
  };

  /** Must be cheap: neither the list of sandboxes nor the log is asked. */
  const refusedBusy = async (request: IncomingMessage, slug: string): Promise<Refusal | null> => {
    const busy = activeAt(slug);
    const ms = busy?.share.overdrawnMs() ?? 0;
    if (busy === null || ms === 0) return null;
    // Only callers who may use the sandbox learn that it is busy.
    const problem = await admitted.refusal(request, slug, busy.sandbox);
    if (problem) return { problem };
    const detail = 'This sandbox has used up its share of the server. Send fewer requests at once.';
    return {
      problem: new Problem('RATE_LIMITED', detail),
      retryAfterS: Math.ceil(ms / 1_000),
    };
  };

  /** The sandbox, held until `release`; or the process that hosts it; or the refusal. */
  const open = async (
    slug: string,
    request: IncomingMessage,
    what: 'request' | 'connection',
  ): Promise<Used | Host | Refusal> => {
    const busy = await refusedBusy(request, slug);
    if (busy) return busy;
    const sandbox = await find(slug);
    const isReady = sandbox?.status === 'ready';
    if (!isReady || opennessOf(request) === 'by credential') {
      const problem = await admitted.refusal(request, slug, sandbox);
      if (problem) return { problem };
    }
    if (!sandbox) return { problem: notThere() };
    if (!isReady) {
      const detail = `This sandbox is ${sandbox.status}.`;
      return { problem: new Problem('SANDBOX_NOT_READY', detail), status: 503 };
    }
    const found = await active.use(sandbox, what);
    if (!('address' in found)) return found;
    const { address } = found;
    // A second hop would only mean that the other process has older information, or that the
    // sandbox is changing hands.
    if (address !== null && !(PROXIED_HEADER in request.headers)) return { address };
    return unreached;
  };

  const away = (slug: string, error: Error): Refusal => {
    logger.warn({ err: error, slug }, 'a request could not be passed on');
    return unreached;
  };

  return {
    takeRequest(request, response, own) {
      const address = addressOf(request);
      if (address === null) return false;
      if (typeof address !== 'string') {
        answer(request, response, address);
        return true;
      }
      const began = performance.now();
      const refuse = (refusal: Refusal) => {
        const sent = answer(request, response, refusal);
        if (sent === null) return;
        const { method = '' } = request;
        const ms = Math.round((performance.now() - began) * 10) / 10;
        parts.refused(address, { ...sent, method, route: 'unknown', ms, keyId: null });
      };
      if (opennessOf(request) === 'of the platform') {
        own(request, response);
        return true;
      }
      const slug = address;
      const serve = (found: Used | Host | Refusal) => {
        if ('problem' in found) return refuse(found);
        if ('address' in found) {
          const failed = (error: Error) => refuse(away(slug, error));
          return proxy.request(found.address, request, response, failed);
        }
        response.once('close', found.release);
        // A caller that has gone already emits no further event.
        if (response.destroyed) return void response.emit('close');
        activeAt(slug)?.share.enter();
        found.instance.platform.app.routing(request, response);
      };
      const refused = refusedAtOnce(request, slug);
      if (refused) {
        refuse(refused);
        return true;
      }
      open(slug, request, 'request')
        .then(serve)
        .catch((error: unknown) => refuse(failure(error, slug)));
      return true;
    },

    takeUpgrade(request, socket, head) {
      const address = addressOf(request);
      if (address === null) return false;
      if (typeof address !== 'string') {
        refuseUpgrade(socket, statusOf(address));
        return true;
      }
      const slug = address;
      const serve = (found: Used | Host | Refusal) => {
        if ('problem' in found) return refuseUpgrade(socket, statusOf(found));
        if ('address' in found) {
          const failed = (error: Error) => refuseUpgrade(socket, statusOf(away(slug, error)));
          return proxy.upgrade(found.address, request, socket, head, failed);
        }
        socket.once('close', found.release);
        if (socket.destroyed) socket.emit('close');
        else if (!found.instance.platform.takeUpgrade(request, socket, head))
          refuseUpgrade(socket, 404);
      };
      const refused = refusedAtOnce(request, slug);
      if (refused) {
        refuseUpgrade(socket, statusOf(refused));
        return true;
      }
      open(slug, request, 'connection')
        .then(serve)
        .catch((error: unknown) => refuseUpgrade(socket, statusOf(failure(error, slug))));
      return true;
    },
  };
};

/** The process that hosts it. */
interface Host {
  readonly address: string;
}

const unreached: Refusal = {
  problem: new Problem('UNAVAILABLE', 'The process that hosts the sandbox cannot be reached.'),
};

/**
 * For a process that hosts none: a request for a sandbox must never reach the platform's own
 * routes, which are the same.
 */
export const refusingSandboxes = (parts: AddressParts): Dispatcher => {
  const answer = refusalAnswers(parts.corsOrigins);
  const admitted = admission(parts);
  const addressOf = addresses(parts.sandboxHost);

  return {
    takeRequest(request, response, own) {
      const address = addressOf(request);
      if (address === null) return false;
      if (typeof address !== 'string') answer(request, response, address);
      else if (opennessOf(request) === 'of the platform') own(request, response);
      else
        admitted.refusal(request, address, null).then(
          (problem) => answer(request, response, { problem: problem ?? notThere() }),
          (error: unknown) => {
            parts.logger.error({ err: error }, 'request failed');
            answer(request, response, { problem: new Problem('INTERNAL', 'bug') });
          },
        );
      return true;
    },

    takeUpgrade(request, socket) {
      const address = addressOf(request);
      if (address === null) return false;
      refuseUpgrade(socket, typeof address === 'string' ? 404 : statusOf(address));
      return true;
    },
  };
};

/** The slug that a request is for; `null`: none. */
const addresses = (sandboxHost: string) => {
  const slugOf = slugBelow(sandboxHost);
  return (request: IncomingMessage): string | Refusal | null => {
    const to = addressed(request);
    if ('malformed' in to) {
      return { problem: invalid([{ path: 'Host', message: to.malformed }]) };
    }
    return slugOf(to.name);
  };
};

/**
 * The access rule of a path. Public paths, signing in and out, and the portal's files are the main
 * platform's at every address, without a look-up, so that they neither reveal which sandboxes exist
 * nor wake one; the live service authenticates in its own handshake. docs/decisions/0121, 0122.
 */
const opennessOf = ({ method, url = '' }: IncomingMessage) => {
  const isOfThePlatform =
    method === 'OPTIONS' || PUBLIC.test(url) || SIGN_IN.test(url) || PORTAL.test(url);
  if (isOfThePlatform) return 'of the platform';
  return url.startsWith(LIVE_PATH) ? 'by handshake' : 'by credential';
};

const SIGN_IN = /^\/session\/(login|callback|logout)(\?|$)/;

/** Pages without data: the page fetches it with the caller's session. */
const PORTAL = /^\/(report|portal\/[^?]*)?(\?|$)/;

const PUBLIC =
  /^\/(health\/(live|ready)|openapi\.json|docs|docs\/.*|problems\/.*|\.well-known\/.*)(\?|$)/;
