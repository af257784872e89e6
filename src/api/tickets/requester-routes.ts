/** The rating of a ticket by its requester, and the request types. contract.md section 5. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requestersTypes } from '../../domain/tickets/requesters.ts';
import { requestTypesSchema } from '../../domain/service-desk/request-types.ts';
import { answerCommand, commandIdOf, type Visibility } from '../http/commands.ts';
import { expectedRevisionsOf } from '../http/conditional.ts';
import { organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { ticketActions, type TicketActionParts } from './actions.ts';
import { answeredTicket, ownerIn } from './requesters.ts';
import { RateBody, TicketBody, TicketParams } from './schemas.ts';
import { TICKETS } from './wire.ts';
import { SHOWN_BY } from './work-in-order.ts';

export interface RequesterRouteOptions extends TicketActionParts {
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
}

const RequestTypesBody = z.object({ items: requestTypesSchema }).meta({ id: 'RequestTypes' });

export const requesterRoutes: FastifyPluginAsyncZod<RequesterRouteOptions> = async (
  app,
  options,
) => {
  const { desks, occasionOf, visibility } = options;
  const actions = ticketActions(options);

  app.post(
    `${TICKETS}/:id/rating`,
    {
      config: { permission: 'service-desk.own:write' },
      schema: {
        operationId: 'rateTicket',
        tags: ['tickets'],
        summary: 'Rate your own resolved or closed ticket',
        description:
          'A rating cannot be changed, and is kept when the ticket is reopened. Repeating the ' +
          'same rating is no error.',
        params: TicketParams,
        body: RateBody,
        conventions: ['idempotency-key', 'command', 'if-match'],
        problems: ['RATING_NOT_ALLOWED', 'ALREADY_RATED'],
        response: { 200: TicketBody },
      },
    },
    async (request, reply) => {
      const address = {
        id: request.params.id,
        ...ownerIn(request),
        occasion: occasionOf(request),
        expectedRevisions: expectedRevisionsOf(request),
      };
      const answer = await actions.act(address, commandIdOf(request), 'rate', request.body);
      await answerCommand(reply, answer, SHOWN_BY, visibility);
      return answeredTicket(request, reply, answer.view);
    },
  );

  app.get(
    '/api/service-desk/request-types',
    {
      config: {
        permission: 'service-desk.tickets:read',
        ownPermission: 'service-desk.own:read',
      },
      schema: {
        operationId: 'listRequestTypes',
        tags: ['service desk'],
        summary: 'List the request types and their forms',
        description:
          'The request types of the configuration, in its order. For requesters, only the ' +
          'types that they may choose, without category and priority.',
        response: { 200: RequestTypesBody },
      },
    },
    async (request) => {
      const { requester } = request;
      if (requester) return { items: requestersTypes(requester.desk) };
      const { requestTypes = [] } = await desks.configurationOf(organisationIn(request));
      return { items: requestTypes };
    },
  );
};
