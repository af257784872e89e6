/** The faults of a building, and their tickets. contract.md section 6. */
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Diagnostics, FaultRow } from '../../building/telemetry/diagnostics.ts';
import type { TicketQueries, TicketStanding } from '../../projections/tickets/query/queries.ts';
import {
  raiseFaultTicket,
  ticketIdOf,
  type FaultTicketParts,
} from '../../use-cases/tickets/fault-ticket.ts';
import {
  callerIn,
  organisationIn,
  requirePermission,
  type OccasionOf,
} from '../sessions/authenticate.ts';
import { optionalBody } from '../http/bodies.ts';
import { answerCommand, commandIdOf, type Visibility } from '../http/commands.ts';
import { notFound } from '../http/problems.ts';
import { holdRead } from '../http/reads.ts';
import { TICKETS, ticketBodyOf } from '../tickets/wire.ts';
import { TicketBody } from '../tickets/schemas.ts';
import { SHOWN_BY } from '../tickets/work-in-order.ts';
import {
  FaultBody,
  FaultListBody,
  FaultParams,
  FaultsQuery,
  FaultTicketBody,
} from './fault-schemas.ts';
import { BuildingParams } from './schemas.ts';

export interface FaultRouteOptions extends FaultTicketParts {
  readonly diagnostics: Pick<Diagnostics, 'faults' | 'fault' | 'noteTicket'>;
  readonly queries: Pick<TicketQueries, 'states'>;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
}

const FAULTS = '/api/v1/buildings/:buildingId/faults';
const tags = ['telemetry'];
const canRead = { permission: 'platform.buildings:read' } as const;

export const faultRoutes: FastifyPluginAsyncZod<FaultRouteOptions> = async (app, options) => {
  const { diagnostics, queries, tickets, occasionOf, visibility } = options;
  const raise = raiseFaultTicket(options);

  app.get(
    FAULTS,
    {
      config: canRead,
      schema: {
        operationId: 'listFaults',
        tags,
        summary: "The building's faults, newest first",
        description: 'Callers who may read tickets also get the `ticket` of each fault.',
        params: BuildingParams,
        querystring: FaultsQuery,
        conventions: ['read-your-writes'],
        response: { 200: FaultListBody },
      },
    },
    async (request, reply) => {
      const { buildingId } = request.params;
      const organisation = organisationIn(request);
      await holdRead(request, reply, ['ticket-list'], visibility);
      const page = await diagnostics.faults(organisation, buildingId, request.query);
      if (!page) throw notFound('building');
      if (!mayReadTickets(request)) return { ...page, items: [...page.items] };
      const ids = page.items.map(({ faultId }) => ticketIdOf(faultId));
      const found = ids.length === 0 ? [] : await queries.states(organisation, ids);
      const byId = new Map(found.map((ticket) => [ticket.id, ticket]));
      const items = page.items.map((fault, at) => withTicket(fault, byId.get(ids[at]!)));
      return { ...page, items };
    },
  );

  app.get(
    `${FAULTS}/:faultId`,
    {
      config: canRead,
      schema: {
        operationId: 'getFault',
        tags,
        summary: 'Get one fault',
        description: 'Callers who may read tickets also get its `ticket`.',
        params: FaultParams,
        response: { 200: FaultBody },
      },
    },
    async (request) => {
      const { buildingId, faultId } = request.params;
      const detail = await diagnostics.fault(organisationIn(request), buildingId, faultId);
      if (!detail) throw notFound('fault');
      const { point: _, condition: __, ...fault } = detail;
      if (!mayReadTickets(request)) return fault;
      return withTicket(fault, (await tickets.look(ticketIdOf(faultId)))?.view);
    },
  );

  app.post(
    `${FAULTS}/:faultId/ticket`,
    {
      config: canRead,
      schema: {
        operationId: 'raiseFaultTicket',
        tags,
        summary: 'Raise a ticket for a fault',
        description:
          'Subject, description and place come from the fault; its severity becomes the ' +
          'priority if it is one of the priorities. A fault has one ticket: if it already ' +
          'exists, it is returned with 200, in any state. When the fault closes, the ticket ' +
          'gets a note and is resolved, unless its state or assignment has been changed by ' +
          'anything but a rule. ' +
          'Also needs `service-desk.tickets:write`.',
        params: FaultParams,
        body: optionalBody(FaultTicketBody),
        conventions: ['idempotency-key', 'command', 'location'],
        problems: ['REFERENCE_NOT_FOUND'],
        response: { 200: TicketBody, 201: TicketBody },
      },
    },
    async (request, reply) => {
      requirePermission(callerIn(request), 'service-desk.tickets:write');
      const { buildingId, faultId } = request.params;
      const { named: _, ...name } = commandIdOf(request);
      const organisation = organisationIn(request);
      const fault = { ...request.body, organisation, buildingId, faultId };
      const raised = await raise(fault, occasionOf(request), name);
      if (raised === null) throw notFound('fault');
      const { answer, isOffered } = raised;
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return reply
        .code(isOffered ? 200 : 201)
        .header('location', `${TICKETS}/${answer.view.id}`)
        .send(ticketBodyOf(answer.view));
    },
  );
};

const mayReadTickets = (request: FastifyRequest): boolean =>
  callerIn(request).permissions.has('service-desk.tickets:read');

const withTicket = (fault: FaultRow, ticket: TicketStanding | undefined) => ({
  ...fault,
  ticket:
    ticket === undefined
      ? null
      : { ticketId: ticket.id, number: ticket.number, state: ticket.state },
});
