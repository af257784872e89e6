/** The building graph. interface.md «Building graph», contract.md section 6. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Graph, ImportResult, Page } from '../../graph/graph.ts';
import { importDocument, type ImportDocument } from '../../domain/building/document.ts';
import { isRefusal } from '../../domain/decider.ts';
import {
  IMPORT_BODY_BYTES_MAX,
  IMPORT_BODY_VALUES_MAX,
  REQUEST_ANSWER_LONG_MAX_MS,
} from '../../limits.ts';
import { organisationIn, type OccasionOf } from '../auth/authenticate.ts';
import {
  BuildingBody,
  BuildingListBody,
  BuildingParams,
  ElementListBody,
  ImportBody,
  ImportQuery,
  PageQuery,
  PointListBody,
  SpaceListBody,
  spacesQuery,
  StoreyListBody,
} from './schemas.ts';
import { commandIdOf } from '../http/commands.ts';
import { notFound, refused } from '../http/problems.ts';

export interface BuildingRouteOptions {
  readonly graph: Graph;
  /** `SPACES_LIMIT_CAP`: the largest page of spaces that this deployment gives. */
  readonly spacesPageMax: number;
  readonly occasionOf: OccasionOf;
}

const BUILDINGS = '/api/v1/buildings';
const NEW_IMPORT = `${BUILDINGS}/import`;
const BUILDING = `${BUILDINGS}/:buildingId`;
const IMPORT_INTO = `${BUILDING}/import`;
const tags = ['buildings'];

const canRead = { permission: 'platform.buildings:read' } as const;
const canWrite = { permission: 'platform.buildings:write' } as const;

export const buildingRoutes: FastifyPluginAsyncZod<BuildingRouteOptions> = async (app, options) => {
  const { graph, spacesPageMax, occasionOf } = options;

  const importFrom = async (
    request: FastifyRequest,
    reply: FastifyReply,
    document: ImportDocument,
    into: { readonly buildingId?: string; readonly replace?: boolean },
  ): Promise<Omit<ImportResult, 'replayed'>> => {
    const { commandId, bodyHash } = commandIdOf(request);
    const { at, by } = occasionOf(request);
    const outcome = await graph.importBuilding(organisationIn(request), document, {
      at,
      by,
      commandId,
      // What the query says is part of what is asked for.
      bodyHash: bodyHash && (into.replace === true ? `${bodyHash}.replace` : bodyHash),
      ...into,
    });
    if (isRefusal(outcome)) throw refused(outcome);
    const { replayed, ...result } = outcome;
    if (replayed) void reply.header('idempotent-replayed', 'true');
    return result;
  };

  app.get(
    BUILDINGS,
    {
      config: canRead,
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

  app.post(
    NEW_IMPORT,
    {
      config: imports,
      bodyLimit: IMPORT_BODY_BYTES_MAX,
      schema: {
        operationId: 'importBuilding',
        tags,
        summary: 'Make a building from a document',
        description: lines(
          'All of it or nothing.',
          'The same document twice makes two buildings; with the same `Idempotency-Key`, one.',
          'A code or an external identifier that occurs twice is a `CONFLICT`.',
        ),
        body: importDocument,
        response: { 201: ImportBody },
      },
    },
    async (request, reply) => {
      const result = await importFrom(request, reply, request.body, {});
      return reply.code(201).header('location', `${BUILDINGS}/${result.buildingId}`).send(result);
    },
  );

  app.post(
    IMPORT_INTO,
    {
      config: imports,
      bodyLimit: IMPORT_BODY_BYTES_MAX,
      schema: {
        operationId: 'importIntoBuilding',
        tags,
        summary: 'Import a document into a building',
        description: lines(
          'All of it or nothing.',
          'A node is the one with the same (sourceSystem, externalId),',
          'else the one of its kind with the same code.',
          '`replace=false` adds what is new, updates what the document says, and removes nothing.',
          '`replace=true` makes every node anew: internal ids change, external ones stay.',
        ),
        params: BuildingParams,
        querystring: ImportQuery,
        body: importDocument,
        response: { 200: ImportBody },
      },
    },
    async (request, reply) =>
      importFrom(request, reply, request.body, { ...request.params, ...request.query }),
  );

  app.get(
    BUILDING,
    {
      config: canRead,
      schema: {
        operationId: 'getBuilding',
        tags,
        summary: 'A building',
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
      config: canRead,
      schema: {
        operationId: 'listStoreys',
        tags,
        summary: 'Its storeys, from the lowest up',
        params: BuildingParams,
        querystring: PageQuery,
        response: { 200: StoreyListBody },
      },
    },
    async (request) =>
      known(await graph.storeys(organisationIn(request), request.params.buildingId, request.query)),
  );

  app.get(
    `${BUILDING}/spaces`,
    {
      config: canRead,
      schema: {
        operationId: 'listSpaces',
        tags,
        summary: 'Its spaces, by code',
        description: lines(
          'All filters given must hold.',
          'There is none for externalId or code: neither is a lookup key.',
        ),
        params: BuildingParams,
        querystring: spacesQuery(spacesPageMax),
        response: { 200: SpaceListBody },
      },
    },
    async (request) =>
      known(await graph.spaces(organisationIn(request), request.params.buildingId, request.query)),
  );

  app.get(
    `${BUILDING}/elements`,
    {
      config: canRead,
      schema: {
        operationId: 'listElements',
        tags,
        summary: 'Its equipment, by code',
        params: BuildingParams,
        querystring: PageQuery,
        response: { 200: ElementListBody },
      },
    },
    async (request) =>
      known(
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
        summary: 'Its points, by code',
        params: BuildingParams,
        querystring: PageQuery,
        response: { 200: PointListBody },
      },
    },
    async (request) =>
      known(await graph.points(organisationIn(request), request.params.buildingId, request.query)),
  );
};

const imports = {
  ...canWrite,
  answerMaxMs: REQUEST_ANSWER_LONG_MAX_MS,
  bodyValuesMax: IMPORT_BODY_VALUES_MAX,
};

const lines = (...sentences: readonly string[]): string => sentences.join(' ');

/** Somebody else's building is no building. */
const known = <Row>(page: Page<Row> | null) => {
  if (!page) throw notFound('building');
  return writable(page);
};

/** Response types are of plain arrays. */
const writable = <Row>({ items, ...page }: Page<Row>) => ({ ...page, items: [...items] });
