/** The development issuer as part of a Fastify server. */
import type { FastifyInstance } from 'fastify';
import type { DevelopmentIssuer } from './issuer.ts';

/**
 * Mounts the issuer below the path of its own address:
 *
 *     await server.register(developmentIssuerRoutes, { issuer: await developmentIssuer({ … }) });
 *
 * In a separate scope without body parsers: `oidc-provider` reads the request's stream itself.
 */
export async function developmentIssuerRoutes(
  server: FastifyInstance,
  { issuer }: { readonly issuer: DevelopmentIssuer },
): Promise<void> {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.all(
    `${new URL(issuer.issuer).pathname}/*`,
    { schema: { hide: true }, config: { permission: 'public' }, exposeHeadRoute: false },
    (request, reply) => {
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value);
      issuer.handler(request.raw, reply.raw);
    },
  );
  server.addHook('onClose', () => issuer.close());
}
