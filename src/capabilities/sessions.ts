import type { FastifyInstance, FastifyRequest } from 'fastify';
import { issuerRoutes } from '../api/sessions/issuer.ts';
import { meRoutes } from '../api/sessions/me.ts';
import { sessionRoutes } from '../api/sessions/session-routes.ts';
import { signInRoutes } from '../api/sessions/sign-in-routes.ts';
import { repeat } from '../engine/concurrency/repeat.ts';
import { isLoopbackHost } from '../identity/loopback.ts';
import { SESSION_SWEEP_MS } from '../identity/sessions/limits.ts';
import type { Capability } from '../composition/capability.ts';
import { requestAddress } from '../composition/request-address.ts';

/** Sign-in, browser sessions and the rights of a credential. contract.md section 2. */
export const sessions: Capability = {
  tag: {
    name: 'identity',
    description: 'The caller, as its credential identifies it.',
  },
  compose({ identity, publicUrl, browserSessions, logger, ...core }) {
    const addressOf = requestAddress({ publicUrl, ...core });
    const described = async (app: FastifyInstance) => {
      await app.register(issuerRoutes, { issuer: identity.issuer, addressOf });
      await app.register(meRoutes);
    };
    if (browserSessions === null) return { routes: described };
    const own = browserSessions.at(publicUrl);
    return {
      routes: async (app) => {
        await described(app);
        await app.register(sessionRoutes, {
          sessions: own,
          readOwnSandbox: core.readOwnSandbox,
        });
        await app.register(signInRoutes, {
          // Signing in and out at a sandbox's address is served here too.
          sessionsFor: ({ raw }) => {
            const address = addressOf(raw);
            return address === publicUrl ? own : browserSessions.at(address);
          },
          logOut: browserSessions.logOut,
          elsewhere: otherLoopbackName(publicUrl),
        });
      },
      background: (signal) =>
        repeat(() => browserSessions.sweep().then(() => SESSION_SWEEP_MS), {
          signal,
          failed: (error) => logger.warn({ err: error }, 'ended sessions could not be deleted'),
        }),
    };
  },
};

/**
 * A development server answers at every loopback name, but the cookies of a sign-in belong to the
 * one name that the issuer redirects to.
 */
const otherLoopbackName = (publicUrl: string) => {
  const { host, hostname } = new URL(publicUrl);
  return ({ raw, url }: FastifyRequest): string | null => {
    const requested = URL.parse(`http://${raw.headers.host ?? ''}`);
    const isOther =
      requested !== null && isLoopbackHost(requested.hostname) && requested.host !== host;
    return isOther && isLoopbackHost(hostname) ? publicUrl + url : null;
  };
};
