import type { FastifyPluginAsync } from 'fastify';
import { handOver } from '../http/security-headers.ts';
import { LIVE_PATH } from '../http/upgrades.ts';
import type { LiveListener } from './listener.ts';

export interface LiveRouteOptions {
  readonly live: LiveListener;
}

/**
 * The polling transport of the live service. The library handles its requests, including their
 * bodies.
 */
export const liveRoutes: FastifyPluginAsync<LiveRouteOptions> = async (app, { live }) => {
  app.route({
    method: ['GET', 'POST'],
    url: LIVE_PATH,
    config: { permission: 'public' },
    schema: { hide: true },
    onRequest: async (request, reply) => {
      live.request(request.raw, handOver(reply));
    },
    handler: async () => {
      throw new Error('the live service was not asked');
    },
  });
  app.addHook('preClose', () => live.close());
};
