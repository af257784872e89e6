/** Plans in colours. contract.md section 6 «Outlines». */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  levelsOf,
  type PlanColour,
  type PlanColours,
  type StoreyColours,
} from '../../building/plans/colours.ts';
import type { Plans } from '../../building/plans/plans.ts';
import type { StoreyPlace } from '../../building/plans/storey.ts';
import { isRefusal, type Instant } from '../../engine/aggregates/decider.ts';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import type { TicketQueries } from '../../projections/tickets/query/queries.ts';
import type { Visibility } from '../http/commands.ts';
import { withPermit } from '../http/permits.ts';
import { Problem, refused } from '../http/problems.ts';
import { holdRead } from '../http/reads.ts';
import {
  callerIn,
  organisationIn,
  requirePermission,
  type OccasionOf,
} from '../sessions/authenticate.ts';
import { noStorey } from './plans.ts';
import { planSvg } from './plan-svg.ts';
import {
  ColouringsBody,
  ColoursBody,
  ColoursQuery,
  PictureQuery,
  PlanQuery,
  StoreyParams,
} from './plan-schemas.ts';
import { BuildingParams } from './schemas.ts';

export interface PlanColourRouteOptions {
  readonly plans: Plans;
  readonly planColours: PlanColours;
  /** Bounds concurrent reads of past values of points. */
  readonly sampleReads: FairSemaphore;
  readonly queries: Pick<TicketQueries, 'openTicketsOf'>;
  readonly occasionOf: OccasionOf;
  readonly visibility: Visibility;
}

const BUILDING = '/api/v1/buildings/:buildingId';
const tags = ['buildings'];
const canRead = { permission: 'platform.buildings:read' } as const;
const TICKETS = 'service-desk.tickets:read';

export const planColourRoutes: FastifyPluginAsyncZod<PlanColourRouteOptions> = async (
  app,
  { plans, planColours, sampleReads, queries, occasionOf, visibility },
) => {
  const coloursOf = async (
    request: FastifyRequest,
    reply: FastifyReply,
    place: StoreyPlace,
    colour: PlanColour,
    at: Instant | undefined,
  ): Promise<StoreyColours> => {
    const read = () =>
      colour.by === 'tickets'
        ? ofTickets(request, reply, place, at)
        : planColours.values(place, colour, at);
    const readsSamples = colour.by === 'point' && at !== undefined;
    const outcome = await (readsSamples ? withPermit(sampleReads, request, reply, read) : read());
    if (outcome === null) throw noStorey(place);
    if (isRefusal(outcome)) throw refused(outcome);
    return outcome;
  };

  const ofTickets = async (
    request: FastifyRequest,
    reply: FastifyReply,
    place: StoreyPlace,
    at: Instant | undefined,
  ): Promise<StoreyColours | null> => {
    requirePermission(callerIn(request), TICKETS);
    if (at !== undefined) {
      const message = 'is only supported for faults and points';
      throw new Problem('VALIDATION_FAILED', `A past ${message}.`, {
        errors: [{ path: 'at', message }],
      });
    }
    const rooms = await planColours.rooms(place);
    if (rooms === null) return null;
    await holdRead(request, reply, ['ticket-list'], visibility);
    const now = occasionOf(request).at;
    return levelsOf(await queries.openTicketsOf(place.organisation, rooms, now));
  };

  app.get(
    `${BUILDING}/plan/colours`,
    {
      config: canRead,
      schema: {
        operationId: 'getPlanColours',
        tags,
        summary: 'The values by which the rooms of a plan are coloured',
        description:
          'The highest priority of the open tickets (also needs `service-desk.tickets:read`), ' +
          'the highest severity of the open faults, the value of a data layer, or the mean of ' +
          'a room’s points of one class. Rooms without a value are left out. `at` applies to ' +
          'faults and points.',
        params: BuildingParams,
        querystring: ColoursQuery,
        problems: ['RATE_LIMITED'],
        conventions: ['read-your-writes'],
        response: { 200: ColoursBody },
      },
    },
    async (request, reply) => {
      const { storeyId, colour, at } = request.query;
      const place = { ...request.params, organisation: organisationIn(request), storeyId };
      const { categories, spaces, ...colours } = await coloursOf(request, reply, place, colour, at);
      return {
        colour: writtenOf(colour),
        at: at ?? null,
        ...colours,
        categories: categories && [...categories],
        spaces: [...spaces],
      };
    },
  );

  app.get(
    `${BUILDING}/plan/colourings`,
    {
      config: canRead,
      schema: {
        operationId: 'listPlanColourings',
        tags,
        summary: 'List the values that a plan can be coloured by',
        params: BuildingParams,
        querystring: PlanQuery,
        response: { 200: ColouringsBody },
      },
    },
    async (request) => {
      const place = { ...request.params, organisation: organisationIn(request), ...request.query };
      const found = await planColours.colourings(place);
      if (found === null) throw noStorey(place);
      const level = { kind: 'level', unit: null } as const;
      const mayReadTickets = callerIn(request).permissions.has(TICKETS);
      return {
        items: [
          ...(mayReadTickets ? [{ colour: 'tickets', name: 'Open tickets', ...level }] : []),
          { colour: 'faults', name: 'Open faults', ...level },
          ...found,
        ],
      };
    },
  );

  app.get(
    `${BUILDING}/storeys/:storeyId/plan.svg`,
    {
      config: { ...canRead, ownPermission: 'service-desk.own:read' },
      schema: {
        operationId: 'getPlanPicture',
        tags,
        summary: 'The plan of a storey as a picture',
        description:
          'SVG without scripts or external resources, in the colours of `getPlanColours`; ' +
          'rooms with overdue tickets are hatched. The `ETag` changes with the picture. For ' +
          'requesters, the plan has no colours.',
        params: StoreyParams,
        querystring: PictureQuery,
        problems: ['RATE_LIMITED'],
        conventions: ['content-etag', 'read-your-writes'],
        response: {
          200: {
            description: 'The picture.',
            content: { 'image/svg+xml': { schema: z.string() } },
          },
        },
      },
    },
    async (request, reply) => {
      const { colour, at } = request.query;
      if (colour) requirePermission(callerIn(request), canRead.permission);
      const place = { ...request.params, organisation: organisationIn(request) };
      const plan = await plans.read(place);
      if (plan === null) throw noStorey(place);
      const colours = colour ? await coloursOf(request, reply, place, colour, at) : null;
      const { svg, digest } = await planSvg(plan, colours);
      void reply
        .header('etag', `"${digest}"`)
        .header('cache-control', 'private, no-cache')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .type('image/svg+xml; charset=utf-8');
      return reply.send(svg as never);
    },
  );
};

const writtenOf = (colour: PlanColour): string => {
  if (colour.by === 'layer') return `layer:${colour.slug}`;
  return colour.by === 'point' ? `point:${colour.pointClass}` : colour.by;
};
