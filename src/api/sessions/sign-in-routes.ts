/**
 * Redirects of a browser to the issuer and back, and the issuer's back-channel sign-out. Failures
 * are redirects, too: the page shows them. contract.md section 2.
 */
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { FAILURE_LINE_EVERY_MS } from '../../engine/limits.ts';
import { boundedLines, type BoundedLine } from '../../engine/observe/bounded-lines.ts';
import {
  IdentityUnavailable,
  OrganisationRequired,
  Unauthenticated,
} from '../../identity/caller.ts';
import { SignInRefused } from '../../identity/sessions/issuer-client.ts';
import { LOGOUT_REQUEST_BYTES_MAX } from '../../identity/sessions/limits.ts';
import { LogoutRefused } from '../../identity/sessions/logout-token.ts';
import type { BrowserSessions, Redirect, SessionsAt } from '../../identity/sessions/sessions.ts';
import { invalid } from '../http/problems.ts';
import { refuseCrossSite } from './authenticate.ts';

export interface SignInRouteOptions {
  /** The sessions of the host that the request is for. */
  readonly sessionsFor: (request: FastifyRequest) => SessionsAt;
  readonly logOut: BrowserSessions['logOut'];
  /** The same page at the address that the issuer redirects to; `null`: it is this address. */
  readonly elsewhere: (request: FastifyRequest) => string | null;
}

const FORM = 'application/x-www-form-urlencoded';
const route = { config: { permission: 'public' }, schema: { hide: true } } as const;
/** Of a form and of JSON. */
const posted = { ...route, bodyLimit: LOGOUT_REQUEST_BYTES_MAX } as const;

export const signInRoutes: FastifyPluginAsync<SignInRouteOptions> = async (app, options) => {
  const { sessionsFor, logOut, elsewhere } = options;
  readForms(app);
  // A caller without a credential can let sign-ins fail.
  const orRefusalPage = refusalPage(boundedLines(FAILURE_LINE_EVERY_MS));

  app.get('/session/login', route, async (request, reply) => {
    const other = elsewhere(request);
    if (other !== null) return reply.redirect(other, 307);
    const { return: returnTo } = request.query as Readonly<Record<string, unknown>>;
    const begin = () => sessionsFor(request).beginSignIn(returnTo, request.headers);
    return lead(reply, await begin().catch(orRefusalPage(request)));
  });

  app.get('/session/callback', route, async (request, reply) => {
    const { headers, ip: sourceIp, url } = request;
    const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
    const finish = () => sessionsFor(request).finishSignIn(query, { headers, sourceIp });
    return lead(reply, await finish().catch(orRefusalPage(request)));
  });

  // Before the body is read.
  const onRequest = async (request: FastifyRequest) =>
    refuseCrossSite(request.raw, sessionsFor(request));
  app.post('/session/logout', { ...posted, onRequest }, async (request, reply) =>
    lead(reply, await sessionsFor(request).signOut(request.headers)),
  );

  app.post('/session/backchannel-logout', posted, async (request, reply) => {
    const { logout_token: token } = Object(request.body) as Readonly<Record<string, unknown>>;
    if (typeof token !== 'string') throw invalid([{ path: 'logout_token', message: 'is missing' }]);
    try {
      await logOut(token);
    } catch (error) {
      if (!(error instanceof LogoutRefused)) throw error;
      throw invalid([{ path: 'logout_token', message: error.message }]);
    }
    return reply.header('cache-control', 'no-store').code(200).send();
  });
};

const readForms = (app: FastifyInstance): void => {
  app.addContentTypeParser<string>(FORM, { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body))),
  );
};

/** 303: a browser follows with a GET, whatever it sent. */
const lead = (reply: FastifyReply, { location, cookies }: Redirect): FastifyReply =>
  reply
    .header('set-cookie', [...cookies])
    .header('cache-control', 'no-store')
    .redirect(location, 303);

/** Redirects to the page that explains the failed sign-in, by the code in its address. */
const refusalPage =
  (line: BoundedLine) =>
  ({ log }: FastifyRequest) =>
  (error: unknown): Redirect => {
    const code = codeOf(error);
    if (code === null) throw error;
    line((unlogged) => log.warn({ err: error, code, unlogged }, 'a sign-in failed'));
    return { location: `/?sign-in=${code}`, cookies: [] };
  };

const codeOf = (error: unknown): string | null => {
  if (error instanceof SignInRefused || error instanceof Unauthenticated) return 'refused';
  if (error instanceof OrganisationRequired) return 'organisation-required';
  return error instanceof IdentityUnavailable ? 'unavailable' : null;
};
