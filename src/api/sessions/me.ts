/** The caller of the credential. contract.md section 2. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { keyScopes } from '../../domain/keys/events.ts';
import { permissions } from '../../identity/permissions.ts';
import { callerIn } from './authenticate.ts';
import { ActorBody } from '../http/actor.ts';

const MeBody = z
  .object({
    actor: ActorBody,
    organisation: z
      .string()
      .nullable()
      .describe('`null` for an operator, who belongs to no organisation.'),
    roles: z.array(z.string()).describe('Empty for an API key, which has a scope instead.'),
    permissions: z.array(z.enum(permissions)),
    credential: z.enum(['session', 'key']),
    scope: z.enum(keyScopes).optional().describe('Of a key.'),
  })
  .meta({ id: 'Me' });

export const meRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/api/v1/me',
    {
      config: { permission: 'authenticated' },
      schema: {
        operationId: 'whoAmI',
        tags: ['identity'],
        summary: 'The caller and its permissions',
        description: 'Accepts any credential: a portal session of any role, a key of any scope.',
        response: { 200: MeBody },
      },
    },
    async (request) => {
      const { actor, organisation, roles, permissions: allowed, scope } = callerIn(request);
      return {
        actor,
        organisation,
        roles: [...roles],
        permissions: permissions.filter((permission) => allowed.has(permission)),
        ...(scope === undefined
          ? { credential: 'session' as const }
          : { credential: 'key' as const, scope }),
      };
    },
  );
};
