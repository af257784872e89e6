/** The timeline of a ticket, page by page. contract.md section 5. */
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isPublic } from '../../domain/tickets/notes.ts';
import { requestersItem } from '../../domain/tickets/requesters.ts';
import type { TimelineItem } from '../../domain/tickets/timeline.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { Timelines } from '../../projections/tickets/feed/timeline.ts';
import { TIMELINE_PAGE_DEFAULT, TIMELINE_PAGE_MAX } from './limits.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';
import { cursorFor, cursorOf } from '../http/cursors.ts';
import { notFound } from '../http/problems.ts';
import { queryNumber } from '../http/text.ts';
import { mayReadInternal } from './internal-notes.ts';
import { isWithin, ownerIn } from './requesters.ts';
import { TicketParams, TimelineBody } from './schemas.ts';

export interface TimelineRouteOptions {
  readonly tickets: Pick<Aggregate<never, TicketView>, 'look'>;
  readonly timelines: Timelines;
}

const TimelineQuery = z.strictObject({
  after: cursorOf(z.strictObject({ told: z.int().min(0) })).optional(),
  limit: queryNumber(1, TIMELINE_PAGE_MAX, TIMELINE_PAGE_DEFAULT),
});

export const timelineRoutes: FastifyPluginAsyncZod<TimelineRouteOptions> = async (
  app,
  { tickets, timelines },
) => {
  app.get(
    '/api/service-desk/requests/:id/updates',
    {
      config: {
        permission: 'service-desk.tickets:read',
        ownPermission: 'service-desk.own:read',
      },
      schema: {
        operationId: 'readTimeline',
        tags: ['tickets'],
        summary: 'The timeline of a ticket, oldest entry first',
        description:
          'A page with long texts can be shorter than `limit`: continue from `nextCursor`.',
        params: TicketParams,
        querystring: TimelineQuery,
        response: { 200: TimelineBody },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { after, limit } = request.query;
      const found = await tickets.look(id);
      if (!found || !isWithin(found.view, ownerIn(request))) throw notFound('ticket');
      const shown = itemsFor(request);
      const { items, next } = await timelines.page({
        ticketId: id,
        after: after?.told ?? -1,
        limit,
        isShown: (item) => shown(item) !== null,
      });
      return {
        items: items.flatMap((item) => inWireForm(shown(item)) ?? []),
        nextCursor: next === null ? null : cursorFor({ told: next }),
      };
    },
  );
};

/** An item as the caller may see it; `null`: hidden. */
const itemsFor = (request: FastifyRequest): ((item: TimelineItem) => TimelineItem | null) => {
  const { requester } = request;
  if (requester) return (item) => requestersItem(item, requester.userId);
  const readsInternal = mayReadInternal(request);
  return (item) => (readsInternal || isPublic(item) ? item : null);
};

/** Arrays of the domain must not be modified. */
const inWireForm = (item: TimelineItem | null) => {
  if (item?.kind !== 'note') return item;
  const { attachments, ...note } = item;
  return { ...note, ...(attachments ? { attachments: [...attachments] } : {}) };
};
