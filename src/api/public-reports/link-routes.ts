/** The status link of a ticket, for the desk: read and revoked. contract.md section 5. */
import { randomUUID } from 'node:crypto';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { endOfStatusLink, type StatusLink } from '../../domain/public-reports/status-link.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';
import type { StatusLinks } from '../../use-cases/public-reports/status-links.ts';
import { answerCommand, type Visibility } from '../http/commands.ts';
import { notFound } from '../http/problems.ts';
import { organisationIn, type OccasionOf } from '../sessions/authenticate.ts';
import { TicketParams } from '../tickets/schemas.ts';
import { StatusLinkBody } from './schemas.ts';

export interface StatusLinkRouteOptions {
  readonly links: StatusLinks;
  readonly tickets: Pick<Aggregate<never, TicketView>, 'look'>;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
}

const LINK = '/api/service-desk/requests/:id/status-link';
const tags = ['public-reports'];

export const statusLinkRoutes: FastifyPluginAsyncZod<StatusLinkRouteOptions> = async (
  app,
  { links, tickets, occasionOf, visibility },
) => {
  app.get(
    LINK,
    {
      config: { permission: 'service-desk.tickets:read' },
      schema: {
        operationId: 'getStatusLink',
        tags,
        summary: "Get the status link of a ticket's reporter",
        description: '404 unless the ticket was reported without sign-in.',
        params: TicketParams,
        response: { 200: StatusLinkBody },
      },
    },
    async (request) => {
      const { id } = request.params;
      const [link, ticket] = await Promise.all([links.look(id), tickets.look(id)]);
      if (link?.view.organisation !== organisationIn(request)) throw notFound('status link');
      return bodyOf(link.view, ticket?.view ?? null);
    },
  );

  app.delete(
    LINK,
    {
      config: { permission: 'service-desk.tickets:write' },
      schema: {
        operationId: 'revokeStatusLink',
        tags,
        summary: 'Revoke the status link of a ticket',
        description:
          'The link stops working at once and permanently. Revoking it again changes nothing.',
        params: TicketParams,
        conventions: ['command'],
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const organisation = organisationIn(request);
      const answer = await links.give(
        request.params.id,
        {
          commandId: randomUUID(),
          command: { type: 'RevokeStatusLink', organisation },
          organisation,
        },
        occasionOf(request),
      );
      await answerCommand(reply, answer, [], visibility);
      return reply.code(204).send(null);
    },
  );
};

const bodyOf = (link: StatusLink, ticket: TicketView | null) => ({
  issuedAt: link.issuedAt,
  expiresAt: endOfStatusLink(link, ticket?.closedAt ?? null),
  revokedAt: link.revokedAt,
});
