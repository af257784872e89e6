import { MCP_CALLS } from '../api/mcp/limits.ts';
import type { Capability } from '../composition/capability.ts';
import { requestAddress } from '../composition/request-address.ts';

/** Tools for agents at `/mcp`, where `ATRIUM_MCP` is on. docs/decisions/0119. */
export const mcp: Capability = {
  compose: ({ servesMcp, permits, identity, publicUrl, corsOrigins, ...core }) =>
    servesMcp
      ? {
          routes: async (app) => {
            // Loaded only where it is served: other processes save its memory.
            const { mcpRoutes } = await import('../api/mcp/routes.ts');
            const { issuer } = identity;
            const calls = permits(MCP_CALLS);
            const addressOf = requestAddress({ publicUrl, ...core });
            const urls = { publicUrl, addressOf, corsOrigins };
            await app.register(mcpRoutes, { calls, issuer, ...urls });
          },
        }
      : {},
};
