/** The building graph. interface.md «Building graph», contract.md section 6. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Graph, Page } from '../../building/graph/graph.ts';
import { organisationIn } from '../sessions/authenticate.ts';
import { dataLayerRoutes, type DataLayerRouteOptions } from './data-layers.ts';
import { importRoutes, type ImportRouteOptions } from './imports.ts';
import { nodeRoutes } from './nodes.ts';
import { planColourRoutes, type PlanColourRouteOptions } from './plan-colours.ts';
import { planRoutes, type PlanRouteOptions } from './plans.ts';
import { spaceRoutes } from './spaces.ts';
import {
  BuildingBody,
  BuildingListBody,
  BuildingParams,
  ElementListBody,
  InSpaceQuery,
  PageQuery,
  PointListBody,
  SpaceListBody,
  spacesQuery,
  StoreyListBody,
} from './schemas.ts';
import { notFound } from '../http/problems.ts';

export interface BuildingRouteOptions
  extends ImportRouteOptions, DataLayerRouteOptions, PlanRouteOptions, PlanColourRouteOptions {
  readonly graph: Graph;
  /** `SPACES_LIMIT_CAP`: the deployment's largest page of spaces. */
  readonly spacesPageMax: number;
}

const BUILDINGS = '/api/v1/buildings';
const BUILDING = `${BUILDINGS}/:buildingId`;
const tags = ['buildings'];

const canRead = { permission: 'platform.buildings:read' } as const;
const requestersToo = { ...canRead, ownPermission: 'service-desk.own:read' } as const;

export const buildingRoutes: FastifyPluginAsyncZod<BuildingRouteOptions> = async (app, options) => {
  const { graph, spacesPageMax } = options;

  await app.register(importRoutes, options);
  await app.register(spaceRoutes, options);
  await app.register(nodeRoutes, options);
  await app.register(dataLayerRoutes, options);
  await app.register(planRoutes, options);
  await app.register(planColourRoutes, options);

  app.get(
    BUILDINGS,
    {
      config: requestersToo,
      schema: {
        operationId: 'listBuildings',
        tags,
        summary: "The organisation's buildings, by code",
        querystring: PageQuery,
        response: { 200: BuildingListBody },
      },
    },
    async (request) => writable(await graph.buildings(organisationIn(request), request.query)),
  );

  app.get(
    BUILDING,
    {
      config: requestersToo,
      schema: {
        operationId: 'getBuilding',
        tags,
        summary: 'Get one building',
        params: BuildingParams,
        response: { 200: BuildingBody },
      },
    },
    async (request) => {
      const building = await graph.building(organisationIn(request), request.params.buildingId);
      if (!building) throw notFound('building');
      return building;
    },
  );

  app.get(
    `${BUILDING}/storeys`,
    {
      config: requestersToo,
      schema: {
        operationId: 'listStoreys',
        tags,
        summary: 'List the storeys of a building, from the lowest up',
        params: BuildingParams,
        querystring: PageQuery,
        response: { 200: StoreyListBody },
      },
    },
    async (request) =>
      pageOrThrow(
        await graph.storeys(organisationIn(request), request.params.buildingId, request.query),
      ),
  );

  app.get(
    `${BUILDING}/spaces`,
    {
      config: requestersToo,
      schema: {
        operationId: 'listSpaces',
        tags,
        summary: 'List the spaces of a building, by code',
        description: lines(
          'All filters must match.',
          'There is no filter for externalId or code: neither is a lookup key.',
        ),
        params: BuildingParams,
        querystring: spacesQuery(spacesPageMax),
        response: { 200: SpaceListBody },
      },
    },
    async (request) =>
      pageOrThrow(
        await graph.spaces(organisationIn(request), request.params.buildingId, request.query),
      ),
  );

  app.get(
    `${BUILDING}/elements`,
    {
      config: canRead,
      schema: {
        operationId: 'listElements',
        tags,
        summary: 'List the elements of a building, by code',
        params: BuildingParams,
        querystring: InSpaceQuery,
        response: { 200: ElementListBody },
      },
    },
    async (request) =>
      pageOrThrow(
        await graph.elements(organisationIn(request), request.params.buildingId, request.query),
      ),
  );

  app.get(
    `${BUILDING}/points`,
    {
      config: canRead,
      schema: {
        operationId: 'listPoints',
        tags,
        summary: 'List the points of a building, by code',
        params: BuildingParams,
        querystring: InSpaceQuery,
        response: { 200: PointListBody },
      },
    },
    async (request) =>
      pageOrThrow(
        await graph.points(organisationIn(request), request.params.buildingId, request.query),
      ),
  );
};

const lines = (...sentences: readonly string[]): string => sentences.join(' ');

/** Another organisation's building is answered as if it did not exist. */
const pageOrThrow = <Row>(page: Page<Row> | null) => {
  if (!page) throw notFound('building');
  return writable(page);
};

/** The response types have mutable arrays. */
const writable = <Row>({ items, ...page }: Page<Row>) => ({ ...page, items: [...items] });
