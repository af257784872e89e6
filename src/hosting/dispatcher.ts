/** Requests to the addresses of sandboxes, by their Host header. contract.md sections 2 and 4. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { originForm } from '../api/http/origin-form.ts';
import { invalid, Problem } from '../api/http/problems.ts';
import { requestIdOf } from '../api/http/request-id.ts';
import { securityHeaders } from '../api/http/security-headers.ts';
import type { Answered, TakeRequest } from '../api/http/server.ts';
import { LIVE_PATH, refuseUpgrade, type TakeUpgrade } from '../api/http/upgrades.ts';
import { slugBelow } from '../composition/request-address.ts';
import type { Logger } from '../engine/observe/logging.ts';
import type { Used } from './active-sandboxes.ts';
import { addressed } from './addresses.ts';
import { admission, type AdmissionParts } from './admission.ts';
import { sandboxLive } from './live.ts';
import { openings, type Host, type OpeningParts } from './opening.ts';
import { PROXIED_HEADER, type SandboxProxy } from './proxy.ts';
import { refusalAnswers, statusOf, type Refusal } from './refusals.ts';

export interface AddressParts extends AdmissionParts {
  /** `sandbox.localhost:4000`; its port is ignored. */
  readonly sandboxHost: string;
  /** Pages that may read answers. */
  readonly corsOrigins: readonly string[];
  readonly logger: Logger;
}

export interface DispatcherParts extends AddressParts, OpeningParts {
  readonly proxy: Pick<SandboxProxy, 'request'>;
  /** Called after a refusal at an address that this process answered itself. */
  readonly refused: (slug: string, answered: Answered) => void;
  /** Whether the event loop is overloaded. Default: never. */
  readonly isUnderPressure?: () => boolean;
}

export interface Dispatcher {
  readonly takeRequest: TakeRequest;
  readonly takeUpgrade: TakeUpgrade;
}

/** A dispatcher with live clients of its own. */
export interface ClosableDispatcher extends Dispatcher {
  /** Ends the connections of live clients. Idempotent. */
  close(): Promise<void>;
}

/**
 * Handles every request for an address below the sandbox host, with or without a sandbox, and every
 * request with a malformed address.
 */
export const dispatcher = (parts: DispatcherParts): ClosableDispatcher => {
  const { activeAt, proxy, isUnderPressure = () => false } = parts;
  const answer = refusalAnswers(parts.corsOrigins);
  const admitted = admission(parts);
  const { open, failure } = openings(parts);
  const live = sandboxLive({ ...parts, admitted, open, failure });
  const addressOf = addresses(parts.sandboxHost);

  return {
    takeRequest(request, response, own) {
      const address = addressOf(request);
      if (address === null) return false;
      if (typeof address !== 'string') {
        answer(request, response, address);
        return true;
      }
      const slug = address;
      const began = performance.now();
      const refuse = (refusal: Refusal) => {
        const sent = answer(request, response, refusal);
        if (sent === null) return;
        const { method = '' } = request;
        const ms = Math.round((performance.now() - began) * 10) / 10;
        parts.refused(slug, { ...sent, method, route: 'unknown', ms, keyId: null });
      };
      const serve = (found: Used | Host | Refusal) => {
        if ('problem' in found) return refuse(found);
        if ('address' in found) {
          const failed = (reason: Error) => void found.away(reason).then(refuse);
          return proxy.request(found.address, request, response, failed);
        }
        response.once('close', found.release);
        // A caller that has gone already emits no further event.
        if (response.destroyed) return void response.emit('close');
        activeAt(slug)?.share.enter();
        found.instance.platform.app.routing(request, response);
      };
      const openness = opennessOf(request);
      if (openness === 'of the platform') own(request, response);
      else if (openness === 'live') {
        if (isUnderPressure()) answer(request, response, overloaded);
        else live.request(request, withCommonHeaders(request, response));
      } else {
        // Without any look-up.
        const malformed = admitted.malformed(request, slug);
        if (malformed) refuse({ problem: malformed });
        else
          open({
            slug,
            refusal: (sandbox, isLast) => admitted.refusal(request, slug, sandbox, isLast),
            what: 'request',
            isPassedOn: PROXIED_HEADER in request.headers,
          })
            .then(serve)
            .catch((error: unknown) => refuse(failure(error, slug)));
      }
      return true;
    },

    takeUpgrade(request, socket, head) {
      const address = addressOf(request);
      if (address === null) return false;
      if (typeof address === 'string') live.upgrade(request, socket, head);
      else refuseUpgrade(socket, statusOf(address));
      return true;
    },

    close: live.close,
  };
};

const overloaded: Refusal = {
  problem: new Problem('UNAVAILABLE', 'The server is under too much load.'),
};

/** The headers of every answer, but CORS, which the live service has of its own. */
const withCommonHeaders = ({ headers }: IncomingMessage, response: ServerResponse) => {
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  return response.setHeader('x-request-id', requestIdOf(headers));
};

/**
 * For a process that hosts none: a request for a sandbox must never reach the platform's own
 * routes, which are the same.
 */
export const refusingSandboxes = (parts: AddressParts): ClosableDispatcher =>
  dispatcher({
    ...parts,
    find: async () => null,
    active: {
      use: () => {
        throw new Error('this process hosts no sandbox');
      },
    },
    activeAt: () => null,
    proxy: {
      request: () => {
        throw new Error('this process hosts no sandbox');
      },
    },
    refused: () => {},
  });

/** The slug that a request is for; `null`: none. A target in absolute form becomes its path. */
const addresses = (sandboxHost: string) => {
  const slugOf = slugBelow(sandboxHost);
  return (request: IncomingMessage): string | Refusal | null => {
    const to = addressed(request);
    if ('malformed' in to) {
      return { problem: invalid([{ path: 'Host', message: to.malformed }]) };
    }
    request.url = originForm(request.url ?? '');
    return slugOf(to.name);
  };
};

/**
 * The access rule of a path. Public paths, signing in and out, and the portal's files are the main
 * platform's at every address, without a look-up, so that they neither reveal which sandboxes exist
 * nor wake one. The live service authenticates once a connection is open. docs/decisions/0084.
 */
const opennessOf = ({ method, url = '' }: IncomingMessage) => {
  const isOfThePlatform =
    method === 'OPTIONS' || PUBLIC.test(url) || SIGN_IN.test(url) || PORTAL.test(url);
  if (isOfThePlatform) return 'of the platform';
  const isLive = (method === 'GET' || method === 'POST') && LIVE.test(url);
  return isLive ? 'live' : 'by credential';
};

const LIVE = new RegExp(`^${LIVE_PATH}(\\?|$)`);

const SIGN_IN = /^\/session\/(login|callback|logout)(\?|$)/;

/** Pages without data: the page fetches it with the caller's session. */
const PORTAL = /^\/(report|portal\/[^?]*)?(\?|$)/;

const PUBLIC =
  /^\/(health\/(live|ready)|openapi\.json|docs|docs\/.*|problems\/.*|\.well-known\/.*)(\?|$)/;
