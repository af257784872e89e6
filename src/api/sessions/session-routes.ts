/** The caller's own browser sessions. contract.md section 2. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { permissions } from '../../identity/caller.ts';
import type { SessionsAt } from '../../identity/sessions/sessions.ts';
import { notFound } from '../http/problems.ts';
import { ActorBody } from '../tickets/schemas.ts';
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
    organisation: z.string().nullable().describe('`null` for an operator, who belongs to none.'),
    roles: z.array(z.string()),
    permissions: z.array(z.enum(permissions)),
    expiresAt: Instant.describe('When it ends if it is not used again.'),
    sandbox: OwnSandboxBody.optional(),
  })
  .meta({ id: 'Session' });

const SessionListBody = z
  .object({
    items: z
      .array(
        z.object({
          sessionId: z.uuid(),
          isCurrent: z.boolean().describe('It is the session of this request.'),
          origin: z.string().describe('The address that was signed in to.'),
          createdAt: Instant,
          lastUsedAt: Instant.describe('To the minute.'),
          expiresAt: Instant,
          userAgent: z.string().nullable(),
          sourceIp: z.string().describe('Of the sign-in.'),
        }),
      )
      .describe('The last used first.'),
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
          'Pages find out with it who has signed in, and where. It holds no token. At the ' +
          'address of a sandbox it names that sandbox; where there is none for the caller, 404.',
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
        summary: "One's own sessions",
        description: 'Every browser in which the person has signed in, at every address.',
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
        summary: "End one of one's own sessions",
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
