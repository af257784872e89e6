/**
 * The service desk's tickets, in the interface's order. A route parses, gives a command and returns
 * a view: rules are in the decider. interface.md «Service-desk tickets», contract.md section 5.
 */
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { v5 as uuidFrom } from 'uuid';
import type { z } from 'zod';
import { batchedLocations } from '../../building/graph/batched-locations.ts';
import type { Graph } from '../../building/graph/graph.ts';
import { isRefusal } from '../../engine/aggregates/decider.ts';
import type { TicketCommand, TicketPatch } from '../../domain/tickets/commands.ts';
import { allowedFrom } from '../../domain/tickets/graph.ts';
import { locationAfter } from '../../domain/tickets/location-patch.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { TicketQueries } from '../../projections/tickets/query/queries.ts';
import { Refused, type Aggregate, type Answer } from '../../engine/aggregates/aggregate.ts';
import type { People } from '../../projections/people/people.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import { followImport } from '../../use-cases/tickets/follow-import.ts';
import { openTicket, type OpenTicketParts } from '../../use-cases/tickets/open-ticket.ts';
import { authorityIn, organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import {
  answerCommand,
  commandIdOf,
  madeIdOf,
  type CommandId,
  type Visibility,
} from '../http/commands.ts';
import { etagOf, expectedRevisionsOf } from '../http/conditional.ts';
import { inPlace } from '../http/places.ts';
import { notFound, Problem } from '../http/problems.ts';
import { holdRead } from '../http/reads.ts';
import {
  AssignBody,
  AssignedTicketBody,
  CreateTicketBody,
  ListQuery,
  NoteAnswerBody,
  NoteBody,
  PatchTicketBody,
  TicketBody,
  TicketListBody,
  TicketParams,
  TransitionBody,
  TransitionsBody,
} from './schemas.ts';
import { isSearch, selectionOf } from './selection.ts';

export interface TicketRouteOptions extends Omit<OpenTicketParts, 'graph'> {
  readonly tickets: Aggregate<TicketCommand, TicketView>;
  readonly queries: TicketQueries;
  readonly graph: Pick<Graph, 'resolveLocations' | 'successorsOf'>;
  readonly desks: Pick<ServiceDesks, 'configurationOf' | 'workflowOf'>;
  readonly people: Pick<People, 'unknownAmong'>;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
  /** Bounds concurrent searches: they hold a database connection for longer than other requests. */
  readonly searches: FairSemaphore;
  /** Whether `search` can be answered, or why not. */
  readonly searchReady: () => Promise<true | string>;
}

const REQUESTS = '/api/service-desk/requests';
const tags = ['tickets'];

/** The read models that show a ticket's change. */
const SHOWN_BY = ['ticket-list', 'ticket-search', 'ticket-metadata'];

const canRead = { permission: 'service-desk.tickets:read' } as const;
const canWrite = { permission: 'service-desk.tickets:write' } as const;
const withFreeForm = { ...canWrite, exactNumbersIn: ['metadata', 'formData'] };

export const ticketRoutes: FastifyPluginAsyncZod<TicketRouteOptions> = async (app, options) => {
  const { tickets, queries, desks, occasionOf, visibility } = options;
  // Tickets raised concurrently resolve their locations in one statement.
  const graph = batchedLocations(options.graph);
  const open = openTicket({ ...options, graph });
  const follow = followImport({ tickets, graph });

  /** The ticket from the log: never older than an answered command. */
  const ticketOf = async (request: FastifyRequest, id: string): Promise<TicketView> => {
    const found = await tickets.look(id);
    if (found?.view.organisationId !== organisationIn(request)) throw notFound('ticket');
    return found.view;
  };

  const workflowFor = ({ organisationId, requestType }: TicketView) =>
    desks.workflowOf(organisationId, requestType);

  const give = async (
    request: FastifyRequest,
    id: string,
    name: CommandId,
    command: TicketCommand | (() => Promise<TicketCommand>),
  ): Promise<Answer<TicketView>> => {
    const expectedRevisions = expectedRevisionsOf(request);
    // Checked first: a revision conflict for another organisation's ticket would reveal that it
    // exists.
    if (expectedRevisions !== undefined) await ticketOf(request, id);
    const { commandId, bodyHash } = name;
    return tickets.give(
      id,
      {
        commandId,
        command,
        organisation: organisationIn(request),
        ...(bodyHash === undefined ? {} : { bodyHash }),
        ...(expectedRevisions === undefined ? {} : { expectedRevisions }),
      },
      occasionOf(request),
    );
  };

  app.post(
    REQUESTS,
    {
      config: withFreeForm,
      schema: {
        operationId: 'createTicket',
        tags,
        summary: 'Raise a ticket',
        description:
          'The same body twice raises two tickets; with the same `Idempotency-Key`, one. The ' +
          "organisation's routing rules have run when it is answered, and the SLA clocks run.",
        body: CreateTicketBody,
        conventions: ['idempotency-key', 'command', 'location'],
        problems: ['REFERENCE_NOT_FOUND', 'LOCATION_CONTRADICTION'],
        response: { 201: TicketBody },
      },
    },
    async (request, reply) => {
      const { named, ...name } = commandIdOf(request);
      const id = madeIdOf({ named, ...name });
      const answer = await open(
        { ...request.body, ticketId: id, organisation: organisationIn(request) },
        occasionOf(request),
        { ...name, fresh: !named },
      );
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return reply.code(201).header('location', `${REQUESTS}/${id}`).send(bodyOf(answer.view));
    },
  );

  app.get(
    REQUESTS,
    {
      config: canRead,
      schema: {
        operationId: 'listTickets',
        tags,
        summary: 'List tickets',
        description: 'All filters must hold. There is no `updatedSince`: compare `updatedAt`.',
        querystring: ListQuery,
        problems: ['RATE_LIMITED', 'PERSON_REQUIRED'],
        conventions: ['read-your-writes'],
        response: { 200: TicketListBody },
      },
    },
    async (request, reply) => {
      const { page, limit, sort, ...filters } = request.query;
      const selection = selectionOf(request, filters, occasionOf(request).at);
      const searched = isSearch(selection);
      if (searched) {
        const ready = await options.searchReady();
        if (ready !== true) throw new Problem('UNAVAILABLE', ready);
      }
      const asked = searched ? ['ticket-list', 'ticket-search'] : ['ticket-list'];
      await holdRead(request, reply, asked, visibility);
      const list = () => queries.list({ ...selection, page, limit, sort });
      const found = searched ? await inPlace(options.searches, request, reply, list) : await list();
      return { ...found, items: found.items.map(bodyOf) };
    },
  );

  app.get(
    `${REQUESTS}/:id`,
    {
      config: canRead,
      schema: {
        operationId: 'getTicket',
        tags,
        summary: 'Get one ticket',
        params: TicketParams,
        conventions: ['etag'],
        response: { 200: TicketBody },
      },
    },
    async (request, reply) => {
      const ticket = await ticketOf(request, request.params.id);
      return reply.header('etag', etagOf(ticket.revision)).send(bodyOf(ticket));
    },
  );

  app.patch(
    `${REQUESTS}/:id`,
    {
      config: withFreeForm,
      schema: {
        operationId: 'editTicket',
        tags,
        summary: 'Edit fields of a ticket',
        description:
          'A JSON merge patch: absent stays, null clears, objects merge. A patch that changes ' +
          'nothing moves no `updatedAt`.',
        params: TicketParams,
        body: PatchTicketBody,
        conventions: ['idempotency-key', 'command', 'if-match'],
        problems: ['REFERENCE_NOT_FOUND', 'LOCATION_CONTRADICTION', 'TICKET_FULL'],
        consumes: ['application/json', 'application/merge-patch+json'],
        response: { 200: TicketBody },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const name = commandIdOf(request);
      const edited = await give(request, id, name, async () => ({
        type: 'EditTicket',
        authority: authorityIn(request),
        patch: await patchOf(request.body, await ticketOf(request, id), graph),
      }));
      const { storeyId, spaceId, elementId } = request.body;
      const answer =
        (storeyId ?? spaceId ?? elementId)
          ? await follow(edited, occasionOf(request), name.commandId)
          : edited;
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return bodyOf(answer.view);
    },
  );

  app.post(
    `${REQUESTS}/:id/transition`,
    {
      config: canWrite,
      schema: {
        operationId: 'transitionTicket',
        tags,
        summary: 'Move a ticket along one edge of its state graph',
        params: TicketParams,
        body: TransitionBody,
        conventions: ['idempotency-key', 'command', 'if-match'],
        problems: ['TRANSITION_NOT_ALLOWED', 'TICKET_FULL'],
        response: { 200: TicketBody },
      },
    },
    async (request, reply) => {
      const { state, note } = request.body;
      const name = commandIdOf(request);
      const { id } = request.params;
      const answer = await give(request, id, name, async () => {
        const workflow = await workflowFor(await ticketOf(request, id));
        return {
          type: 'TransitionTicket',
          authority: authorityIn(request),
          to: state,
          ...(workflow ? { workflow } : {}),
          ...noteOf(name, note),
        };
      });
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return bodyOf(answer.view);
    },
  );

  app.get(
    `${REQUESTS}/:id/transitions`,
    {
      config: canRead,
      schema: {
        operationId: 'listTransitions',
        tags,
        summary: 'Where a ticket can move from here',
        description: 'By the state graph and the workflow of its request type, as it is now.',
        params: TicketParams,
        response: { 200: TransitionsBody },
      },
    },
    async (request) => {
      const ticket = await ticketOf(request, request.params.id);
      const { state } = ticket;
      return { from: state, allowed: [...allowedFrom(state, await workflowFor(ticket))] };
    },
  );

  app.post(
    `${REQUESTS}/:id/assign`,
    {
      config: canWrite,
      schema: {
        operationId: 'assignTicket',
        tags,
        summary: 'Assign a ticket to a user, a team, both or none',
        description:
          'The first assignment of anybody is the first response. An assignee that is not in the ' +
          'directory of the configuration and has never signed in is accepted with `warnings`.',
        params: TicketParams,
        body: AssignBody,
        conventions: ['idempotency-key', 'command', 'if-match'],
        problems: ['TICKET_CLOSED', 'TICKET_FULL'],
        response: { 200: AssignedTicketBody },
      },
    },
    async (request, reply) => {
      const { note, assignedUserId, assignedTeamId } = request.body;
      const name = commandIdOf(request);
      // Before the command, so that a failed answer has recorded nothing.
      const warnings = await options.people.unknownAmong(organisationIn(request), request.body);
      const answer = await give(request, request.params.id, name, {
        type: 'AssignTicket',
        authority: authorityIn(request),
        ...(assignedUserId === undefined ? {} : { assignedUserId }),
        ...(assignedTeamId === undefined ? {} : { assignedTeamId }),
        ...noteOf(name, note),
      });
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return {
        ...bodyOf(answer.view),
        ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
      };
    },
  );

  app.post(
    `${REQUESTS}/:id/updates`,
    {
      config: canWrite,
      schema: {
        operationId: 'addNote',
        tags,
        summary: 'Add a note to a ticket, in any state',
        params: TicketParams,
        body: NoteBody,
        conventions: ['idempotency-key', 'command', 'if-match'],
        problems: ['TICKET_FULL'],
        response: { 201: NoteAnswerBody },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { body, visibility: seenBy } = request.body;
      const name = commandIdOf(request);
      const noteId = noteIdOf(name);
      const answer = await give(request, id, name, {
        type: 'AddNote',
        authority: authorityIn(request),
        noteId,
        body,
        visibility: seenBy,
      });
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return reply.code(201).send({
        id: noteId,
        body,
        visibility: seenBy,
        createdAt: answer.view.updatedAt,
        createdBy: occasionOf(request).by,
      });
    },
  );
};

type Patched = z.infer<typeof PatchTicketBody>;

const patchOf = async (
  body: Patched,
  ticket: TicketView,
  graph: Pick<Graph, 'resolveLocation'>,
): Promise<TicketPatch> => {
  const { storeyId, spaceId, elementId, ...fields } = body;
  const after = locationAfter({ storeyId, spaceId, elementId }, ticket);
  if (after === null) return fields;
  if (isRefusal(after)) throw new Refused(after);
  if ('location' in after) return { ...fields, location: after.location };
  const { organisationId, buildingId } = ticket;
  const found = await graph.resolveLocation(organisationId, { buildingId, ...after.wanted });
  if (isRefusal(found)) throw new Refused(found);
  const { buildingId: _, ...location } = found;
  return { ...fields, location };
};

/** A repeated command has the same note id. */
const noteIdOf = ({ commandId }: CommandId): string => uuidFrom('note', commandId);

const noteOf = (name: CommandId, body: string | undefined) =>
  body === undefined ? {} : { note: { noteId: noteIdOf(name), body } };

/** The ticket in wire form; the arrays and objects of the view must not be modified. */
const bodyOf = (view: TicketView): z.input<typeof TicketBody> => ({
  ...view,
  workOrderIds: [...view.workOrderIds],
});
