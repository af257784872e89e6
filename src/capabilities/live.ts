import { liveMetrics } from '../api/live/metrics.ts';
import { liveRoutes } from '../api/live/routes.ts';
import { liveServer } from '../api/live/server.ts';
import { liveService } from '../api/live/service.ts';
import type { Capability } from '../composition/capability.ts';

/** Samples and alarms of buildings over a WebSocket. interface.md «Live the service». */
export const live: Capability = {
  compose({ log, cursors, consumers, graph, identity, keyAuthority, corsOrigins, ...core }) {
    const { metrics, logger, browserSessions, publicUrl } = core;
    const parts = {
      log,
      reader: consumers.reader,
      graph,
      identity,
      keyAuthority,
      sessions: browserSessions?.at(publicUrl),
      origins: corsOrigins,
      trustedProxies: core.trustedProxies,
      metrics: liveMetrics(metrics),
      logger,
      timeline: async () => (await cursors()).timeline,
    };
    if (core.isSandbox) {
      const service = liveService(parts);
      return {
        live: service,
        routes: async (app) => {
          app.addHook('preClose', async () => service.close());
        },
      };
    }
    const server = liveServer(parts);
    return {
      routes: async (app) => {
        await app.register(liveRoutes, { live: server });
      },
      takeUpgrade: (request, socket, head) => {
        server.upgrade(request, socket, head);
        return true;
      },
    };
  },
};
