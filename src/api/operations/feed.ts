/** Lists the events that block a change feed, and skips them. contract.md section 10. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { FeedControl } from '../../processes/tickets/feed-control.ts';
import { callerIn } from '../sessions/authenticate.ts';
import { demo, exampled } from '../http/examples.ts';
import { Problem } from '../http/problems.ts';
import { ActorBody } from '../http/actor.ts';

export interface FeedRouteOptions {
  readonly control: Pick<FeedControl, 'blocked' | 'skip'>;
}

const UnreadEventBody = {
  ticketId: z.string(),
  eventId: z.uuid().describe('The first event of the ticket that cannot be read.'),
  revision: z.int(),
};

const BlockedBody = z
  .object({
    ...UnreadEventBody,
    organisation: z.string().nullable().describe('The organisation whose feed is blocked.'),
    position: z.string(),
    since: z.iso.datetime().describe('When the event was recorded.'),
    error: z.string(),
  })
  .meta({ id: 'BlockedTicket' });

const SkippedBody = z
  .object({
    ...UnreadEventBody,
    reason: z.string(),
    skippedAt: z.iso.datetime(),
    skippedBy: ActorBody,
  })
  .meta({ id: 'SkippedTicket' });

const BlockedListBody = z.object({ items: z.array(BlockedBody) }).meta({ id: 'BlockedTicketList' });
const TicketNameBody = z
  .strictObject({ ticketId: z.uuid() })
  .meta({ id: 'NamedTicket', ...exampled({ ticketId: demo.ticketId }) });

const tags = ['operations'];
const FEED = '/api/v1/operations/feed';

export const feedRoutes: FastifyPluginAsyncZod<FeedRouteOptions> = async (app, { control }) => {
  app.get(
    `${FEED}/blocked`,
    {
      config: { permission: 'platform.operations:read' },
      schema: {
        operationId: 'listBlockedTickets',
        tags,
        summary: 'Tickets that block a change feed',
        description:
          'Tickets with a change that a reader of the feed has reached and that this release ' +
          'cannot read.',
        response: { 200: BlockedListBody },
      },
    },
    async () => ({ items: [...(await control.blocked())] }),
  );

  app.post(
    `${FEED}/skip`,
    {
      config: { permission: 'platform.operations:write' },
      schema: {
        operationId: 'skipBlockedTicket',
        tags,
        summary: 'Skip the unreadable changes of a ticket in the change feed',
        description:
          'Readers of the feed get an item `unreadable` instead, and one for each later change ' +
          'of the ticket, until a release can read it. Idempotent.',
        body: TicketNameBody,
        problems: ['NOT_FOUND'],
        response: { 200: SkippedBody },
      },
    },
    async (request) => {
      const skipped = await control.skip(request.body.ticketId, callerIn(request).actor);
      if (!skipped)
        throw new Problem('NOT_FOUND', 'No such ticket, or all its changes can be read.');
      return skipped;
    },
  );
};
