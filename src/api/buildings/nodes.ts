/** One node of a building, as its list shows it. interface.md «Building graph». */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Graph } from '../../building/graph/graph.ts';
import { notFound } from '../http/problems.ts';
import { organisationIn } from '../sessions/authenticate.ts';
import {
  ElementBody,
  ElementParams,
  PointBody,
  PointParams,
  SpaceBody,
  SpaceParams,
} from './schemas.ts';

export interface NodeRouteOptions {
  readonly graph: Pick<Graph, 'space' | 'element' | 'point'>;
}

const BUILDING = '/api/v1/buildings/:buildingId';
const tags = ['buildings'];
const canRead = { permission: 'platform.buildings:read' } as const;
const requestersToo = { ...canRead, ownPermission: 'service-desk.own:read' } as const;

export const nodeRoutes: FastifyPluginAsyncZod<NodeRouteOptions> = async (app, { graph }) => {
  app.get(
    `${BUILDING}/spaces/:spaceId`,
    {
      config: requestersToo,
      schema: {
        operationId: 'getSpace',
        tags,
        summary: 'Get one space',
        params: SpaceParams,
        response: { 200: SpaceBody },
      },
    },
    async (request) => {
      const { buildingId, spaceId } = request.params;
      const space = await graph.space(organisationIn(request), buildingId, spaceId);
      if (!space) throw notFound('space');
      return space;
    },
  );

  app.get(
    `${BUILDING}/elements/:elementId`,
    {
      config: requestersToo,
      schema: {
        operationId: 'getElement',
        tags,
        summary: 'Get one element (a piece of equipment)',
        description: 'For requesters, only its name and place, as on a label.',
        params: ElementParams,
        response: { 200: ElementBody },
      },
    },
    async (request) => {
      const { buildingId, elementId } = request.params;
      const element = await graph.element(organisationIn(request), buildingId, elementId);
      if (!element) throw notFound('element');
      return request.requester ? { ...element, ...unidentified } : element;
    },
  );

  app.get(
    `${BUILDING}/points/:pointId`,
    {
      config: canRead,
      schema: {
        operationId: 'getPoint',
        tags,
        summary: 'Get one point',
        params: PointParams,
        response: { 200: PointBody },
      },
    },
    async (request) => {
      const { buildingId, pointId } = request.params;
      const point = await graph.point(organisationIn(request), buildingId, pointId);
      if (!point) throw notFound('point');
      return point;
    },
  );
};

/** External identifiers of elements are hidden from requesters. */
const unidentified = { externalId: null, sourceSystem: null, model: null } as const;
