import { MCP_CALLS } from '../api/mcp/limits.ts';
import type { Capability } from './capability.ts';

/** Tools for agents at `/mcp`, where `ATRIUM_MCP` is on. docs/decisions/0119. */
export const mcp: Capability = {
  compose: ({ servesMcp, permits, publicUrl, corsOrigins }) =>
    servesMcp
      ? {
          routes: async (app) => {
            // Who serves no agents does not load what it takes.
            const { mcpRoutes } = await import('../api/mcp/routes.ts');
            await app.register(mcpRoutes, { calls: permits(MCP_CALLS), publicUrl, corsOrigins });
          },
        }
      : {},
};
