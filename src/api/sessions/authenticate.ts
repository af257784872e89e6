/**
 * Authentication and authorisation, decided before the body is read. Every route declares in its
 * `config` the permission it needs, or that it is `public`; a route without either fails at start.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { authorityOf, type Authority } from '../../domain/authority.ts';
import type { Actor, Occasion } from '../../engine/aggregates/decider.ts';
import { Unauthenticated, type Caller, type Identity } from '../../identity/caller.ts';
import type { Permission } from '../../identity/permissions.ts';
import { isKey, type KeyAuthority, type KeyUse } from '../../identity/keys/key-authority.ts';
import { isSafe, isSameOrigin } from '../../identity/sessions/same-origin.ts';
import type { OpenSession, SessionsAt } from '../../identity/sessions/sessions.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { Problem } from '../http/problems.ts';
import { bearerIn } from './bearer.ts';
import {
  isRequester,
  requesterOf,
  type OwnPermission,
  type Requester,
  type RequesterDesks,
} from './requesters.ts';

/**
 * The actor id of the person whom a page was loaded for, percent-encoded. A request with the cookie
 * of another person's session is refused. docs/decisions/0084.
 */
const SUBJECT_HEADER = 'x-atrium-subject';

/** The path of the page that shows the OpenAPI document. */
export const REFERENCE_PAGE = '/docs';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The required permission; `authenticated` for any credential, `public` for none. */
    permission?: Permission | 'authenticated' | 'public';
    /**
     * Also opens the route to people who have it and lack `permission`: requesters, whose access
     * is limited to their own objects. A route for requesters only has it as `permission`.
     */
    ownPermission?: OwnPermission;
    /** Requires a portal session: no API key is accepted, whatever its scope. */
    portal?: true;
    /** Requires a person's portal session, not a machine's. */
    person?: true;
    /** Requires the cookie of a browser session: no API key and no bearer token is accepted. */
    session?: true;
  }
  interface FastifyRequest {
    /** Set on every route that is not `public`. */
    caller: Caller | null;
    /** Set where `ownPermission` opened the route. */
    requester: Requester | null;
    /** Set where the credential was the cookie of a browser session. */
    session: OpenSession | null;
  }
}

export interface AuthenticationParts {
  readonly identity: Identity;
  readonly keyAuthority: KeyAuthority;
  /** Called with each authenticated caller before the request is handled. Must return at once. */
  readonly onCaller?: readonly OnCaller[];
  /** Whether an organisation has requesters. Default: none has. */
  readonly desks?: RequesterDesks;
  /** The browser sessions of this platform's host. Default: cookies are no credential. */
  readonly sessions?: SessionsAt | undefined;
}

export type OnCaller = (caller: Caller) => void;

export const authenticate = (app: FastifyInstance, parts: AuthenticationParts): void => {
  app.decorateRequest('caller', null);
  app.decorateRequest('requester', null);
  app.decorateRequest('session', null);
  app.addHook('onRoute', (route) => {
    if (isLibraryRoute(route)) route.config = { ...route.config, permission: 'public' };
    if (!route.config?.permission) throw new Error(`${route.url} does not say who may call it`);
  });
  app.addHook('onRequest', async (request) => {
    const { permission } = request.routeOptions.config;
    // Without a route there is nothing to protect: the answer is a 404.
    if (permission === undefined || permission === 'public') return;
    const caller = await callerOf(request, permission);
    request.caller = caller;
    for (const note of parts.onCaller ?? []) note(caller);
  });

  const callerOf = async (
    request: FastifyRequest,
    permission: Permission | 'authenticated',
  ): Promise<Caller> => {
    const { portal, person, session } = request.routeOptions.config;
    request.session = await openSession(request.raw, parts.sessions);
    const token = request.session?.accessToken ?? bearerIn(request.raw);
    const needs = portal || session ? null : permission;
    if (isKey(token)) return keyCallerOf(request, token, needs, parts);
    if (session && !request.session) throw new Unauthenticated('Sign in with a browser.');
    const caller = await parts.identity.callerOf(token);
    // Before the permission: a machine client cannot call the route, whatever its role.
    if (person && !caller.person) {
      throw new Problem('PERSON_REQUIRED', "This needs a person's session.");
    }
    if (isRequester(caller, request.routeOptions.config)) {
      request.requester = await requesterOf(caller, parts.desks);
    } else if (permission !== 'authenticated') requirePermission(caller, permission);
    return caller;
  };
};

/**
 * Records the use of a key in a request without a route, at an address where nothing is public.
 *
 * @throws {@link Problem} if the key is refused.
 */
export const recordUnrouted =
  (parts: Pick<AuthenticationParts, 'keyAuthority'>) =>
  async (request: FastifyRequest): Promise<void> => {
    const { authorization } = request.headers;
    const token = authorization === undefined ? '' : bearerIn(request.raw);
    if (isKey(token)) await keyCallerOf(request, token, 'authenticated', parts);
  };

/** @throws {@link Problem} `PERMISSION_DENIED` with the name of the permission. */
export const requirePermission = (
  { permissions }: Pick<Caller, 'permissions'>,
  permission: Permission,
): void => {
  if (!permissions.has(permission))
    throw new Problem('PERMISSION_DENIED', `This needs the permission ${permission}.`);
};

/**
 * The browser session whose cookie is the credential of a request; `null` if it has none.
 *
 * @throws {@link Problem} `CROSS_SITE` for a change that a page of another origin requests.
 * @throws {@link Unauthenticated} if the session has ended, or belongs to another person than the
 *   page was loaded for.
 */
export const openSession = async (
  request: IncomingMessage,
  sessions: SessionsAt | undefined,
): Promise<OpenSession | null> => {
  const cookie = sessions?.cookieIn(request.headers) ?? null;
  if (sessions === undefined || cookie === null) return null;
  if (!isSafe(request.method)) refuseCrossSite(request, sessions);
  const session = await sessions.open(cookie);
  const expected = request.headers[SUBJECT_HEADER];
  if (expected !== undefined && expected !== encodeURIComponent(session.subject))
    throw new Unauthenticated('Another person has signed in with this browser.');
  return session;
};

/** @throws {@link Problem} `CROSS_SITE` unless a page of this origin sent the request. */
export const refuseCrossSite = (
  request: Pick<IncomingMessage, 'headers'>,
  { origin }: Pick<SessionsAt, 'origin'>,
): void => {
  if (isSameOrigin(request, origin)) return;
  throw new Problem(
    'CROSS_SITE',
    'The request came from a page of another origin, with your session cookie.',
  );
};

/** Pre-flight requests carry no credential, and the reference page is public. */
const isLibraryRoute = ({ method, url }: RouteOptions): boolean =>
  method === 'OPTIONS' || url === REFERENCE_PAGE || url.startsWith(`${REFERENCE_PAGE}/`);

/**
 * The caller of an API key. Its use is recorded when this resolves.
 *
 * @param needs The permission; `null` if no key is accepted.
 */
const keyCallerOf = async (
  request: FastifyRequest,
  token: string,
  needs: KeyUse['needs'],
  { keyAuthority }: Pick<AuthenticationParts, 'keyAuthority'>,
): Promise<Caller> => {
  const answer = await keyAuthority.check(token, {
    needs,
    route: routeOf(request),
    sourceIp: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
  });
  if (!answer.allowed) throw new Problem(answer.code, answer.detail);
  return answer.caller;
};

/** `GET /api/v1/sandboxes/{id}`, in the notation of the contract and of OpenAPI. */
const routeOf = ({ method, routeOptions }: FastifyRequest): string =>
  `${method} ${templateOf(routeOptions.url ?? '/*')}`;

/** A route's URL with `{id}` for `:id`. */
export const templateOf = (url: string): string =>
  url.includes(':') ? url.replaceAll(/:(\w+)/g, '{$1}') : url;

/** The caller of a route that is not `public`. */
export const callerIn = (request: FastifyRequest): Caller => {
  if (!request.caller) throw new Error('a public route asked who is calling');
  return request.caller;
};

/** The caller for a line of the log, where names of persons must not stand. */
export const loggedCallerOf = (request: FastifyRequest): Pick<Actor, 'kind' | 'id'> => {
  const { kind, id } = callerIn(request).actor;
  return { kind, id };
};

/**
 * The organisation that the caller acts for.
 *
 * @throws {@link Problem} `ORGANISATION_REQUIRED` for an operator, who belongs to none.
 */
export const organisationIn = (request: FastifyRequest): string => {
  const { organisation } = callerIn(request);
  if (organisation === null) {
    throw new Problem('ORGANISATION_REQUIRED', 'This needs a token of an organisation.');
  }
  return organisation;
};

/** The caller's authority. Throws as {@link organisationIn} does. */
export const authorityIn = (request: FastifyRequest): Authority =>
  authorityOf(organisationIn(request));

/** The browser session of a route that requires one. */
export const sessionIn = (request: FastifyRequest): OpenSession => {
  if (!request.session) throw new Error('a route without a session asked for it');
  return request.session;
};

export type OccasionOf = (request: FastifyRequest) => Occasion;

export const occasionsOf =
  (clock: Clock): OccasionOf =>
  (request) => ({ at: clock.now(), by: actorIn(request), origin: 'api' });

const actorIn = (request: FastifyRequest): Actor => callerIn(request).actor;
