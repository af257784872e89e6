/** Imports of buildings. interface.md «Building graph», contract.md sections 1 and 6. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { isRefusal } from '../../engine/aggregates/decider.ts';
import type { Graph } from '../../building/graph/graph.ts';
import type { BuildingImports } from '../../building/imports/imports.ts';
import type { ImportFormat } from '../../building/imports/reader.ts';
import type { ImportPhase } from '../../building/imports/thread-messages.ts';
import { IMPORT_BODY_BYTES_MAX, REQUEST_ANSWER_LONG_MAX_MS } from '../../limits.ts';
import { callerIn, organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { refuseEncoding } from '../http/bodies.ts';
import { NDJSON } from '../http/answer-lines.ts';
import { namedCommandOf } from '../http/commands.ts';
import { REQUEST_RECEIVE_TIMEOUT_MS } from '../http/limits.ts';
import { CallerGone, goneSignal } from '../http/permits.ts';
import { notFound, Problem, refused } from '../http/problems.ts';
import { bytesOf } from '../http/upload.ts';
import { answerInLines, ImportLine, wantsLines } from './import-progress.ts';
import {
  BuildingParams,
  DocumentBody,
  ImportBody,
  ImportPreviewBody,
  ImportQuery,
  NewImportQuery,
} from './schemas.ts';

export interface ImportRouteOptions {
  readonly graph: Pick<Graph, 'building'>;
  readonly imports: BuildingImports;
  readonly occasionOf: OccasionOf;
  /** Aborts when the server stops: uploads are then ended. */
  readonly stopping: AbortSignal;
}

const BUILDINGS = '/api/v1/buildings';

const tags = ['buildings'];
const canWrite = { permission: 'platform.buildings:write' } as const;

const formats: Readonly<Record<string, ImportFormat>> = {
  'application/json': 'json',
  'application/x-step': 'ifc',
  'model/step': 'ifc',
};
const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const IFC_FILE = 'An IFC file (STEP; IFC2x3, IFC4 or IFC4x3), at most 64 MiB.';
const IN_LINES =
  'If `Accept` prefers NDJSON, the response is a 200 that starts when the document has ' +
  'been received: one line per phase, and finally the `result` or the `problem`.';
const inLines = (body: z.ZodType) => ({
  description: 'The result of the import or of the dry run.',
  content: { 'application/json': { schema: body }, [NDJSON]: { schema: ImportLine } },
});
const files = { 'application/x-step': IFC_FILE, 'model/step': IFC_FILE };

/**
 * The server does not parse the body: its bytes go to a thread as they arrive. Its schema documents
 * the route in OpenAPI.
 */
export const importRoutes: FastifyPluginAsyncZod<ImportRouteOptions> = async (app, options) => {
  const { graph, imports, occasionOf, stopping } = options;
  const validatorOfOthers = app.validatorCompiler!;

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(Object.keys(formats), async (request: FastifyRequest) => {
    refuseEncoding(request);
    if (Number(request.headers['content-length'] ?? 0) > IMPORT_BODY_BYTES_MAX) throw tooLarge();
  });
  app.addContentTypeParser('*', async (request: FastifyRequest) => formatOf(request));
  app.setValidatorCompiler((route) =>
    route.httpPart === 'body' ? () => true : validatorOfOthers(route),
  );

  const importFrom = async (
    request: FastifyRequest,
    reply: FastifyReply,
    asked: {
      readonly buildingId?: string;
      readonly replace?: boolean;
      readonly dryRun: boolean;
      readonly model?: string | undefined;
      readonly building?: string | undefined;
      readonly storeys?: readonly string[] | undefined;
    },
  ) => {
    const { dryRun, building, storeys = [], ...into } = asked;
    const organisation = organisationIn(request);
    const { commandId, named } = namedCommandOf(request);
    const { at, by } = occasionOf(request);
    // Refused before the upload, not after it.
    if (into.buildingId !== undefined && !(await graph.building(organisation, into.buildingId))) {
      throw notFound('building');
    }
    const format = formatOf(request);
    const bytes = bytesOf(request.raw, {
      signal: AbortSignal.any([goneSignal(reply), stopping]),
      silentMaxMs: REQUEST_RECEIVE_TIMEOUT_MS,
      silent: () => new CallerGone(),
    });
    const run = async (onPhase?: (phase: ImportPhase) => void) => {
      const asRequested = {
        organisation,
        caller: callerIn(request).actor.id,
        named,
        options: { at, by, commandId, ...into, storeys: givenStoreysIn(storeys) },
        building,
        isDryRun: dryRun,
      };
      const outcome = await imports
        .run({ format, bytes }, asRequested, onPhase)
        .catch((error: unknown) => {
          throw error === stopping.reason ? stopped() : error;
        });
      if (isRefusal(outcome)) throw refused(outcome);
      const { replayed, warnings, storeys: found, buildingId, ...result } = outcome;
      const isNew = into.buildingId === undefined && dryRun;
      return {
        result: {
          ...(isNew ? {} : { buildingId }),
          ...result,
          storeys: [...found],
          warnings: [...warnings],
        },
        replayed,
      };
    };
    // `never`, because the body schemas type the handlers, and streams bypass them.
    if (wantsLines(request)) return (await answerInLines(request, reply, run)) as never;
    const { result, replayed } = await run();
    if (replayed) void reply.header('idempotent-replayed', 'true');
    return result;
  };

  app.post(
    `${BUILDINGS}/import`,
    {
      config: { ...canWrite, answerMaxMs: REQUEST_ANSWER_LONG_MAX_MS },
      schema: {
        operationId: 'importBuilding',
        tags,
        summary: 'Create a building from a document',
        description: lines(
          'Atomic: everything is imported or nothing.',
          'Sending the same document twice creates two buildings; with the same',
          '`Idempotency-Key`, one.',
          'A duplicate code or external identifier is refused with `CONFLICT`.',
          'Nodes of an IFC file get the `sourceSystem` `ifc` and their GlobalId as `externalId`;',
          'their codes are generated from their names and stay the same as long as the GlobalId',
          'does.',
          'Errors give the path in a document, or the line of a file.',
          'A sensor of an IFC file becomes a point of the element it is assigned to, else of an',
          'element `sensors` of its room.',
          'A file with several buildings needs `building`; the error lists them.',
          'With `dryRun=true` the response is a 200 without an id.',
          IN_LINES,
        ),
        querystring: NewImportQuery,
        body: DocumentBody,
        files,
        conventions: ['idempotency-key', 'location'],
        problems: ['CONFLICT', 'RATE_LIMITED'],
        response: { 200: inLines(ImportPreviewBody), 201: ImportBody },
      },
    },
    async (request, reply) => {
      const result = await importFrom(request, reply, request.query);
      if (request.query.dryRun || wantsLines(request)) return reply.code(200).send(result);
      return reply.code(201).header('location', `${BUILDINGS}/${result.buildingId}`).send(result);
    },
  );

  app.post(
    `${BUILDINGS}/:buildingId/import`,
    {
      config: { ...canWrite, answerMaxMs: REQUEST_ANSWER_LONG_MAX_MS },
      schema: {
        operationId: 'importIntoBuilding',
        tags,
        summary: 'Import a document into a building',
        description: lines(
          'Atomic: everything is imported or nothing.',
          'A node of the document is matched to the node with the same (sourceSystem,',
          'externalId), else to the node of its kind with the same code.',
          '`replace=false` adds new nodes, updates nodes that the document contains, and removes',
          'nothing.',
          '`replace=true` recreates every node of the model: internal ids change, external ids',
          'stay.',
          'With `model`, the document is one of several models, and nodes of other models stay',
          'unchanged: its storeys and rooms are matched to those of other models by identity,',
          'storeys also by elevation and name; `storeys` in the response lists the matches.',
          'Elements without a room in the document are assigned to the room whose outline',
          'contains them.',
          'A document without storeys and with `replace=true` removes a model.',
          IN_LINES,
        ),
        params: BuildingParams,
        querystring: ImportQuery,
        body: DocumentBody,
        files,
        conventions: ['idempotency-key'],
        problems: ['CONFLICT', 'REFERENCE_NOT_FOUND', 'RATE_LIMITED'],
        response: { 200: inLines(ImportBody) },
      },
    },
    async (request, reply) => importFrom(request, reply, { ...request.params, ...request.query }),
  );
};

/** Each `<from>:<to>`; the last colon separates. */
const givenStoreysIn = (given: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    given.map((pair) => {
      const at = pair.lastIndexOf(':');
      return [pair.slice(0, at), pair.slice(at + 1).toLowerCase()];
    }),
  );

/** By the media type, whatever its parameters. */
const formatOf = ({ headers }: FastifyRequest): ImportFormat => {
  const type = headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase();
  const format = formats[type ?? ''];
  if (!format) {
    const accepted = anyOf.format(Object.keys(formats));
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', `This route accepts ${accepted}.`);
  }
  return format;
};

const stopped = () => new Problem('UNAVAILABLE', 'The server is stopping.');

const tooLarge = () => {
  const mib = IMPORT_BODY_BYTES_MAX / 1024 / 1024;
  return new Problem('PAYLOAD_TOO_LARGE', `The document is larger than ${mib} MiB.`);
};

const lines = (...sentences: readonly string[]): string => sentences.join(' ');
