/** What operators ask: how the read models stand. contract.md section 10. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ReadModels } from '../projections/read-models.ts';

export interface OperationsRouteOptions {
  readonly readModels: Pick<ReadModels, 'status'>;
}

const ProjectionBody = z.object({
  name: z.string(),
  version: z.int(),
  position: z.string().nullable().describe('How far it shows the log; `null` before the first.'),
  lagEvents: z.int().nullable().describe("To the log's head; `null` where the log cannot count."),
  lagSeconds: z.number().describe('How long the oldest event not shown has been in the log.'),
  state: z.enum(['building', 'live', 'waiting', 'stopped']),
  owner: z.enum(['this', 'other', 'none']).describe('Which process feeds it.'),
  parked: z.int().describe('Streams set aside because an event of them could not be applied.'),
  lastError: z.string().nullable(),
});

export const operationsRoutes: FastifyPluginAsyncZod<OperationsRouteOptions> = async (
  app,
  { readModels },
) => {
  app.get(
    '/api/v1/operations/projections',
    {
      config: { permission: 'platform.operations:read' },
      schema: {
        operationId: 'listProjections',
        tags: ['operations'],
        summary: 'How each read model stands',
        response: { 200: z.object({ items: z.array(ProjectionBody) }) },
      },
    },
    async () => ({ items: [...(await readModels.status())] }),
  );
};
