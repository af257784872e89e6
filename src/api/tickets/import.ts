/** Imports tickets of another system, line by line. contract.md sections 1 and 5. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { FastifyRequest } from 'fastify';
import { batchedLocations, type LocationLookUps } from '../../building/graph/batched-locations.ts';
import {
  TICKET_IMPORT_LINES_MAX,
  TICKET_IMPORT_MAX_MS,
  TICKET_IMPORT_SILENT_MAX_MS,
} from './limits.ts';
import { BODY_BYTES_MAX, IMPORT_BODY_BYTES_MAX, REQUEST_ANSWER_LONG_MAX_MS } from '../../limits.ts';
import { yieldQueue } from '../../engine/concurrency/yield-queue.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { importTicket } from '../../use-cases/tickets/import-ticket.ts';
import type { OpenTicketParts } from '../../use-cases/tickets/open-ticket.ts';
import { loggedCallerOf, organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { refuseEncoding } from '../http/bodies.ts';
import type { Visibility } from '../http/commands.ts';
import { linesOf, type Line } from '../http/ndjson.ts';
import { acquirePermit } from '../http/permits.ts';
import { Problem, problemBody } from '../http/problems.ts';
import { bytesOf } from '../http/upload.ts';
import { answerLines, type AnswerLines, beginLines, NDJSON } from '../http/answer-lines.ts';
import { ImportAnswer, ImportLine, ImportQuery } from './import-schemas.ts';
import { importTickets, type Imported, type Importing } from './importing.ts';
import { waitUntilVisible } from './work-in-order.ts';

export interface TicketImportOptions extends Omit<OpenTicketParts, 'graph'> {
  readonly graph: LocationLookUps;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
  /** A permit is held until all work of the import has ended. */
  readonly imports: FairSemaphore;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

interface Begun {
  readonly organisation: string;
  readonly opening: Importing['opening'];
  readonly answers: AnswerLines;
  /** Aborts when the answers are no longer read. */
  readonly gone: AbortSignal;
}

/**
 * The server does not parse the body: its lines are read as they arrive. The schema of a line
 * documents the route in OpenAPI.
 */
export const ticketImportRoutes: FastifyPluginAsyncZod<TicketImportOptions> = async (
  app,
  options,
) => {
  const { occasionOf, visibility, imports, stopping } = options;
  const open = importTicket({
    ...options,
    graph: batchedLocations(options.graph),
    numbers: oneByOne(options.numbers),
  });
  const validatorOfOthers = app.validatorCompiler!;

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(NDJSON, async (request: FastifyRequest) => {
    refuseEncoding(request);
    if (Number(request.headers['content-length'] ?? 0) > IMPORT_BODY_BYTES_MAX)
      throw tooMuch('bytes');
  });
  app.addContentTypeParser('*', async () => {
    throw noNdjson();
  });
  app.setValidatorCompiler((route) =>
    route.httpPart === 'body' ? () => true : validatorOfOthers(route),
  );

  /** Resolves with the first answer; rejects if the import ends before it. */
  const begun = async (
    request: FastifyRequest,
    { organisation, opening, answers, gone }: Begun,
    release: () => void,
  ): Promise<void> => {
    const first = Promise.withResolvers<void>();
    const work = importTickets(
      { open, visibility },
      {
        lines: linesIn(request, gone, stopping),
        organisation,
        occasion: () => occasionOf(request),
        opening,
        report: request.log,
        async onAnswer(answer) {
          await answers.write(answer);
          first.resolve();
        },
      },
    );
    const ended = async (imported: Imported) => {
      const { summary, stopped } = imported;
      request.log.info({ summary, stopped: stopped?.code }, 'an import of tickets has ended');
      const answered = summary.created + summary.exists + summary.failed;
      if (stopped !== null && answered === 0) throw stopped;
      await waitUntilVisible(imported, visibility);
      answers.end(stopped === null ? { summary } : { problem: problemBody(stopped, request.id) });
      first.resolve();
    };
    work
      .then(ended)
      .catch((error: Error) => {
        first.reject(error);
        answers.stream.destroy(error);
      })
      .finally(release);
    await first.promise;
  };

  app.post(
    '/api/service-desk/requests/import',
    {
      config: {
        permission: 'service-desk.tickets:write',
        // Until the first answer, which waits for the first line.
        answerMaxMs: REQUEST_ANSWER_LONG_MAX_MS,
      },
      schema: {
        operationId: 'importTickets',
        tags: ['tickets'],
        summary: 'Import tickets, line by line',
        description:
          `NDJSON, one ticket per line, at most ${TICKET_IMPORT_LINES_MAX} lines and 64 MiB. ` +
          'The response streams one result line per request line, in the same order; a ticket ' +
          'is stored once its result is sent. A failed line does not affect the others. The ' +
          'last line is the `summary`. If the summary is missing, send the remaining lines or ' +
          'the whole file again: lines with an `importKey` that was already imported create no ' +
          'second ticket. If the import ends early, the last line is a `problem`. SLA clocks ' +
          'start at the import; `originalNumber` and the original times are stored in ' +
          '`metadata.imported`. Read the response while sending: with 16 MiB of unread ' +
          'results, the server accepts no more lines.',
        querystring: ImportQuery,
        body: ImportLine,
        consumes: [NDJSON],
        problems: ['RATE_LIMITED'],
        response: {
          200: {
            description: 'A result for each line, then the summary.',
            content: { [NDJSON]: { schema: ImportAnswer } },
          },
        },
      },
    },
    async (request, reply) => {
      if (!isNdjson(request)) throw noNdjson();
      const organisation = organisationIn(request);
      const { release, gone } = await acquirePermit(imports, request, reply);
      const answers = answerLines();
      const { routing, forms } = request.query;
      const routed = routing === 'on';
      const opening = { routed, isFormChecked: forms === 'on' };
      request.log.info({ by: loggedCallerOf(request), routed }, 'an import of tickets begins');
      await begun(request, { organisation, opening, answers, gone }, release);
      // `never`, because the body schemas type the handlers, and streams bypass them.
      return beginLines(reply, answers) as never;
    },
  );
};

const isNdjson = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase() === NDJSON;

const noNdjson = () => new Problem('UNSUPPORTED_MEDIA_TYPE', `This route accepts ${NDJSON}.`);

/** The lines of the body; an early end is mapped to a problem. */
async function* linesIn(
  request: FastifyRequest,
  gone: AbortSignal,
  stopping: AbortSignal,
): AsyncGenerator<Line, void, undefined> {
  const tooLate = AbortSignal.timeout(TICKET_IMPORT_MAX_MS);
  const bytes = bytesOf(request.raw, {
    signal: AbortSignal.any([gone, stopping, tooLate]),
    silentMaxMs: TICKET_IMPORT_SILENT_MAX_MS,
    silent: () => unfinished(`No data was received for ${TICKET_IMPORT_SILENT_MAX_MS / 1_000} s.`),
  });
  try {
    yield* linesOf(bytes, {
      lineBytesMax: BODY_BYTES_MAX,
      linesMax: TICKET_IMPORT_LINES_MAX,
      bytesMax: IMPORT_BODY_BYTES_MAX,
      tooMuch,
    });
  } catch (error) {
    if (stopping.aborted) throw unfinished('The server is stopping.');
    if (tooLate.aborted)
      throw unfinished(`The import exceeded ${TICKET_IMPORT_MAX_MS / 60_000} minutes.`);
    throw error;
  }
}

const unfinished = (why: string) =>
  new Problem('UNAVAILABLE', `${why} Send the remaining lines again.`);

const tooMuch = (bound: 'lines' | 'bytes'): Problem => {
  const bounds = {
    lines: `${TICKET_IMPORT_LINES_MAX} lines`,
    bytes: `${IMPORT_BODY_BYTES_MAX / 1024 / 1024} MiB`,
  };
  return new Problem(
    'PAYLOAD_TOO_LARGE',
    `An import has at most ${bounds[bound]}. Send the rest as another import.`,
  );
};

/**
 * Tickets numbered in one batch are decided one by one, because routing by many rules is slow.
 */
const oneByOne = (numbers: OpenTicketParts['numbers']): OpenTicketParts['numbers'] => {
  const turn = yieldQueue();
  return {
    async next(organisation, occasion) {
      const number = await numbers.next(organisation, occasion);
      await turn();
      return number;
    },
  };
};
