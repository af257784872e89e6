/** The ground truth about the deliberate faults in a sandbox. contract.md section 4. */
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { faultKinds } from '../../domain/sandboxes/parameters.ts';
import type { SandboxView } from '../../domain/sandboxes/view.ts';
import { isRefusal } from '../../engine/aggregates/decider.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { REQUEST_ANSWER_LONG_MAX_MS } from '../../limits.ts';
import type { ReadPlantedFaults } from '../../use-cases/sandboxes/planted-faults.ts';
import { withPermit } from '../http/permits.ts';
import { invalid, Problem, refused } from '../http/problems.ts';
import { comparableInstant } from '../http/text.ts';
import { SandboxParams } from './schemas.ts';

export interface PlantedFaultRouteOptions {
  /** The sandbox, if the caller may see it. @throws NOT_FOUND otherwise. */
  readonly seen: (request: FastifyRequest, sandboxId: string) => Promise<SandboxView>;
  /** `null`: this process reads no sandboxes. */
  readonly plantedFaults: ReadPlantedFaults | null;
  /** Bounds concurrent computations. */
  readonly computations: FairSemaphore;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

const instant = z.iso.datetime();

const PlantedFaultsQuery = z.strictObject({
  from: comparableInstant.optional().describe('Default: the time of the first seeded value.'),
  to: comparableInstant.optional().describe('Default: the time of the latest value.'),
});

const PlantedFaultListBody = z
  .object({
    items: z.array(
      z
        .object({
          kind: z.enum(faultKinds),
          elementId: z.uuid().describe('Id of the element inside the sandbox.'),
          pointIds: z.array(z.uuid()).describe('The points whose values it changes.'),
          from: instant,
          to: instant.describe(
            'Exclusive. For a fault that is still going on, the end of the values.',
          ),
        })
        .meta({ id: 'PlantedFault' }),
    ),
  })
  .meta({ id: 'PlantedFaultList' });

export const plantedFaultRoutes: FastifyPluginAsyncZod<PlantedFaultRouteOptions> = async (
  app,
  { seen, plantedFaults, computations, stopping },
) => {
  app.get(
    '/api/v1/sandboxes/:id/planted-faults',
    {
      config: {
        permission: 'platform.sandboxes:read',
        answerMaxMs: REQUEST_ANSWER_LONG_MAX_MS,
      },
      schema: {
        operationId: 'listPlantedFaults',
        tags: ['sandboxes'],
        summary: "The deliberate faults in a sandbox's values",
        description:
          'Ground truth to score a fault detector: computed from the same curves as the ' +
          'values, including those of the live feed and of skipped time, and limited to `from` ' +
          'and `to`. While the sandbox sleeps, it has no values. A fan fault is visible only ' +
          'while the building is unoccupied. More than 50,000 points are refused.',
        params: SandboxParams,
        querystring: PlantedFaultsQuery,
        problems: ['SANDBOX_NOT_READY', 'RATE_LIMITED'],
        response: { 200: PlantedFaultListBody },
      },
    },
    async (request, reply) => {
      const sandbox = await seen(request, request.params.id);
      if (sandbox.status !== 'ready')
        throw new Problem('SANDBOX_NOT_READY', `This sandbox is ${sandbox.status}.`);
      if (plantedFaults === null)
        throw new Problem('UNAVAILABLE', 'This server process does not host sandboxes.');
      const { from = null, to = null } = request.query;
      if (from !== null && to !== null && from > to)
        throw invalid([{ path: 'from', message: 'must not be after to' }]);
      const found = await withPermit(computations, request, reply, (gone) =>
        plantedFaults(sandbox, { from, to }, AbortSignal.any([gone, stopping])),
      );
      if (isRefusal(found)) throw refused(found);
      return { items: found.map((fault) => ({ ...fault, pointIds: [...fault.pointIds] })) };
    },
  );
};
