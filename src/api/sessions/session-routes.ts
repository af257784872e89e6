/** The caller's own browser sessions. contract.md section 2. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { permissions } from '../../identity/permissions.ts';
import type { SessionsAt } from '../../identity/sessions/sessions.ts';
import { notFound } from '../http/problems.ts';
import { ActorBody } from '../http/actor.ts';
import { callerIn, sessionIn } from './authenticate.ts';
import { OwnSandboxBody, type ReadOwnSandbox } from './own-sandbox.ts';

export interface SessionRouteOptions {
  readonly sessions: Pick<SessionsAt, 'list' | 'end'>;
  /** `null`: this is the main platform. */
  readonly readOwnSandbox: ReadOwnSandbox | null;
}

const Instant = z.iso.datetime();

const SessionBody = z
  .object({
    sessionId: z.uuid(),
    actor: ActorBody,
    organisation: z
      .string()
      .nullable()
      .describe('`null` for an operator, who belongs to no organisation.'),
    roles: z.array(z.string()),
    permissions: z.array(z.enum(permissions)),
    expiresAt: Instant.describe('When the session ends if it is not used again.'),
    sandbox: OwnSandboxBody.optional(),
  })
  .meta({ id: 'Session' });

const SessionListBody = z
  .object({
    items: z
      .array(
        z.object({
          sessionId: z.uuid(),
          isCurrent: z.boolean().describe('Whether this is the session of the request.'),
          origin: z.string().describe('The address at which the person signed in.'),
          createdAt: Instant,
          lastUsedAt: Instant.describe('Accurate to the minute.'),
          expiresAt: Instant,
          userAgent: z.string().nullable(),
          sourceIp: z.string().describe('IP address at sign-in.'),
        }),
      )
      .describe('Sessions, the most recently used first.'),
  })
  .meta({ id: 'SessionList' });

const SessionParams = z.object({ sessionId: z.uuid() });

const config = { permission: 'authenticated', session: true } as const;
const tags = ['identity'];

export const sessionRoutes: FastifyPluginAsyncZod<SessionRouteOptions> = async (app, options) => {
  const { sessions, readOwnSandbox } = options;
  // Never cached: responses depend on the cookie, and on whether the session has ended.
  app.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));

  app.get(
    '/session',
    {
      config,
      schema: {
        operationId: 'readSession',
        tags,
        summary: 'The session of this browser',
        description:
          'For pages: the signed-in person and the organisation. The response contains no ' +
          'token. At the address of a sandbox it includes the sandbox, or is 404 if the caller ' +
          'has no access to a sandbox there.',
        response: { 200: SessionBody },
      },
    },
    async (request) => {
      const { actor, organisation, roles, permissions: allowed } = callerIn(request);
      const { sessionId, expiresAt } = sessionIn(request);
      return {
        sessionId,
        actor,
        organisation,
        roles: [...roles],
        permissions: permissions.filter((permission) => allowed.has(permission)),
        expiresAt,
        ...(readOwnSandbox && { sandbox: await readOwnSandbox() }),
      };
    },
  );

  app.get(
    '/session/list',
    {
      config,
      schema: {
        operationId: 'listSessions',
        tags,
        summary: 'List your own sessions',
        description:
          'Every browser in which the person is signed in, at every address of the server.',
        response: { 200: SessionListBody },
      },
    },
    async (request) => {
      const session = sessionIn(request);
      const items = await sessions.list(session);
      return {
        items: items.map((item) => ({
          ...item,
          isCurrent: item.sessionId === session.sessionId,
        })),
      };
    },
  );

  app.delete(
    '/session/:sessionId',
    {
      config,
      schema: {
        operationId: 'endSession',
        tags,
        summary: 'End one of your own sessions',
        description:
          'Its browser has to sign in again. The session of this request can be ended too; ' +
          '`POST /session/logout` also signs out at the issuer.',
        params: SessionParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const isEnded = await sessions.end(sessionIn(request), request.params.sessionId);
      if (!isEnded) throw notFound('session');
      return reply.code(204).send(null);
    },
  );
};
