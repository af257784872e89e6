/** The development issuer as part of a Fastify server, and how its tokens are asked for. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ISSUER_TIMEOUT_MS } from '../limits.ts';
import type { DevelopmentIssuer } from './development-issuer.ts';

/**
 * Mounts the issuer below the path of its own address:
 *
 *     await server.register(developmentIssuerRoutes, { issuer: await developmentIssuer({ … }) });
 *
 * In a scope of its own without body parsers: `oidc-provider` reads the request's stream itself.
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
      issuer.handler(request.raw, reply.raw);
    },
  );
  server.addHook('onClose', () => issuer.close());
}

const token = z.object({
  access_token: z.string(),
  expires_in: z.number(),
  token_type: z.string(),
});

export type DevToken = z.infer<typeof token>;

/**
 * An access token for a demo user, from the development issuer of a running server.
 *
 * @throws {Error} in one line: the server does not answer, has another issuer, or knows nobody of
 *   this address (then with those it knows).
 */
export async function devToken(ask: {
  readonly issuerUrl: string;
  readonly email: string;
}): Promise<DevToken> {
  const url = `${ask.issuerUrl.replace(/\/$/, '')}/dev-token`;
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ask.email }),
      signal: AbortSignal.timeout(ISSUER_TIMEOUT_MS),
    });
  } catch (cause) {
    throw new Error(`No development issuer answers at ${url}: is the server running?`, { cause });
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return token.parse(body);
  const known = z.object({ detail: z.string(), known: z.array(z.string()) }).safeParse(body);
  throw new Error(
    known.success ? known.data.detail : `No development issuer at ${url} (${response.status})`,
  );
}
