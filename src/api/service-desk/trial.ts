/** A configuration tried on the latest tickets. contract.md section 5. */
import { isDeepStrictEqual } from 'node:util';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { batchedLocations, type LocationLookUps } from '../../building/graph/batched-locations.ts';
import { isRefusal } from '../../engine/aggregates/decider.ts';
import { Refused } from '../../engine/aggregates/aggregate.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import type { Simulation } from '../../domain/tickets/simulation.ts';
import type { Expiries } from '../../projections/tickets/feed/expiries.ts';
import type { TicketQueries } from '../../projections/tickets/query/queries.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import { tryConfiguration, type TriedTicket } from '../../use-cases/tickets/try-configuration.ts';
import { withPermit } from '../http/permits.ts';
import { organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { CONFIGURATION_VALUES_MAX } from './limits.ts';
import { TriedConfigurationBody, TryConfigurationBody } from './schemas.ts';
import type { WarningsFor } from './warnings.ts';

export interface TrialRouteOptions {
  readonly log: Pick<EventStore, 'readStream'>;
  readonly graph: LocationLookUps;
  readonly expiries: Expiries;
  readonly queries: Pick<TicketQueries, 'list'>;
  readonly desks: Pick<ServiceDesks, 'configurationOf'>;
  /** Bounds concurrent simulations. */
  readonly simulations: FairSemaphore;
  readonly warningsFor: WarningsFor;
  readonly occasionOf: OccasionOf;
}

export const trialRoutes: FastifyPluginAsyncZod<TrialRouteOptions> = async (app, options) => {
  const graph = batchedLocations(options.graph);
  const { log, expiries, queries, desks, simulations, warningsFor, occasionOf } = options;
  app.post(
    '/api/service-desk/configuration/try',
    {
      config: {
        permission: 'service-desk.tickets:read',
        bodyValuesMax: CONFIGURATION_VALUES_MAX,
      },
      schema: {
        operationId: 'tryServiceDeskConfiguration',
        tags: ['service desk'],
        summary: 'Compare another configuration with the current one on the latest tickets',
        description:
          'Simulates the creation of each of the latest tickets, with its original data and ' +
          'time, under the current configuration and under the one in the request. The ' +
          'priority is the one that was requested; of a ticket created before release 0.2, the ' +
          'one after routing. Personal data that has expired is left out. Nothing is stored.',
        body: TryConfigurationBody,
        problems: ['EDGE_NOT_IN_GRAPH', 'RATE_LIMITED'],
        response: { 200: TriedConfigurationBody },
      },
    },
    async (request, reply) => {
      const organisation = organisationIn(request);
      const { configuration: after, limit } = request.body;
      const tried = await withPermit(simulations, request, reply, async () => {
        const now = occasionOf(request).at;
        const before = await desks.configurationOf(organisation);
        const { items } = await queries.list({ organisation, now, page: 1, limit });
        const ids = items.map(({ id }) => id);
        const parts = { graph, log, lastExpiryAfter: expiries.lastAfter };
        return tryConfiguration(parts, organisation, ids, { before, after });
      });
      if (isRefusal(tried)) throw new Refused(tried);
      return {
        items: tried.map(bodyOf),
        warnings: await warningsFor(organisation, after),
      };
    },
  );
};

type ItemBody = z.input<typeof TriedConfigurationBody>['items'][number];

const bodyOf = ({ before, after, ...ticket }: TriedTicket): ItemBody => {
  const [was, is] = [outcomeOf(before), outcomeOf(after)];
  return { ...ticket, before: was, after: is, isChanged: !isDeepStrictEqual(was, is) };
};

const outcomeOf = ({ ticket, rules, terms }: Simulation): ItemBody['before'] => ({
  state: ticket.state,
  priority: ticket.priority,
  assignedTeamId: ticket.assignedTeamId,
  assignedUserId: ticket.assignedUserId,
  ruleIds: rules.filter(({ outcome }) => outcome === 'matched').map(({ ruleId }) => ruleId),
  slaPolicy: terms.policy,
  slaFirstResponseDueAt: ticket.slaFirstResponseDueAt,
  slaResolutionDueAt: ticket.slaResolutionDueAt,
});
