/**
 * The internal bus over HTTP, for operators and for a work-order system without a broker.
 * contract.md section 9.
 */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { v5 as uuidFrom } from 'uuid';
import { z } from 'zod';
import type { Bus } from '../../bus/bus.ts';
import type { BusPage, BusSelection } from '../../bus/log/page.ts';
import { happenedAt } from '../../domain/bus/happened-at.ts';
import { anySubjectOf, isType } from '../../domain/bus/subject.ts';
import { inboundTypes } from '../../domain/bus/inbound-types.ts';
import type { Payload } from '../../domain/bus/events.ts';
import { isLongerThan } from '../../domain/characters.ts';
import { excessOf } from '../../domain/tickets/free-form.ts';
import { holdReasons } from '../../domain/work-orders/events.ts';
import {
  isInvalidMessage,
  workOrderEventOf,
  workOrderTypes,
} from '../../domain/work-orders/message.ts';
import { BUS_PAGE_DEFAULT, BUS_PAGE_MAX, BUS_SUBJECT_CHARACTERS_MAX } from './limits.ts';
import { BUS_DATA_BYTES_MAX, BUS_TYPE_CHARACTERS_MAX } from '../../domain/bus/limits.ts';
import { BUS_EVENT_ID_CHARACTERS_MAX, CURSOR_CHARACTERS_MAX } from '../../limits.ts';
import type { Graph } from '../../building/graph/graph.ts';
import type { ParkedQueries } from '../../projections/bus/parked-queries.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { LogCursors } from '../../engine/log/cursors.ts';
import type { Position } from '../../engine/log/event-store.ts';
import type { OccasionOf } from '../sessions/authenticate.ts';
import { demo, exampled } from '../http/examples.ts';
import { buildingsSeenBy } from './buildings.ts';
import { commandIdOf, madeIdOf, type CommandId, type Visibility } from '../http/commands.ts';
import { cursorProblem } from '../http/lost-cursors.ts';
import { withPermit } from '../http/permits.ts';
import { invalid, Problem } from '../http/problems.ts';
import { holdRead } from '../http/reads.ts';
import { freeForm, id, queryNumber } from '../http/text.ts';

export interface BusRouteOptions {
  readonly bus: Bus;
  /** `BUS_PREFIX`, the prefix of every subject. */
  readonly subjectPrefix: string;
  /** `null` with another broker as the bus, because the log has no messages then. */
  readonly page:
    | ((selection: BusSelection, after: Position | null, limit: number) => Promise<BusPage>)
    | null;
  /** Bounds concurrent reads of events. */
  readonly reads: FairSemaphore;
  readonly parked: ParkedQueries;
  readonly graph: Pick<Graph, 'building' | 'buildingIds'>;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
  readonly cursors: LogCursors;
}

const EVENTS = '/api/v1/bus/events';
const SHOWN_BY = ['parked-messages'];
const tags = ['bus'];

const PublishBody = z
  .strictObject({
    subject: z
      .string()
      .max(BUS_SUBJECT_CHARACTERS_MAX)
      .describe('`<prefix>.building.{buildingId}.{type}`.'),
    data: freeForm.describe(
      'Events with the same `eventId` in `data` are duplicates; an event without an ' +
        '`eventId` is always new.',
    ),
  })
  .meta({
    id: 'NewBusEvent',
    ...exampled({
      subject: `atrium.building.${demo.buildingId}.cafm.work-order.created`,
      data: {
        eventId: 'cafm-1',
        buildingId: demo.buildingId,
        workOrderId: '4711',
        ticketId: demo.ticketId,
        occurredAt: '2026-03-02T12:00:00Z',
        title: 'New thermostat',
      },
    }),
  });

const MessageBody = z
  .object({
    position: z.string(),
    subject: z.string(),
    data: z.record(z.string(), z.unknown()),
    at: z.iso.datetime(),
  })
  .meta({ id: 'BusEvent' });

const type = z
  .string()
  .max(BUS_TYPE_CHARACTERS_MAX)
  .refine(isType, 'must be a type such as cafm.work-order.created');

const EventsQuery = z.strictObject({
  after: z
    .string()
    .max(CURSOR_CHARACTERS_MAX)
    .optional()
    .describe('`nextCursor` of the previous page.'),
  type: type.optional(),
  buildingId: id.optional(),
  limit: queryNumber(1, BUS_PAGE_MAX, BUS_PAGE_DEFAULT),
});

const ParkedBody = z
  .object({
    consumer: z.string(),
    buildingId: z.string(),
    type: z.string(),
    eventId: z.string(),
    reason: z
      .enum([...holdReasons, 'TICKET_FULL', 'UNUSABLE'])
      .describe(
        '`TICKET_NOT_NAMED` is resolved without an operator by an event that names the ' +
          'ticket.',
      ),
    detail: z.string(),
    messages: z
      .int()
      .describe('1, but for `TICKET_FULL`: all that the ticket has refused; the first is shown.'),
    data: z.record(z.string(), z.unknown()),
    parkedAt: z.iso.datetime(),
  })
  .meta({ id: 'ParkedMessage' });

const PublishedBody = z.object({ eventId: z.string() }).meta({ id: 'PublishedBusEvent' });

const BusEventPageBody = z
  .object({
    items: z.array(MessageBody),
    nextCursor: z
      .string()
      .describe('Cursor for `after`. Messages of other buildings do not advance it.'),
    caughtUp: z
      .boolean()
      .describe(
        '`true` if the page reaches the end as of the request; `false`: request the next ' +
          'page at once.',
      ),
  })
  .meta({ id: 'BusEventPage' });

const ParkedPageBody = z
  .object({ items: z.array(ParkedBody), limit: z.int(), offset: z.int(), total: z.int() })
  .meta({ id: 'ParkedMessagePage' });

const ParkedQuery = z.strictObject({
  buildingId: id.optional(),
  limit: queryNumber(1, BUS_PAGE_MAX, BUS_PAGE_DEFAULT),
  offset: queryNumber(0, 100_000_000, 0),
});

export const busRoutes: FastifyPluginAsyncZod<BusRouteOptions> = async (app, options) => {
  const { bus, subjectPrefix, page, reads, parked, graph } = options;
  const { occasionOf, visibility, cursors } = options;

  app.post(
    EVENTS,
    {
      config: { permission: 'platform.bus:publish', exactNumbersIn: ['data'] },
      schema: {
        operationId: 'publishBusEvent',
        tags,
        summary: 'Publish an event to the internal bus',
        description:
          'Durable before the answer; its effects follow. An event is known by its `eventId`; ' +
          'one without is known by the `Idempotency-Key` and its body, so that another body is ' +
          'another event. Accepted types: ' +
          `${inboundTypes.map((inboundType) => `\`${inboundType}\``).join(', ')}.`,
        body: PublishBody,
        conventions: ['idempotency-key', 'position'],
        problems: ['NOT_FOUND'],
        response: { 202: PublishedBody },
      },
    },
    async (request, reply) => {
      const { data } = request.body;
      const subject = subjectIn(subjectPrefix, request.body.subject);
      await buildingsSeenBy(request, graph, subject.buildingId);
      const bytes = Buffer.byteLength(JSON.stringify(data));
      if (bytes > BUS_DATA_BYTES_MAX) {
        const detail = `data may have ${BUS_DATA_BYTES_MAX} bytes as JSON; it has ${bytes}.`;
        throw new Problem('PAYLOAD_TOO_LARGE', detail);
      }
      const tooMuch = excessOf(data);
      if (tooMuch !== null) throw invalid([{ path: 'data', message: tooMuch }]);
      if (workOrderTypes.includes(subject.type)) {
        const event = workOrderEventOf(subject, data);
        if (isInvalidMessage(event)) throw invalid(event.map(inData));
      }
      const eventId = eventIdIn(data) ?? nameOf(commandIdOf(request));
      const { at: now, by } = occasionOf(request);
      const at = happenedAt(data, now);
      const { position } = await bus.publish(subject, data, { eventId, at, by });
      if (position !== null) void reply.header('x-atrium-position', position);
      return reply.code(202).send({ eventId });
    },
  );

  app.get(
    EVENTS,
    {
      config: { permission: 'platform.bus:read' },
      schema: {
        operationId: 'readBusEvents',
        tags,
        summary: 'Read published events, in order',
        description:
          'A page can be short or empty before the end: continue from `nextCursor` until ' +
          '`caughtUp`, and later resume from the last `nextCursor`.',
        querystring: EventsQuery,
        problems: ['NOT_FOUND', 'CURSOR_LOST', 'RATE_LIMITED'],
        response: { 200: BusEventPageBody },
      },
    },
    async (request, reply) => {
      const { after = '', limit, type, buildingId } = request.query;
      if (page === null) throw new Problem('NOT_FOUND', 'This server uses an external bus.');
      const buildings = await buildingsSeenBy(request, graph, buildingId);
      try {
        const written = await cursors();
        const place = after === '' ? null : written.positionIn(after);
        const { items, next, caughtUp } = await withPermit(reads, request, reply, () =>
          page({ type, buildings }, place, limit),
        );
        return {
          items: items.map((item) => ({
            ...item,
            position: written.textOf(item.position),
            data: { ...item.data },
          })),
          nextCursor: next === null ? '' : written.textOf(next),
          caughtUp,
        };
      } catch (error) {
        throw cursorProblem(error, { beginning: '', of: 'list' });
      }
    },
  );

  app.get(
    '/api/v1/bus/parked',
    {
      config: { permission: 'platform.bus:read' },
      schema: {
        operationId: 'listParkedMessages',
        tags,
        summary: 'Parked messages: received, but without effect so far',
        querystring: ParkedQuery,
        conventions: ['read-your-writes'],
        problems: ['NOT_FOUND'],
        response: { 200: ParkedPageBody },
      },
    },
    async (request, reply) => {
      const { limit, offset, buildingId } = request.query;
      await holdRead(request, reply, SHOWN_BY, visibility);
      const buildings = await buildingsSeenBy(request, graph, buildingId);
      const { items, total } = await parked.list({ buildings, limit, offset });
      const masked = items.map((item) => ({ ...item, data: { ...item.data } }));
      return { items: masked, limit, offset, total };
    },
  );
};

const subjectIn = (prefix: string, text: string) => {
  const subject = anySubjectOf(prefix, text);
  if (subject === null) {
    const message = `must be ${prefix}.building.{buildingId}.{type}`;
    throw invalid([{ path: 'subject', message }]);
  }
  if (!inboundTypes.includes(subject.type)) {
    const message = `must end in one of the accepted types: ${inboundTypes.join(', ')}`;
    throw invalid([{ path: 'subject', message }]);
  }
  return subject;
};

const inData = ({ path, message }: { readonly path: string; readonly message: string }) => ({
  path: path === '' ? 'data' : `data.${path}`,
  message,
});

/** `null` where the publisher has not named it. */
const eventIdIn = ({ eventId }: Payload): string | null => {
  if (eventId === undefined || eventId === null) return null;
  if (
    typeof eventId === 'string' &&
    eventId !== '' &&
    !isLongerThan(eventId, BUS_EVENT_ID_CHARACTERS_MAX)
  ) {
    return eventId;
  }
  const message = `must be text of 1 to ${BUS_EVENT_ID_CHARACTERS_MAX} characters`;
  throw invalid([{ path: 'data.eventId', message }]);
};

/** Another body under the same key is another event, since the bus cannot detect and refuse it. */
const nameOf = (id: CommandId): string =>
  id.bodyHash === undefined ? madeIdOf(id) : uuidFrom(id.bodyHash, id.commandId);
