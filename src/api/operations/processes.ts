/** The state of processes and timers, and their parked work. contract.md section 10. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { UnknownProcess, type ProcessControl } from '../../engine/control/process-control.ts';
import { callerIn } from '../sessions/authenticate.ts';
import {
  CONSUMER_NAME_CHARACTERS_MAX,
  PARKED_LISTED_MAX,
  STREAM_CHARACTERS_MAX,
} from './limits.ts';
import { demo, exampled } from '../http/examples.ts';
import { pathName } from '../http/path-names.ts';
import { Problem } from '../http/problems.ts';

export interface ProcessRouteOptions {
  readonly control: ProcessControl;
}

const ProcessBody = z
  .object({
    name: z.string(),
    kind: z.enum(['process', 'timers']),
    position: z
      .string()
      .nullable()
      .describe(
        'Log position up to which the process has handled events; for timers, up to which it ' +
          'has read them.',
      ),
    lagEvents: z
      .int()
      .nullable()
      .describe(
        'Number of events behind the head of the log; `null` if the log cannot count events.',
      ),
    lagSeconds: z.number().describe('Age in the log of the oldest event that is not yet handled.'),
    state: z
      .enum(['live', 'waiting', 'stopped'])
      .describe(
        '`live`: run by this server process; `waiting`: run by another one; `stopped`: not ' +
          'running.',
      ),
    owner: z.enum(['this', 'other', 'none']),
    parked: z
      .int()
      .describe('Parked streams and stuck timers, which an operator can retry or skip.'),
    retrying: z.int().describe('Streams that are retried automatically.'),
    nextDueAt: z.iso.datetime().nullable().describe('The next due time of a timer.'),
    lastError: z.string().nullable(),
  })
  .meta({ id: 'Process' });

const ParkedBody = z
  .object({
    stream: z
      .string()
      .describe(
        'The stream, or the key by which the process orders its work; for a timer, its key.',
      ),
    eventId: z.uuid().nullable().describe('The first event that could not be handled.'),
    revision: z.int().nullable(),
    position: z.string().nullable(),
    dueAt: z.iso.datetime().nullable().describe('Only for a timer.'),
    error: z.string().nullable(),
    parkedAt: z.iso.datetime(),
    skipped: z
      .int()
      .describe('Number of later events of the stream that were not processed either.'),
    retryAt: z.iso.datetime().nullable().describe('When the next automatic retry is due.'),
  })
  .meta({ id: 'ParkedOfProcess' });

const RequestBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    kind: z.enum(['retry', 'skip']),
    stream: z.string(),
    state: z.enum(['waiting', 'running', 'done', 'refused', 'failed', 'cancelled']),
    askedAt: z.iso.datetime(),
    askedBy: z.string(),
  })
  .meta({ id: 'ProcessRequest' });

const ProcessListBody = z.object({ items: z.array(ProcessBody) }).meta({ id: 'ProcessList' });
const ParkedListBody = z.object({ items: z.array(ParkedBody) }).meta({ id: 'ParkedOfProcessList' });
const StreamBody = z
  .strictObject({ stream: z.string().min(1).max(STREAM_CHARACTERS_MAX) })
  .meta({ id: 'NamedStream', ...exampled({ stream: `ticket-${demo.ticketId}` }) });

const NamedParams = z.object({
  name: pathName(z.string().max(CONSUMER_NAME_CHARACTERS_MAX).meta(exampled('ticket-publishing'))),
});
const tags = ['operations'];
const read = { permission: 'platform.operations:read' } as const;
const write = { permission: 'platform.operations:write' } as const;
const PROCESSES = '/api/v1/operations/processes';

export const processRoutes: FastifyPluginAsyncZod<ProcessRouteOptions> = async (
  app,
  { control },
) => {
  const orNotFound = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof UnknownProcess) throw new Problem('NOT_FOUND', 'No such process.');
      throw error;
    }
  };

  app.get(
    PROCESSES,
    {
      config: read,
      schema: {
        operationId: 'listProcesses',
        tags,
        summary: 'Status of each process and table of timers',
        response: { 200: ProcessListBody },
      },
    },
    async () => ({
      items: (await control.status()).map((status) => ({
        ...status,
        state: stateOf[status.owner],
      })),
    }),
  );

  app.get(
    `${PROCESSES}/:name/parked`,
    {
      config: read,
      schema: {
        operationId: 'listParkedOfProcess',
        tags,
        summary: 'Parked streams or stuck timers of a process, with their errors',
        description: `The first ${PARKED_LISTED_MAX} by name; \`listProcesses\` counts all.`,
        params: NamedParams,
        response: { 200: ParkedListBody },
      },
    },
    async ({ params }) => ({
      items: [...(await orNotFound(() => control.parked(params.name, PARKED_LISTED_MAX)))],
    }),
  );

  for (const kind of ['retry', 'skip'] as const)
    app.post(
      `${PROCESSES}/:name/${kind}`,
      {
        config: write,
        schema: {
          operationId: `${kind}ParkedOfProcess`,
          tags,
          summary:
            kind === 'retry'
              ? 'Retry a parked stream from its first parked event, or a stuck timer'
              : 'Skip the event that parked a stream, or the due time of a stuck timer',
          description: 'The server process that runs it carries this out within seconds.',
          params: NamedParams,
          body: StreamBody,
          response: { 202: RequestBody },
        },
      },
      async (request, reply) => {
        const { name } = request.params;
        const { stream } = request.body;
        const by = callerIn(request).actor.id;
        const made = await orNotFound(() => control.ask(name, { kind, stream, by }));
        if (!made) throw new Problem('NOT_FOUND', 'No such stream is parked.');
        const { id, state, askedAt, askedBy } = made;
        return reply.code(202).send({ id, name, kind, stream, state, askedAt, askedBy });
      },
    );
};

const stateOf = { this: 'live', other: 'waiting', none: 'stopped' } as const;
