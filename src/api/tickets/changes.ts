/** The change feed: every change of an organisation's tickets. contract.md section 5. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { attachmentChangesIn } from '../../domain/tickets/attachments.ts';
import { changes } from '../../domain/tickets/change.ts';
import { slaClocks } from '../../domain/tickets/events.ts';
import { isPublic, notesIn } from '../../domain/tickets/notes.ts';
import { publicTicket } from '../../domain/tickets/public-ticket.ts';
import { CHANGES_PAGE_MAX, CHANGES_WAIT_MAX_S } from './limits.ts';
import { CHANGES_PAGE_DEFAULT } from '../../domain/tickets/limits.ts';
import { CURSOR_CHARACTERS_MAX, REQUEST_ANSWER_MAX_MS } from '../../limits.ts';
import type { ChangeFeed, FeedItem, FeedPage } from '../../projections/tickets/feed/feed.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { type Cursors, type LogCursors } from '../../engine/log/cursors.ts';
import { organisationIn } from '../sessions/authenticate.ts';
import { cursorProblem } from '../http/lost-cursors.ts';
import { withPermit } from '../http/permits.ts';
import { id, queryNumber } from '../http/text.ts';
import { AttachmentBody, attachmentsShown } from './attachment-schemas.ts';
import { mayReadInternal } from './internal-notes.ts';
import { ActorBody } from '../http/actor.ts';
import { NoteAnswerBody, TicketBody } from './schemas.ts';

export interface ChangeRouteOptions {
  readonly feed: ChangeFeed;
  /** Bounds concurrent reads and long polls. */
  readonly readers: FairSemaphore;
  readonly cursors: LogCursors;
  /** Aborts when the server stops: pending long polls are answered. */
  readonly stopping: AbortSignal;
}

/** The cursor before the first event of any log. */
const BEGINNING = '0';
/** The cursor after the organisation's last event, whichever that is. */
const END = 'end';

const FeedQueryBody = z.strictObject({
  after: z
    .string()
    .max(CURSOR_CHARACTERS_MAX)
    .default(BEGINNING)
    .describe(
      '`nextCursor` of the previous page; `end`: only changes from now on, with an empty ' +
        'first page. Default: from the beginning.',
    ),
  limit: queryNumber(1, CHANGES_PAGE_MAX, CHANGES_PAGE_DEFAULT),
  wait: queryNumber(0, CHANGES_WAIT_MAX_S, 0).describe(
    'Long poll: seconds to wait for a change before an empty page is returned.',
  ),
  buildingId: id.optional().describe('Only changes of tickets of this building.'),
});

const ChangeBody = z
  .object({
    position: z.string().describe('Position of the change in the log: opaque and unique.'),
    at: z.iso.datetime(),
    ticketId: z.uuid(),
    change: z
      .enum(changes)
      .describe('The kind of the change: the first in this order that applies.'),
    actor: ActorBody,
    origin: z
      .enum(['api', 'work_order', 'sla', 'import', 'system'])
      .describe(
        'The channel of the change. Your own writes have the origin `api` and you as `actor`.',
      ),
    ticket: TicketBody.describe('The ticket as it was right after this change.'),
    notes: z
      .array(NoteAnswerBody)
      .exactOptional()
      .describe(
        'Notes that the change added. Internal notes are included only if the caller may ' +
          'read them.',
      ),
    attachments: z
      .array(AttachmentBody)
      .exactOptional()
      .describe(
        'Attachments that the change added. Internal ones are included only if the caller ' +
          'may read them.',
      ),
    removedAttachments: z
      .array(z.uuid())
      .exactOptional()
      .describe(
        'Attachments that the change removed. Internal ones are included only if the caller ' +
          'may read them.',
      ),
    slaEvents: z
      .array(
        z.object({
          clock: z.enum(slaClocks),
          kind: z.enum(['warning', 'breached']),
          dueAt: z.iso.datetime(),
        }),
      )
      .exactOptional()
      .describe('SLA warnings and breaches that were recorded with the change, whatever its kind.'),
  })
  .meta({ id: 'TicketChange' });

const UnreadableBody = z
  .object({
    position: z.string(),
    at: z.iso.datetime(),
    ticketId: z.string(),
    change: z.literal('unreadable'),
  })
  .meta({
    id: 'UnreadableChange',
    description:
      'A change of this ticket that this release cannot read and that an operator has ' +
      'skipped. From here on, the state of the ticket is unknown until the feed returns a ' +
      'readable change of it.',
  });

const FeedBody = z
  .object({
    items: z.array(z.discriminatedUnion('change', [ChangeBody, UnreadableBody])),
    nextCursor: z
      .string()
      .describe('Cursor for `after`. Changes of other organisations do not advance it.'),
    caughtUp: z
      .boolean()
      .describe(
        '`true` if the page reaches the end as of the request; `false`: request the next ' +
          'page at once.',
      ),
    blocked: z
      .object({ ticketId: z.string(), since: z.iso.datetime() })
      .exactOptional()
      .describe(
        'The feed is blocked at a change that this release cannot read, until a newer ' +
          'release reads it or an operator skips it.',
      ),
  })
  .meta({ id: 'TicketChangePage' });

export const changeRoutes: FastifyPluginAsyncZod<ChangeRouteOptions> = async (app, options) => {
  const { feed, readers, cursors, stopping } = options;

  app.get(
    '/api/service-desk/changes',
    {
      config: {
        permission: 'service-desk.tickets:read',
        answerMaxMs: CHANGES_WAIT_MAX_S * 1000 + REQUEST_ANSWER_MAX_MS,
      },
      schema: {
        operationId: 'readChanges',
        tags: ['tickets'],
        summary: 'The change feed: every change of every ticket, in order',
        description:
          'One item per command, without duplicates or gaps. A page can be short or empty ' +
          'before the end: continue from `nextCursor`, which is always present, until ' +
          '`caughtUp`.',
        querystring: FeedQueryBody,
        problems: ['RATE_LIMITED', 'CURSOR_LOST'],
        response: { 200: FeedBody },
      },
    },
    async (request, reply) => {
      const { after: cursor, limit, wait, buildingId } = request.query;
      try {
        const written = await cursors();
        if (cursor === END) {
          const page = await feed.end(organisationIn(request));
          return bodyOf(page, written, mayReadInternal(request));
        }
        const after = cursor === BEGINNING ? null : written.positionIn(cursor);
        const query = { organisation: organisationIn(request), after, limit, buildingId };
        const page = await withPermit(readers, request, reply, (gone) =>
          wait === 0
            ? feed.page(query)
            : feed.await(query, wait * 1000, AbortSignal.any([gone, stopping])),
        );
        return bodyOf(page, written, mayReadInternal(request));
      } catch (error) {
        throw cursorProblem(error, { beginning: BEGINNING, of: 'feed' });
      }
    },
  );
};

const bodyOf = (
  { items, next, caughtUp, blocked }: FeedPage,
  written: Cursors,
  internal: boolean,
): z.input<typeof FeedBody> => ({
  items: items.map((item) => itemOf(item, written, internal)),
  nextCursor: next === null ? BEGINNING : written.textOf(next),
  caughtUp,
  ...(blocked === null ? {} : { blocked }),
});

const itemOf = (
  item: FeedItem,
  written: Cursors,
  internal: boolean,
): z.input<typeof FeedBody>['items'][number] => {
  if (item.change === 'unreadable') {
    const { change, position, at, ticketId } = item;
    return { change, position: written.textOf(position), at, ticketId };
  }
  const { at, ticketId, change, actor, origin, slaEvents } = item;
  const { workOrderIds, ...ticket } = publicTicket(item.ticket);
  const notes = notesIn(item).filter((note) => internal || isPublic(note));
  return {
    position: written.textOf(item.position),
    at,
    ticketId,
    change,
    actor,
    origin,
    ticket: { ...ticket, workOrderIds: [...workOrderIds] },
    ...(notes.length === 0 ? {} : { notes }),
    ...attachmentsShown(attachmentChangesIn(item, (file) => internal || isPublic(file))),
    ...(slaEvents.length === 0
      ? {}
      : { slaEvents: slaEvents.map(({ clock, kind, dueAt }) => ({ clock, kind, dueAt })) }),
  };
};
