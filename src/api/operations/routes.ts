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
    done: z.number().describe('Of what the phase is about: positions of the log, rows, indexes.'),
    total: z.number().nullable().describe('`null` where the log cannot count.'),
    perSecond: z.number(),
    secondsLeft: z.number().nullable().describe('Until the end of this phase.'),
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
      .describe('Its position in the log; `null` before the first event.'),
    lagEvents: z.int().nullable().describe("To the log's head; `null` where the log cannot count."),
    lagSeconds: z.number().describe('Age in the log of the oldest event that it lacks.'),
    state: z.enum(['building', 'live', 'waiting', 'stopped']),
    owner: z.enum(['this', 'other', 'none']).describe('Which process feeds it.'),
    parked: z.int().describe('Streams parked because an event could not be applied.'),
    lastError: z.string().nullable(),
    work: z
      .object({ kind, state: z.enum(['waiting', 'running']), progress: ProgressBody.nullable() })
      .nullable()
      .describe('Its first build, a rebuild or a verification that is asked for or under way.'),
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
      .describe('`refused`: it could have been done and was not, for the reason in `error`.'),
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
    skipped: z.int().describe('Later events of the stream that were left out with it.'),
  })
  .meta({ id: 'ParkedStream' });

const RebuildBody = z
  .strictObject({
    acceptParked: z
      .boolean()
      .default(false)
      .describe('Swap it in though streams are parked that were not.'),
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
        summary: 'Build a read model anew beside the live one, and swap it in',
        description:
          'The process that feeds it carries this out; lists are answered all the while. Its ' +
          'progress is in `GET /api/v1/operations/projections`, its outcome among its requests.',
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
        summary: 'Cancel the rebuild or verification that is asked for or under way',
        description: 'The live read model stays as it is.',
        params: NamedParams,
        response: { 202: RequestBody },
      },
    },
    async (request, reply) => {
      const cancelled = await readModels.cancel(knownName(request.params.name));
      if (!cancelled) throw new Problem('NOT_FOUND', 'Nothing of it is being rebuilt.');
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
        summary: 'What was asked of a read model, and what became of it',
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
        summary: 'Parked streams of a read model, and why',
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
              ? 'Apply a parked stream from its first parked event on'
              : 'Leave out the event that parked a stream, and go on with the stream',
          description: 'The process that feeds the read model carries this out within seconds.',
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
