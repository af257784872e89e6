/** Operations: the state of the read models, and rebuilding them. contract.md 10. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Asked, ProjectionRequest, ReadModels } from '../../engine/projections/read-models.ts';
import { RequestConflict } from '../../engine/consumers/requests.ts';
import { callerIn } from '../sessions/authenticate.ts';
import { CONSUMER_NAME_CHARACTERS_MAX, STREAM_CHARACTERS_MAX } from './limits.ts';
import { optionalBody } from '../http/bodies.ts';
import { exampled } from '../http/examples.ts';
import { pathName } from '../http/path-names.ts';
import { Problem } from '../http/problems.ts';

export interface OperationsRouteOptions {
  readonly readModels: Pick<
    ReadModels,
    'names' | 'status' | 'ask' | 'cancel' | 'requests' | 'parked'
  >;
}

const ProgressBody = z
  .object({
    phase: z.enum(['reading', 'writing', 'indexing', 'catching up', 'swapping', 'comparing']),
    done: z.number().describe('Finished units of the phase: log positions, rows or indexes.'),
    total: z
      .number()
      .nullable()
      .describe('Total units of the phase; `null` if the log cannot count events.'),
    perSecond: z.number(),
    secondsLeft: z.number().nullable().describe('Estimated seconds until the end of this phase.'),
  })
  .meta({ id: 'WorkProgress' });

const kind = z.enum(['build', 'rebuild', 'verify', 'retry', 'skip']);

const ProjectionBody = z
  .object({
    name: z.string(),
    version: z.int(),
    position: z
      .string()
      .nullable()
      .describe('Log position of the last applied event; `null` before the first one.'),
    lagEvents: z
      .int()
      .nullable()
      .describe(
        'Number of events behind the head of the log; `null` if the log cannot count events.',
      ),
    lagSeconds: z.number().describe('Age in the log of the oldest event that is not yet applied.'),
    state: z.enum(['building', 'live', 'waiting', 'stopped']),
    owner: z
      .enum(['this', 'other', 'none'])
      .describe('The server process that updates the read model.'),
    parked: z.int().describe('Streams parked because an event could not be applied.'),
    lastError: z.string().nullable(),
    work: z
      .object({ kind, state: z.enum(['waiting', 'running']), progress: ProgressBody.nullable() })
      .nullable()
      .describe('The first build, rebuild or verification that is requested or running.'),
  })
  .meta({ id: 'Projection' });

const RequestBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    version: z.int(),
    kind,
    stream: z.string().nullable(),
    acceptParked: z.boolean(),
    state: z
      .enum(['waiting', 'running', 'done', 'refused', 'failed', 'cancelled'])
      .describe('`refused`: not carried out, for the reason in `error`.'),
    askedAt: z.iso.datetime(),
    askedBy: z.string(),
    endedAt: z.iso.datetime().nullable(),
    progress: ProgressBody.nullable(),
    result: z.record(z.string(), z.unknown()).nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'ProjectionRequest' });

const ParkedBody = z
  .object({
    stream: z.string(),
    eventId: z.uuid().describe('The first event that could not be applied.'),
    revision: z.int(),
    position: z.string(),
    error: z.string(),
    parkedAt: z.iso.datetime(),
    skipped: z
      .int()
      .describe('Number of later events of the stream that were not processed either.'),
  })
  .meta({ id: 'ParkedStream' });

const RebuildBody = z
  .strictObject({
    acceptParked: z
      .boolean()
      .default(false)
      .describe('Activate the new build even if streams are parked that were not parked before.'),
  })
  .meta({ id: 'Rebuild', ...exampled({ acceptParked: false }) });

const listOf = <Row extends z.ZodType>(row: Row, id: string) =>
  z.object({ items: z.array(row) }).meta({ id });

const ProjectionListBody = listOf(ProjectionBody, 'ProjectionList');
const ProjectionRequestListBody = listOf(RequestBody, 'ProjectionRequestList');
const ParkedStreamListBody = listOf(ParkedBody, 'ParkedStreamList');

const NamedParams = z.object({
  name: pathName(z.string().max(CONSUMER_NAME_CHARACTERS_MAX).meta(exampled('ticket-list'))),
});
const StreamParams = z.object({
  ...NamedParams.shape,
  stream: pathName(z.string().max(STREAM_CHARACTERS_MAX)),
});
const read = { permission: 'platform.operations:read' } as const;
const write = { permission: 'platform.operations:write' } as const;
const tags = ['operations'];

export const operationsRoutes: FastifyPluginAsyncZod<OperationsRouteOptions> = async (
  app,
  { readModels },
) => {
  const knownName = (name: string): string => {
    if (!readModels.names.includes(name)) throw new Problem('NOT_FOUND', 'No such read model.');
    return name;
  };

  const ask = async (name: string, asked: Asked) => {
    try {
      return await readModels.ask(knownName(name), asked);
    } catch (error) {
      if (error instanceof RequestConflict) throw new Problem('CONFLICT', `${error.message}.`);
      throw error;
    }
  };

  app.get(
    '/api/v1/operations/projections',
    {
      config: read,
      schema: {
        operationId: 'listProjections',
        tags,
        summary: 'Status of each read model',
        response: { 200: ProjectionListBody },
      },
    },
    async () => ({ items: [...(await readModels.status())] }),
  );

  app.post(
    '/api/v1/operations/projections/:name/rebuild',
    {
      config: write,
      schema: {
        operationId: 'rebuildProjection',
        tags,
        summary: 'Rebuild a read model next to the live one, then replace it',
        description:
          'Carried out by the process that updates the read model; queries are served ' +
          'throughout. For the progress see `GET /api/v1/operations/projections`, for the ' +
          'outcome the requests of the read model.',
        params: NamedParams,
        body: optionalBody(RebuildBody),
        problems: ['CONFLICT'],
        response: { 202: RequestBody },
      },
    },
    async (request, reply) => {
      const { acceptParked } = request.body;
      const by = callerIn(request).actor.id;
      const asked = await ask(request.params.name, { kind: 'rebuild', acceptParked, by });
      return reply.code(202).send(bodyOf(asked));
    },
  );

  app.delete(
    '/api/v1/operations/projections/:name/rebuild',
    {
      config: write,
      schema: {
        operationId: 'cancelRebuild',
        tags,
        summary: 'Cancel the requested or running rebuild or verification',
        description: 'The live read model stays unchanged.',
        params: NamedParams,
        response: { 202: RequestBody },
      },
    },
    async (request, reply) => {
      const cancelled = await readModels.cancel(knownName(request.params.name));
      if (!cancelled)
        throw new Problem(
          'NOT_FOUND',
          'No rebuild or verification of this read model is requested or running.',
        );
      return reply.code(202).send(bodyOf(cancelled));
    },
  );

  app.get(
    '/api/v1/operations/projections/:name/requests',
    {
      config: read,
      schema: {
        operationId: 'listProjectionRequests',
        tags,
        summary: 'The requests to a read model and their outcomes',
        params: NamedParams,
        response: { 200: ProjectionRequestListBody },
      },
    },
    async ({ params }) => ({
      items: (await readModels.requests(knownName(params.name))).map(bodyOf),
    }),
  );

  app.get(
    '/api/v1/operations/projections/:name/parked',
    {
      config: read,
      schema: {
        operationId: 'listParkedStreams',
        tags,
        summary: 'Parked streams of a read model, with their errors',
        params: NamedParams,
        response: { 200: ParkedStreamListBody },
      },
    },
    async ({ params }) => ({ items: [...(await readModels.parked(knownName(params.name)))] }),
  );

  for (const again of ['retry', 'skip'] as const)
    app.post(
      `/api/v1/operations/projections/:name/parked/:stream/${again}`,
      {
        config: write,
        schema: {
          operationId: `${again}ParkedStream`,
          tags,
          summary:
            again === 'retry'
              ? 'Retry a parked stream from its first parked event'
              : 'Skip the event that parked a stream, and continue with the stream',
          description: 'The process that updates the read model carries this out within seconds.',
          params: StreamParams,
          problems: ['CONFLICT'],
          response: { 202: RequestBody },
        },
      },
      async (request, reply) => {
        const { name, stream } = request.params;
        const parked = await readModels.parked(knownName(name));
        if (!parked.some((one) => one.stream === stream))
          throw new Problem('NOT_FOUND', 'No such stream is parked.');
        const by = callerIn(request).actor.id;
        return reply.code(202).send(bodyOf(await ask(name, { kind: again, stream, by })));
      },
    );
};

const bodyOf = ({ result, ...request }: ProjectionRequest) => ({
  ...request,
  result: result === null ? null : { ...result },
});
