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
  name: z.string().describe('Name of the read model or the process; `changes` is the change feed.'),
};

const ParkedInBody = z
  .object({
    ...where,
    eventId: z.uuid().describe('The event that a skip would leave out.'),
    revision: z.int(),
    position: z.string(),
    error: z.string(),
    skipped: z
      .int()
      .describe('Number of later events of the stream that were not processed either.'),
  })
  .meta({ id: 'ParkedIn' });

const RequestedSkipBody = z
  .object({
    ...where,
    requestId: z
      .uuid()
      .nullable()
      .describe('`null` for the feed, where the skip takes effect at once.'),
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
        summary:
          'The read models, processes and feeds that have parked a stream, with their errors',
        description: 'The events that a skip would leave out. Empty if the stream is not parked.',
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
        summary: 'Skip the event that parked a stream, wherever it is parked',
        description:
          'The processes that own the stream carry this out within seconds. Repeating the ' +
          'request is safe; `items` is empty if the stream is not parked.',
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
