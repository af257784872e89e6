/** Looks up tickets by their callers' `metadata`. contract.md section 5. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { publicTicket } from '../../domain/tickets/public-ticket.ts';
import {
  METADATA_KEY_CHARACTERS_MAX,
  METADATA_TEXT_CHARACTERS_MAX,
  TICKET_PAGE_DEFAULT,
  TICKET_PAGE_MAX,
} from './limits.ts';
import type { TicketQueries } from '../../projections/tickets/query/queries.ts';
import { organisationIn } from '../sessions/authenticate.ts';
import type { Visibility } from '../http/commands.ts';
import { cursorFor, cursorOf } from '../http/cursors.ts';
import { holdRead } from '../http/reads.ts';
import { queryNumber, text } from '../http/text.ts';
import { TicketBody } from './schemas.ts';

export interface TicketLookupOptions {
  readonly queries: Pick<TicketQueries, 'lookup'>;
  readonly visibility: Visibility;
}

const LookupQuery = z.strictObject({
  key: text(METADATA_KEY_CHARACTERS_MAX).describe('A top-level member of `metadata`.'),
  value: z
    .string()
    .max(METADATA_TEXT_CHARACTERS_MAX)
    .describe('The exact, case-sensitive text. Numbers and objects never match.'),
  limit: queryNumber(1, TICKET_PAGE_MAX, TICKET_PAGE_DEFAULT),
  cursor: cursorOf(
    z.object({ createdAt: z.iso.datetime({ precision: 3 }), id: z.uuid() }),
  ).optional(),
});

export const LookupBody = z
  .object({
    items: z.array(TicketBody),
    nextCursor: z.string().nullable().describe('`null` on the last page.'),
  })
  .meta({ id: 'TicketLookupPage' });

/** The read models of a look-up. */
const READ_MODELS = ['ticket-list', 'ticket-metadata'];

export const ticketLookupRoutes: FastifyPluginAsyncZod<TicketLookupOptions> = async (
  app,
  { queries, visibility },
) => {
  app.get(
    '/api/service-desk/requests/lookup',
    {
      config: { permission: 'service-desk.tickets:read' },
      schema: {
        operationId: 'lookUpTickets',
        tags: ['tickets'],
        summary: 'Find tickets by a text value in their metadata, newest first',
        description:
          'Only top-level text members of `metadata` are searched. If no ticket matches, the ' +
          'list is empty.',
        querystring: LookupQuery,
        conventions: ['read-your-writes'],
        response: { 200: LookupBody },
      },
    },
    async (request, reply) => {
      const { cursor: after = null, ...asked } = request.query;
      await holdRead(request, reply, READ_MODELS, visibility);
      const organisation = organisationIn(request);
      const { items, last } = await queries.lookup({ organisation, ...asked, after });
      const found = items.map((view) => ({
        ...publicTicket(view),
        workOrderIds: [...view.workOrderIds],
      }));
      return { items: found, nextCursor: last && cursorFor(last) };
    },
  );
};
