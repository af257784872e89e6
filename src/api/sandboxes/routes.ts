/** Sandboxes. interface.md «Sandboxes». */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';

const SandboxListBody = z.object({ items: z.array(z.never()) }).meta({ id: 'SandboxList' });

export const sandboxRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get(
    '/api/v1/sandboxes',
    {
      config: { permission: 'platform.sandboxes:read' },
      schema: {
        operationId: 'listSandboxes',
        tags: ['sandboxes'],
        summary: "List the caller's sandboxes",
        description: 'Nobody has any: this server does not provision sandboxes yet.',
        response: { 200: SandboxListBody },
      },
    },
    async () => ({ items: [] }),
  );
};
