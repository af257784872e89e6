/** The issuer of accepted tokens, for clients to discover the sign-in. RFC 9728. */
import type { IncomingMessage } from 'node:http';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';

export interface IssuerRouteOptions {
  readonly issuer: string;
  /** The address that a request is for, without a trailing slash. */
  readonly addressOf: (request: IncomingMessage) => string;
}

export const ProtectedResourceBody = z
  .object({
    resource: z.string().describe('The address of this API.'),
    authorization_servers: z
      .array(z.string())
      .describe('The one OpenID Connect issuer whose access tokens are portal sessions here.'),
    scopes_supported: z.array(z.string()).describe('The scopes that a client should request.'),
    bearer_methods_supported: z.array(z.literal('header')),
  })
  .meta({ id: 'ProtectedResource' });

/** The scopes of a lasting session with an organisation. contract.md section 2. */
const SCOPES = ['openid', 'offline_access', 'organization'];

/** @param resource The protected address, without a trailing slash. */
export const protectedResource = (
  resource: string,
  issuer: string,
): z.output<typeof ProtectedResourceBody> => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: [...SCOPES],
  bearer_methods_supported: ['header'],
});

export const issuerRoutes: FastifyPluginAsyncZod<IssuerRouteOptions> = async (app, options) => {
  app.get(
    '/.well-known/oauth-protected-resource',
    {
      config: { permission: 'public' },
      schema: {
        operationId: 'readIssuer',
        tags: ['identity'],
        summary: 'Discover the authorization server',
        description:
          'OAuth 2.0 Protected Resource Metadata (RFC 9728), for clients with a sign-in.',
        response: { 200: ProtectedResourceBody },
      },
    },
    async ({ raw }) => protectedResource(options.addressOf(raw), options.issuer),
  );
};
