/**
 * The service desk's tickets, in the interface's order. A route parses, gives a command and returns
 * a view: rules are in the decider. interface.md «Service-desk tickets», contract.md section 5.
 */
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { batchedLocations, type LocationLookUps } from '../../building/graph/batched-locations.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import { allowedFrom } from '../../domain/tickets/graph.ts';
import { requestersMoves } from '../../domain/tickets/requesters.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { TicketQueries } from '../../projections/tickets/query/queries.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';
import type { People } from '../../projections/people/people.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import { openTicket, type OpenTicketParts } from '../../use-cases/tickets/open-ticket.ts';
import { organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { answerCommand, commandIdOf, madeIdOf, type Visibility } from '../http/commands.ts';
import { expectedRevisionsOf } from '../http/conditional.ts';
import { withPermit } from '../http/permits.ts';
import { Problem } from '../http/problems.ts';
import { holdRead } from '../http/reads.ts';
import { PrintedItems } from '../http/slices.ts';
import { ticketActions } from './actions.ts';
import {
  AssignBody,
  AssignedTicketBody,
  CreateTicketBody,
  ListQuery,
  PatchTicketBody,
  TicketBody,
  TicketListBody,
  TicketParams,
  TransitionBody,
  TransitionsBody,
} from './schemas.ts';
import {
  answeredTicket,
  ownerIn,
  refuseStaffFilters,
  requestersBody,
  ticketShownTo,
} from './requesters.ts';
import { checkedSelection, isSearch, readModelsOf } from './selection.ts';
import { TICKETS } from './wire.ts';
import { SHOWN_BY } from './work-in-order.ts';

export interface TicketRouteOptions extends Omit<OpenTicketParts, 'graph'> {
  readonly tickets: Aggregate<TicketCommand, TicketView>;
  readonly queries: TicketQueries;
  readonly graph: LocationLookUps;
  readonly desks: Pick<ServiceDesks, 'configurationOf' | 'workflowOf'>;
  readonly people: Pick<People, 'unknownAmong'>;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
  /** Bounds concurrent lists without a search. */
  readonly lists: FairSemaphore;
  /** Bounds concurrent searches: they hold a database connection for longer than other requests. */
  readonly searches: FairSemaphore;
  /** Whether the search is available, or why not. */
  readonly searchReady: () => Promise<true | string>;
}

const tags = ['tickets'];

const canRead = {
  permission: 'service-desk.tickets:read',
  ownPermission: 'service-desk.own:read',
} as const;
const staffCanWrite = { permission: 'service-desk.tickets:write' } as const;
const canWrite = { ...staffCanWrite, ownPermission: 'service-desk.own:write' } as const;
const exactNumbersIn = ['metadata', 'formData'];

export const ticketRoutes: FastifyPluginAsyncZod<TicketRouteOptions> = async (app, options) => {
  const { tickets, queries, desks, occasionOf, visibility } = options;
  // Tickets raised concurrently resolve their locations in one statement.
  const graph = batchedLocations(options.graph);
  const open = openTicket({ ...options, graph });
  const actions = ticketActions({ tickets, desks, graph });

  const addressOf = (request: FastifyRequest, id: string) => ({
    id,
    ...ownerIn(request),
    occasion: occasionOf(request),
    expectedRevisions: expectedRevisionsOf(request),
  });

  app.post(
    TICKETS,
    {
      config: { ...canWrite, exactNumbersIn },
      schema: {
        operationId: 'createTicket',
        tags,
        summary: 'Raise a ticket',
        description:
          'Sending the same body twice raises two tickets; with the same `Idempotency-Key`, ' +
          "one. By the time of the response, the organisation's routing rules have been " +
          'applied and the SLA clocks are running.',
        body: CreateTicketBody,
        conventions: ['idempotency-key', 'command', 'location'],
        problems: ['REFERENCE_NOT_FOUND', 'LOCATION_CONTRADICTION'],
        response: { 201: TicketBody },
      },
    },
    async (request, reply) => {
      const { named, ...name } = commandIdOf(request);
      const id = madeIdOf({ named, ...name });
      const { requester, body } = request;
      const ticket = requester === null ? body : requestersBody(request, requester, body);
      const answer = await open(
        { ...ticket, ticketId: id, organisation: organisationIn(request) },
        occasionOf(request),
        { ...name, fresh: !named },
      );
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      void reply.code(201).header('location', `${TICKETS}/${id}`);
      return answeredTicket(request, reply, answer.view);
    },
  );

  app.get(
    TICKETS,
    {
      config: canRead,
      schema: {
        operationId: 'listTickets',
        tags,
        summary: 'List tickets',
        description: 'All filters must match. There is no `updatedSince`: compare `updatedAt`.',
        querystring: ListQuery,
        problems: ['RATE_LIMITED', 'PERSON_REQUIRED'],
        conventions: ['read-your-writes'],
        response: { 200: TicketListBody },
      },
    },
    async (request, reply) => {
      if (request.requester) refuseStaffFilters(request.query);
      const { page, limit, sort, ...filters } = request.query;
      const selection = await checkedSelection(desks, request, filters, occasionOf(request).at);
      const searched = isSearch(selection);
      if (searched) {
        const ready = await options.searchReady();
        if (ready !== true) throw new Problem('UNAVAILABLE', ready);
      }
      await holdRead(request, reply, readModelsOf(selection), visibility);
      const query = { ...selection, page, limit, sort };
      const permits = searched ? options.searches : options.lists;
      const inTurn = <T>(read: () => Promise<T>): Promise<T> =>
        withPermit(permits, request, reply, read);
      if (request.requester === null) {
        const { items, ...rest } = await inTurn(() => queries.printed(query));
        return { ...rest, items: new PrintedItems(items) } as never;
      }
      const found = await inTurn(() => queries.list(query));
      return { ...found, items: found.items.map((view) => ticketShownTo(request, view)) };
    },
  );

  app.get(
    `${TICKETS}/:id`,
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
      const { id } = request.params;
      const ticket = await actions.ticketOf({ id, ...ownerIn(request) });
      return answeredTicket(request, reply, ticket);
    },
  );

  app.patch(
    `${TICKETS}/:id`,
    {
      config: { ...staffCanWrite, exactNumbersIn },
      schema: {
        operationId: 'editTicket',
        tags,
        summary: 'Edit fields of a ticket',
        description:
          'A JSON merge patch: absent members stay, `null` clears a member, objects are ' +
          'merged. A patch without effect does not change `updatedAt`.',
        params: TicketParams,
        body: PatchTicketBody,
        conventions: ['idempotency-key', 'command', 'if-match'],
        problems: ['REFERENCE_NOT_FOUND', 'LOCATION_CONTRADICTION', 'TICKET_FULL'],
        consumes: ['application/json', 'application/merge-patch+json'],
        response: { 200: TicketBody },
      },
    },
    async (request, reply) => {
      const address = addressOf(request, request.params.id);
      const answer = await actions.act(address, commandIdOf(request), 'patch', request.body);
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return answeredTicket(request, reply, answer.view);
    },
  );

  app.post(
    `${TICKETS}/:id/transition`,
    {
      config: canWrite,
      schema: {
        operationId: 'transitionTicket',
        tags,
        summary: 'Move a ticket to another state',
        params: TicketParams,
        body: TransitionBody,
        conventions: ['idempotency-key', 'command', 'if-match'],
        problems: ['TRANSITION_NOT_ALLOWED', 'REOPEN_TOO_LATE', 'TICKET_FULL'],
        response: { 200: TicketBody },
      },
    },
    async (request, reply) => {
      const address = addressOf(request, request.params.id);
      const answer = await actions.act(address, commandIdOf(request), 'transition', request.body);
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return answeredTicket(request, reply, answer.view);
    },
  );

  app.get(
    `${TICKETS}/:id/transitions`,
    {
      config: canRead,
      schema: {
        operationId: 'listTransitions',
        tags,
        summary: 'List the states that a ticket can move to',
        description: 'According to the state graph and the current workflow of the request type.',
        params: TicketParams,
        response: { 200: TransitionsBody },
      },
    },
    async (request) => {
      const { id } = request.params;
      const owner = ownerIn(request);
      const ticket = await actions.ticketOf({ id, ...owner });
      const { state } = ticket;
      const workflow = await desks.workflowOf(owner.organisation, ticket.requestType);
      const allowed = owner.requester
        ? requestersMoves(ticket, occasionOf(request).at, workflow)
        : allowedFrom(state, workflow);
      return { from: state, allowed: [...allowed] };
    },
  );

  app.post(
    `${TICKETS}/:id/assign`,
    {
      config: staffCanWrite,
      schema: {
        operationId: 'assignTicket',
        tags,
        summary: 'Assign a ticket to a user, a team, both or none',
        description:
          'The first assignment to a user or a team counts as the first response. An assignee ' +
          'that is not in the configured directory and has never signed in is accepted with ' +
          '`warnings`.',
        params: TicketParams,
        body: AssignBody,
        conventions: ['idempotency-key', 'command', 'if-match'],
        problems: ['TICKET_CLOSED', 'TICKET_FULL'],
        response: { 200: AssignedTicketBody },
      },
    },
    async (request, reply) => {
      // Before the command, so that a failed answer has recorded nothing.
      const warnings = await options.people.unknownAmong(organisationIn(request), request.body);
      const address = addressOf(request, request.params.id);
      const answer = await actions.act(address, commandIdOf(request), 'assign', request.body);
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return {
        ...answeredTicket(request, reply, answer.view),
        ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
      };
    },
  );
};
