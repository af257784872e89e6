/**
 * An organisation's configuration of its service desk: read, replaced as a whole, and tried out.
 * contract.md section 5.
 */
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { batchedLocations } from '../../building/graph/batched-locations.ts';
import type { Graph } from '../../building/graph/graph.ts';
import { isRefusal } from '../../engine/aggregates/decider.ts';
import { emptyConfiguration } from '../../domain/service-desk/configuration.ts';
import { simulatorsOf, type Simulation } from '../../domain/tickets/simulation.ts';
import { CONFIGURATION_VALUES_MAX } from './limits.ts';
import { BODY_VALUES_MAX } from '../../limits.ts';
import { publicTicket } from '../../domain/tickets/public-ticket.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { Refused } from '../../engine/aggregates/aggregate.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import { openTicketCommand } from '../../use-cases/tickets/open-ticket.ts';
import { organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { answerCommand, commandIdOf, type Visibility } from '../http/commands.ts';
import { withPermit } from '../http/permits.ts';
import { etagOf, expectedRevisionsOf } from '../http/conditional.ts';
import {
  ConfigurationBody,
  ConfiguredBody,
  SetConfigurationBody,
  SimulateBody,
  SimulationBody,
} from './schemas.ts';
import type { WarningsFor } from './warnings.ts';

export interface DeskRouteOptions {
  readonly desks: ServiceDesks;
  readonly graph: Graph;
  /** Bounds concurrent simulations. */
  readonly simulations: FairSemaphore;
  readonly warningsFor: WarningsFor;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
}

const CONFIGURATION = '/api/service-desk/configuration';
const tags = ['service desk'];

/** The id of simulated tickets, which are not stored. */
const SIMULATED_ID = '00000000-0000-0000-0000-000000000000';

export const deskRoutes: FastifyPluginAsyncZod<DeskRouteOptions> = async (app, options) => {
  const { desks, simulations, warningsFor, occasionOf, visibility } = options;
  const graph = batchedLocations(options.graph);

  app.get(
    CONFIGURATION,
    {
      config: { permission: 'service-desk.tickets:read' },
      schema: {
        operationId: 'readServiceDeskConfiguration',
        tags,
        summary: 'Service levels, business hours, routing rules, workflows and request types',
        description:
          'The configuration as it was last stored. Without an `ETag` until a configuration ' +
          'has been stored.',
        conventions: ['etag'],
        response: { 200: SetConfigurationBody },
      },
    },
    async (request, reply) => {
      const desk = await desks.look(organisationIn(request));
      if (desk) void reply.header('etag', etagOf(desk.revision));
      return desk?.view ?? emptyConfiguration;
    },
  );

  app.put(
    CONFIGURATION,
    {
      config: {
        permission: 'service-desk.configuration:write',
        bodyValuesMax: CONFIGURATION_VALUES_MAX,
      },
      schema: {
        operationId: 'replaceServiceDeskConfiguration',
        tags,
        summary: 'Replace the whole configuration',
        description:
          'Applies to tickets that are created from now on; workflows apply to all tickets. A ' +
          'document equal to the current one changes nothing. `If-Match` replaces only the ' +
          'revision that was read; `If-None-Match: *` only stores a first configuration. A 400 ' +
          'lists each path and its error; a workflow that adds a transition is refused with ' +
          '`EDGE_NOT_IN_GRAPH`.',
        body: ConfigurationBody,
        conventions: ['idempotency-key', 'command', 'if-match', 'if-none-match-any'],
        problems: ['EDGE_NOT_IN_GRAPH'],
        response: { 200: ConfiguredBody },
      },
    },
    async (request, reply) => {
      const organisation = organisationIn(request);
      const { commandId, bodyHash } = commandIdOf(request);
      const expectedRevisions = expectedOf(request);
      // Before the command, so that a failed answer has recorded nothing.
      const warnings = await warningsFor(organisation, request.body);
      const answer = await desks.give(
        organisation,
        {
          commandId,
          command: {
            type: 'ReplaceConfiguration',
            organisation,
            configuration: request.body,
          },
          organisation,
          ...(bodyHash === undefined ? {} : { bodyHash }),
          ...(expectedRevisions === undefined ? {} : { expectedRevisions }),
        },
        occasionOf(request),
      );
      await answerCommand(reply, answer, [], visibility);
      return { ...answer.view, warnings };
    },
  );

  app.post(
    `${CONFIGURATION}/simulate`,
    {
      config: {
        permission: 'service-desk.tickets:read',
        bodyValuesMax: CONFIGURATION_VALUES_MAX + BODY_VALUES_MAX,
        exactNumbersIn: ['ticket.metadata', 'ticket.formData'],
      },
      schema: {
        operationId: 'simulateTicket',
        tags,
        summary: 'Simulate the creation of a ticket, and explain the result',
        description:
          'Uses the configuration in the request, or the current one. Nothing is stored, and ' +
          'no ticket number is used up.',
        body: SimulateBody,
        problems: [
          'REFERENCE_NOT_FOUND',
          'LOCATION_CONTRADICTION',
          'EDGE_NOT_IN_GRAPH',
          'RATE_LIMITED',
        ],
        response: { 200: SimulationBody },
      },
    },
    async (request, reply) => {
      const organisation = organisationIn(request);
      const { ticket, configuration } = request.body;
      const tried = { ...ticket, ticketId: SIMULATED_ID, organisation };
      const given = configuration ?? (await desks.configurationOf(organisation));
      const lookUps = {
        graph,
        configuration: async () => given,
        number: async () => SIMULATED_ID,
      };
      const command = await withPermit(simulations, request, reply, () =>
        openTicketCommand(tried, SIMULATED_ID, lookUps),
      );
      const [simulate] = simulatorsOf([command.configuration ?? given], [given]);
      const simulation = isRefusal(simulate) ? simulate : simulate(command, occasionOf(request));
      if (isRefusal(simulation)) throw new Refused(simulation);
      return { ...bodyOf(simulation), warnings: await warningsFor(organisation, given) };
    },
  );
};

/** `undefined`: any revision. -1: none may exist yet. */
const expectedOf = (request: FastifyRequest): readonly number[] | undefined =>
  request.headers['if-none-match'] === '*' ? [-1] : expectedRevisionsOf(request);

const bodyOf = ({
  ticket,
  rules,
  notes,
  terms,
  warnings,
}: Simulation): Omit<z.input<typeof SimulationBody>, 'warnings'> => {
  const { calendar, ...sla } = terms;
  const { workOrderIds, ...shown } = publicTicket(ticket);
  return {
    ticket: { ...shown, workOrderIds: [...workOrderIds] },
    rules: [...rules],
    notes: [...notes],
    sla: {
      ...sla,
      firstResponseWarnsAt: warnings.slaFirstResponseWarnsAt,
      resolutionWarnsAt: warnings.slaResolutionWarnsAt,
      timeZone: calendar?.timeZone ?? null,
    },
  };
};
