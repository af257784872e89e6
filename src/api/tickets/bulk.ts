/** One action on many tickets, answered ticket by ticket. contract.md sections 1 and 5. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { v5 as uuidFrom } from 'uuid';
import type { z } from 'zod';
import { batchedLocations, type LocationLookUps } from '../../building/graph/batched-locations.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { BulkCommand } from '../../domain/tickets/bulk.ts';
import type { People } from '../../projections/people/people.ts';
import type { TicketQueries } from '../../projections/tickets/query/queries.ts';
import { loggedCallerOf, organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { commandIdOf, type CommandId, type Visibility } from '../http/commands.ts';
import { acquirePermit } from '../http/permits.ts';
import { Problem, problemBody } from '../http/problems.ts';
import { holdRead } from '../http/reads.ts';
import { allowLongRequest } from '../http/upload.ts';
import { ticketActions, type TicketActionBodies, type TicketActionParts } from './actions.ts';
import { BulkAnswer, BulkBody, type BulkOutcome, type BulkTotals } from './bulk-schemas.ts';
import { answerLines, type AnswerLines, beginLines, NDJSON } from '../http/answer-lines.ts';
import { TICKET_BULK_AT_ONCE, TICKET_BULK_MAX, TICKET_BULK_MAX_MS } from './limits.ts';
import { checkedSelection, isSearch, readModelsOf } from './selection.ts';
import { refusalOf, waitUntilVisible, workInOrder, type WorkOutcome } from './work-in-order.ts';

export interface TicketBulkOptions extends Omit<TicketActionParts, 'graph'> {
  readonly graph: LocationLookUps;
  readonly queries: Pick<TicketQueries, 'select'>;
  readonly people: Pick<People, 'unknownAmong'>;
  /** The tickets of bulks with an `Idempotency-Key`. */
  readonly selections: Aggregate<BulkCommand, readonly string[]>;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
  /** Whether the search is available, or why not. */
  readonly searchReady: () => Promise<true | string>;
  /** A permit is held until all work of the bulk has ended. */
  readonly bulks: FairSemaphore;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

interface Running {
  readonly ids: readonly string[];
  readonly action: z.output<typeof BulkBody>['action'];
  readonly name: CommandId;
  readonly organisation: string;
  /** Aborts when the answers are no longer read. */
  readonly gone: AbortSignal;
  readonly answers: AnswerLines;
  /** Added to the line of each ticket that is done. */
  readonly warnings: readonly string[];
}

interface Selected {
  readonly ids: readonly string[];
  /** This is a repeat of a bulk that has begun. */
  readonly replayed: boolean;
}

type Action = {
  [Kind in keyof TicketActionBodies]: [kind: Kind, body: TicketActionBodies[Kind]];
}[keyof TicketActionBodies];

export const ticketBulkRoutes: FastifyPluginAsyncZod<TicketBulkOptions> = async (app, options) => {
  const { queries, selections, occasionOf, visibility, bulks, stopping } = options;
  const actions = ticketActions({ ...options, graph: batchedLocations(options.graph) });

  /** @throws {@link Problem} `CONFLICT` if the filter matches another number than expected. */
  const matching = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { filter, expected }: z.output<typeof BulkBody>,
  ): Promise<readonly string[]> => {
    const { at } = occasionOf(request);
    const selection = await checkedSelection(options.desks, request, filter!, at);
    const ready = isSearch(selection) ? await options.searchReady() : true;
    if (ready !== true) throw new Problem('UNAVAILABLE', ready);
    await holdRead(request, reply, readModelsOf(selection), visibility);
    const { ids, ...count } = await queries.select(selection, TICKET_BULK_MAX);
    const refusal = countRefusal(count, expected!);
    if (refusal !== null) throw new Problem('CONFLICT', refusal);
    return ids;
  };

  /** The tickets, each once. A repeat has those of the first request, not the current matches. */
  const selected = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { commandId, bodyHash, named }: CommandId,
    body: z.output<typeof BulkBody>,
  ): Promise<Selected> => {
    const select = async () => [...new Set(body.tickets ?? (await matching(request, reply, body)))];
    if (!named) return { ids: await select(), replayed: false };
    const { view, replayed } = await selections.give(
      commandId,
      {
        commandId,
        command: async () => ({ type: 'SelectTickets', ticketIds: await select() }),
        organisation: organisationIn(request),
        ...(bodyHash === undefined ? {} : { bodyHash }),
      },
      occasionOf(request),
    );
    return { ids: view, replayed };
  };

  /** Never rejects: an error is the last line of the response, or ends the connection. */
  const perform = async (request: FastifyRequest, bulk: Running): Promise<void> => {
    const { ids, name, organisation, gone, answers, warnings } = bulk;
    const warned = warnings.length > 0 ? { warnings: [...warnings] } : {};
    const summary: BulkTotals = { done: 0, refused: 0 };
    const [kind, body] = Object.entries(bulk.action)[0] as Action;
    const actOn = async (id: string): Promise<WorkOutcome<BulkOutcome>> => {
      try {
        const address = { id, organisation, requester: null, occasion: occasionOf(request) };
        const commandId = uuidFrom(id, name.commandId);
        const { recorded, position } = await actions.act(
          address,
          { ...name, commandId },
          kind,
          body,
        );
        const answer = { id, status: 'done' as const, ...warned };
        return { answer, position: recorded.length > 0 ? position : null };
      } catch (error) {
        const { code, message } = refusalOf(error, request.log, id);
        const detail = code === 'INTERNAL' ? {} : { detail: message };
        return { answer: { id, status: 'refused', code, ...detail }, position: null };
      }
    };
    try {
      const done = await workInOrder<string, string, BulkOutcome>({
        items: whileRunning(ids, gone, stopping),
        prepare: (id) => id,
        work: actOn,
        itemsMax: TICKET_BULK_AT_ONCE,
        weightMax: TICKET_BULK_AT_ONCE,
        weightOf: () => 1,
        async onAnswer(answer) {
          summary[answer.status] += 1;
          await answers.write(answer);
        },
        visibility,
        report: request.log,
      });
      const { stopped } = done;
      request.log.info({ summary, stopped: stopped?.code }, 'a bulk has ended');
      await waitUntilVisible(done, visibility);
      answers.end(stopped === null ? { summary } : { problem: problemBody(stopped, request.id) });
    } catch (error) {
      request.log.error({ err: error }, 'request failed');
      answers.stream.destroy(error as Error);
    }
  };

  app.post(
    '/api/service-desk/requests/bulk',
    {
      config: {
        permission: 'service-desk.tickets:write',
        exactNumbersIn: ['action.patch.metadata', 'action.patch.formData'],
      },
      schema: {
        operationId: 'actOnTickets',
        tags: ['tickets'],
        summary: 'Assign, move, edit or add a note to many tickets',
        description:
          `At most ${TICKET_BULK_MAX} tickets, selected by ids or by a filter of the list. ` +
          'Each ticket is a separate command; the response streams one line of NDJSON per ' +
          'ticket, in order. A refused ticket does not affect the others. The last line is the ' +
          '`summary`. If it is missing, repeat the request with the same `Idempotency-Key`: it ' +
          'continues with the same tickets and records nothing twice. Processing stops when ' +
          'the caller disconnects.',
        body: BulkBody,
        conventions: ['idempotency-key', 'read-your-writes'],
        problems: ['RATE_LIMITED', 'CONFLICT', 'PERSON_REQUIRED'],
        response: {
          200: {
            description: 'A line for each ticket, then the summary.',
            content: { [NDJSON]: { schema: BulkAnswer } },
          },
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const organisation = organisationIn(request);
      const name = commandIdOf(request);
      const { release, gone } = await acquirePermit(bulks, request, reply);
      try {
        const { ids, replayed } = await selected(request, reply, name, body);
        if (replayed) void reply.header('idempotent-replayed', 'true');
        const { assign = {} } = body.action;
        const warnings = await options.people.unknownAmong(organisation, assign);
        allowLongRequest(request.raw);
        const answers = answerLines();
        request.log.info({ by: loggedCallerOf(request), tickets: ids.length }, 'a bulk begins');
        void perform(request, {
          ids,
          action: body.action,
          name,
          organisation,
          gone,
          answers,
          warnings,
        }).finally(release);
        // `never`, because the body schemas type the handlers, and streams bypass them.
        return beginLines(reply, answers) as never;
      } catch (error) {
        release();
        throw error;
      }
    },
  );
};

/**
 * Why a bulk by a filter is refused; `null`: the filter matches as many as the caller expects.
 *
 * @param count The number of matches; `capped`: there are more than `total`.
 */
export const countRefusal = (
  { total, capped }: { readonly total: number; readonly capped: boolean },
  expected: number,
): string | null => {
  if (total === expected && !capped) return null;
  if (total <= TICKET_BULK_MAX) return `The filter matches ${total} tickets, not ${expected}.`;
  const all = `${capped ? 'more than ' : ''}${total} tickets`;
  return (
    `The filter matches ${all}; a bulk request can change at most ${TICKET_BULK_MAX} ` +
    'tickets: narrow the filter.'
  );
};

/** The tickets until the caller disconnects, the server stops or the bulk's time is up. */
async function* whileRunning(
  ids: readonly string[],
  gone: AbortSignal,
  stopping: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const untilMs = performance.now() + TICKET_BULK_MAX_MS;
  for (const id of ids) {
    gone.throwIfAborted();
    if (stopping.aborted) throw unfinished('The server is stopping.');
    if (performance.now() > untilMs) throw unfinished('The bulk request took too long.');
    yield id;
  }
}

const unfinished = (why: string) =>
  new Problem('UNAVAILABLE', `${why} Repeat it with the same Idempotency-Key.`);
