/** Single spaces, and resolving identifiers. contract.md section 6. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { isRefusal } from '../../engine/aggregates/decider.ts';
import type { Graph } from '../../building/graph/graph.ts';
import { LAYER_BODY_VALUES_MAX } from './limits.ts';
import { organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { commandIdOf } from '../http/commands.ts';
import { notFound, refused } from '../http/problems.ts';
import { ResolvedBody, ResolveQuestion } from './layer-schemas.ts';
import { BuildingParams, NewSpaceBody, SpaceBody } from './schemas.ts';

export interface SpaceRouteOptions {
  readonly graph: Pick<Graph, 'createSpace' | 'resolve'>;
  readonly occasionOf: OccasionOf;
}

const BUILDING = '/api/v1/buildings/:buildingId';
const tags = ['buildings'];

export const spaceRoutes: FastifyPluginAsyncZod<SpaceRouteOptions> = async (app, options) => {
  const { graph, occasionOf } = options;

  app.post(
    `${BUILDING}/spaces`,
    {
      config: { permission: 'platform.buildings:write' },
      schema: {
        operationId: 'createSpace',
        tags,
        summary: 'Add a space to a storey',
        description:
          'Code and `externalId` are both stored. A code that another space of the building has ' +
          'is refused with `CONFLICT`, as is an `externalId` that the same `sourceSystem` ' +
          'already has; a storey of another building with `REFERENCE_NOT_FOUND`. 503 while an ' +
          'import into the building is running.',
        params: BuildingParams,
        body: NewSpaceBody,
        conventions: ['idempotency-key', 'location'],
        problems: ['CONFLICT', 'REFERENCE_NOT_FOUND'],
        response: { 201: SpaceBody },
      },
    },
    async (request, reply) => {
      const { commandId, bodyHash } = commandIdOf(request);
      const { at } = occasionOf(request);
      const { buildingId } = request.params;
      const organisation = organisationIn(request);
      const command = { commandId, bodyHash, at };
      const outcome = await graph.createSpace(organisation, buildingId, request.body, command);
      if (isRefusal(outcome)) throw refused(outcome);
      const { replayed, ...space } = outcome;
      if (replayed) void reply.header('idempotent-replayed', 'true');
      const path = `${BUILDING.replace(':buildingId', buildingId)}/spaces/${space.id}`;
      return reply.code(201).header('location', path).send(space);
    },
  );

  app.post(
    `${BUILDING}/resolve`,
    {
      config: {
        permission: 'platform.buildings:read',
        bodyValuesMax: LAYER_BODY_VALUES_MAX,
      },
      schema: {
        operationId: 'resolveNodes',
        tags,
        summary: 'The internal ids of nodes, by their external identifiers or codes',
        description:
          'A code can belong to one node of each kind, and without `sourceSystem` an ' +
          '`externalId` to several source systems: all matches are returned. Changes nothing.',
        params: BuildingParams,
        body: ResolveQuestion,
        response: { 200: ResolvedBody },
      },
    },
    async (request) => {
      const { buildingId } = request.params;
      const outcome = await graph.resolve(organisationIn(request), buildingId, request.body);
      if (outcome === null) throw notFound('building');
      if (isRefusal(outcome)) throw refused(outcome);
      return { resolved: [...outcome.resolved], unmatched: [...outcome.unmatched] };
    },
  );
};
