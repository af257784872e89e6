/**
 * Lets pages reach a sandbox through the main host: the main host's cookie is exchanged for its
 * session's access token inside this process, and the sandbox answers as to an API client.
 * docs/decisions/0084.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { openSession, refuseCrossSite } from '../api/sessions/authenticate.ts';
import { problemOf } from '../api/http/errors.ts';
import { notThere } from '../api/http/problems.ts';
import { LIVE_PATH, refuseUpgrade, SANDBOX_PASSAGE } from '../api/http/upgrades.ts';
import type { Logger } from '../engine/observe/logging.ts';
import { Unauthenticated } from '../identity/caller.ts';
import type { OpenSession, SessionsAt } from '../identity/sessions/sessions.ts';
import type { Dispatcher } from './dispatcher.ts';
import { PASSAGE_SESSION_CHECK_MS } from './limits.ts';
import { refusalAnswers, statusOf } from './refusals.ts';

export interface SessionPassageParts {
  /** Handles the requests to sandboxes' addresses. */
  readonly dispatcher: Dispatcher;
  /** The main host's sessions. */
  readonly sessions: SessionsAt;
  readonly apiUrlOf: (slug: string) => string;
  readonly logger: Logger;
  /** Default {@link PASSAGE_SESSION_CHECK_MS}. */
  readonly checkMs?: number;
}

/** The dispatcher, and requests under {@link SANDBOX_PASSAGE} of the main host. */
export const sessionPassage = (parts: SessionPassageParts): Dispatcher => {
  const { dispatcher, sessions, apiUrlOf, logger, checkMs = PASSAGE_SESSION_CHECK_MS } = parts;
  const answer = refusalAnswers([]);

  /** @throws {@link Unauthenticated} and the other refusals of a cookie. */
  const sessionOf = async (request: IncomingMessage): Promise<OpenSession> => {
    const session = await openSession(request, sessions);
    if (session === null) throw new Unauthenticated('Sign in with a browser.');
    return session;
  };

  const refusalOf = (error: unknown) => {
    const problem = problemOf(error);
    if (problem.code === 'INTERNAL') logger.error({ err: error }, 'a passage to a sandbox failed');
    return { problem };
  };

  const passOn = (request: IncomingMessage, { slug, path }: Passage, token: string) => {
    const url = new URL(apiUrlOf(slug));
    const { headers } = request;
    request.url = path;
    headers.host = url.host;
    headers.authorization = `Bearer ${token}`;
    if (headers.origin !== undefined) headers.origin = url.origin;
    delete headers.cookie;
  };

  /** Closes a connection when its session ends, but not while the issuer is unavailable. */
  const endWithSession = (cookie: string, socket: Duplex) => {
    const timer = setInterval(() => {
      sessions.open(cookie, false).catch((error: unknown) => {
        if (error instanceof Unauthenticated) socket.destroy();
        else logger.warn({ err: error }, 'the session of a connection could not be checked');
      });
    }, checkMs);
    socket.once('close', () => clearInterval(timer));
  };

  return {
    takeRequest(request, response, own) {
      if (dispatcher.takeRequest(request, response, own)) return true;
      const passage = passageIn(request);
      if (passage === null) return false;
      const pass = async () => {
        if (!passage.isOpen) throw notThere();
        const { accessToken } = await sessionOf(request);
        passOn(request, passage, accessToken);
        if (!dispatcher.takeRequest(request, response, own)) throw notThere();
      };
      pass().catch((error: unknown) => answer(request, response, refusalOf(error)));
      return true;
    },

    takeUpgrade(request, socket, head) {
      if (dispatcher.takeUpgrade(request, socket, head)) return true;
      const passage = passageIn(request);
      if (passage === null) return false;
      const pass = async () => {
        if (!passage.isOpen) throw notThere();
        // A page of another origin may open WebSockets with the cookies of this origin.
        refuseCrossSite(request, sessions);
        const cookie = sessions.cookieIn(request.headers);
        const { accessToken } = await sessionOf(request);
        passOn(request, passage, accessToken);
        if (!dispatcher.takeUpgrade(request, socket, head)) throw notThere();
        if (cookie !== null) endWithSession(cookie, socket);
      };
      pass().catch((error: unknown) => refuseUpgrade(socket, statusOf(refusalOf(error))));
      return true;
    },
  };
};

interface Passage {
  readonly slug: string;
  /** The path at the sandbox, with its query. */
  readonly path: string;
  /** Only requests for the API and the live service are passed on. */
  readonly isOpen: boolean;
}

const PASSAGE = new RegExp(`^${SANDBOX_PASSAGE}([a-z0-9-]{1,63})(/.*)$`, 's');

const passageIn = ({ url = '' }: IncomingMessage): Passage | null => {
  const [, slug, path] = PASSAGE.exec(url) ?? [];
  if (slug === undefined || path === undefined) return null;
  return { slug, path, isOpen: path.startsWith('/api/') || path.startsWith(LIVE_PATH) };
};
