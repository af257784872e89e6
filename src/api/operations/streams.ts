/** Lists the consumers that have parked a stream, and skips it in all. contract.md section 10. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { STREAM_CHARACTERS_MAX } from './limits.ts';
import type { StreamSkip } from '../../processes/operations/stream-skip.ts';
import { callerIn } from '../sessions/authenticate.ts';
import { demo, exampled } from '../http/examples.ts';
import { pathName } from '../http/path-names.ts';

export interface StreamRouteOptions {
  readonly streamSkip: Pick<StreamSkip, 'parked' | 'skip'>;
}

const where = {
  kind: z.enum(['projection', 'process', 'feed']),
  name: z.string().describe('Of the read model or the process; `changes` is the change feed.'),
};

const ParkedInBody = z
  .object({
    ...where,
    eventId: z.uuid().describe('The event that a skip leaves out.'),
    revision: z.int(),
    position: z.string(),
    error: z.string(),
    skipped: z.int().describe('Later events that were left out with it.'),
  })
  .meta({ id: 'ParkedIn' });

const RequestedSkipBody = z
  .object({
    ...where,
    requestId: z.uuid().nullable().describe('`null` of the feed, which is done at once.'),
    state: z.enum(['waiting', 'running', 'done', 'refused', 'failed', 'cancelled']),
  })
  .meta({ id: 'RequestedSkip' });

const ParkedInListBody = z.object({ items: z.array(ParkedInBody) }).meta({ id: 'ParkedInList' });
const RequestedSkipListBody = z
  .object({ items: z.array(RequestedSkipBody) })
  .meta({ id: 'RequestedSkipList' });

const StreamParams = z.object({
  stream: pathName(
    z
      .string()
      .max(STREAM_CHARACTERS_MAX)
      .meta(exampled(`ticket-${demo.ticketId}`)),
  ),
});
const tags = ['operations'];
const STREAMS = '/api/v1/operations/streams';

export const streamRoutes: FastifyPluginAsyncZod<StreamRouteOptions> = async (
  app,
  { streamSkip },
) => {
  app.get(
    `${STREAMS}/:stream/parked`,
    {
      config: { permission: 'platform.operations:read' },
      schema: {
        operationId: 'listWhereStreamIsParked',
        tags,
        summary: 'Which read models, processes and feeds have parked a stream, and why',
        description:
          'The events that a skip would leave out. Empty where the stream is not parked.',
        params: StreamParams,
        response: { 200: ParkedInListBody },
      },
    },
    async ({ params }) => ({ items: [...(await streamSkip.parked(params.stream))] }),
  );

  app.post(
    `${STREAMS}/:stream/skip`,
    {
      config: { permission: 'platform.operations:write' },
      schema: {
        operationId: 'skipStream',
        tags,
        summary: 'Leave out the event that parked a stream, wherever it is parked',
        description:
          'The processes that own it carry this out within seconds. Repeating it requests ' +
          'nothing twice; `items` is empty where the stream is not parked.',
        params: StreamParams,
        response: { 202: RequestedSkipListBody },
      },
    },
    async (request, reply) => {
      const items = await streamSkip.skip(request.params.stream, callerIn(request).actor);
      return reply.code(202).send({ items: [...items] });
    },
  );
};
