/** Plans of storeys. contract.md section 6 «Outlines». */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Plans } from '../../building/plans/plans.ts';
import type { StoreyPlace } from '../../building/plans/storey.ts';
import { isRefusal } from '../../engine/aggregates/decider.ts';
import { contentTagOf } from '../http/conditional.ts';
import { notFound, Problem, refused } from '../http/problems.ts';
import { organisationIn } from '../sessions/authenticate.ts';
import { OUTLINE_BODY_VALUES_MAX } from './limits.ts';
import { OutlineBody, PlanBody, PlanQuery } from './plan-schemas.ts';
import { BuildingParams, SpaceParams } from './schemas.ts';

export interface PlanRouteOptions {
  readonly plans: Plans;
}

const BUILDING = '/api/v1/buildings/:buildingId';
const tags = ['buildings'];

export const noStorey = ({ storeyId }: Pick<StoreyPlace, 'storeyId'>): Problem =>
  storeyId === undefined
    ? new Problem('NOT_FOUND', 'No building has this id, or it has no storey.')
    : notFound('storey');

export const planRoutes: FastifyPluginAsyncZod<PlanRouteOptions> = async (app, { plans }) => {
  app.get(
    `${BUILDING}/plan`,
    {
      config: { permission: 'platform.buildings:read', ownPermission: 'service-desk.own:read' },
      schema: {
        operationId: 'getPlan',
        tags,
        summary: 'The plan of a storey',
        description:
          'In metres, in the storey’s own coordinates, y upwards. If no room has an outline, ' +
          'rooms are rectangles sized by their area, and `schematic` is true.',
        params: BuildingParams,
        querystring: PlanQuery,
        conventions: ['content-etag'],
        response: { 200: PlanBody },
      },
    },
    async (request, reply) => {
      const { buildingId } = request.params;
      const { storeyId } = request.query;
      const organisation = organisationIn(request);
      const plan = await plans.plan({ organisation, buildingId, storeyId });
      if (!plan) throw noStorey({ storeyId });
      void reply.header('etag', contentTagOf(plan.json)).type('application/json; charset=utf-8');
      // Sent as it is stored: a plan of megabytes is not serialised again.
      return reply.serializer(String).send(plan.json as never);
    },
  );

  app.put(
    `${BUILDING}/spaces/:spaceId/outline`,
    {
      config: {
        permission: 'platform.buildings:write',
        bodyValuesMax: OUTLINE_BODY_VALUES_MAX,
      },
      schema: {
        operationId: 'putSpaceOutline',
        tags,
        summary: 'Set the outline of a space',
        description:
          'Returns the outline as stored: in whole millimetres, counter-clockwise. `null` ' +
          'removes it. Repeating the request changes nothing. 503 while an import into the ' +
          'building is running.',
        params: SpaceParams,
        body: OutlineBody,
        response: { 200: OutlineBody },
      },
    },
    async (request) => {
      const stored = await plans.putOutline(
        organisationIn(request),
        request.params,
        request.body.outline,
      );
      if (isRefusal(stored)) throw refused(stored);
      return stored;
    },
  );
};
