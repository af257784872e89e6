/** The users viewing a ticket, to avoid that two answer it at once. contract.md section 5. */
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { presenceStates, type Present } from '../../domain/presence/presence.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import { isRefusal } from '../../engine/aggregates/decider.ts';
import { lruCache } from '../../engine/concurrency/lru-cache.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';
import type { Presence } from '../../projections/presence/presence.ts';
import {
  PRESENCE_LASTS_MS,
  PRESENT_AT_TICKET_MAX,
  PRESENT_OF_CALLER_MAX,
} from '../../projections/presence/limits.ts';
import { exampled } from '../http/examples.ts';
import { notFound, refused } from '../http/problems.ts';
import { callerIn, organisationIn } from '../sessions/authenticate.ts';
import { TICKET_OWNERS_REMEMBERED_MAX } from './limits.ts';
import { ActorBody } from '../http/actor.ts';
import { TicketParams } from '../tickets/schemas.ts';

export interface PresenceRouteOptions {
  readonly presence: Presence;
  readonly tickets: Pick<Aggregate<TicketCommand, TicketView>, 'look'>;
}

const PRESENCE = '/api/service-desk/requests/:id/presence';
const tags = ['presence'];
const config = { permission: 'service-desk.tickets:read' } as const;
const LASTS_S = PRESENCE_LASTS_MS / 1_000;

const PresenceBody = z
  .strictObject({
    state: z
      .enum([...presenceStates, 'left'])
      .describe(`\`left\` ends the presence at once. Without a repeat it ends after ${LASTS_S} s.`),
  })
  .meta({ id: 'NewPresence', ...exampled({ state: 'viewing' }) });

const PresentBody = z
  .object({
    items: z.array(
      z
        .object({
          actor: ActorBody,
          state: z.enum(presenceStates),
          since: z.iso
            .datetime()
            .describe("When the caller's uninterrupted presence in this state began."),
        })
        .meta({ id: 'Present' }),
    ),
  })
  .meta({ id: 'Presence' });

export const presenceRoutes: FastifyPluginAsyncZod<PresenceRouteOptions> = async (app, options) => {
  const { presence, tickets } = options;

  /** A ticket never changes its organisation, so a heartbeat need not read it again. */
  const owners = lruCache<string>(TICKET_OWNERS_REMEMBERED_MAX);

  const assertOwn = async (request: FastifyRequest, ticketId: string): Promise<void> => {
    const owner = owners.get(ticketId) ?? (await tickets.look(ticketId))?.view.organisationId;
    if (owner !== undefined) owners.set(ticketId, owner);
    if (owner !== organisationIn(request)) throw notFound('ticket');
  };

  app.post(
    PRESENCE,
    {
      config,
      schema: {
        operationId: 'setPresence',
        tags,
        summary: 'Announce that you are viewing or editing a ticket',
        description:
          `Valid for ${LASTS_S} s; repeat it every 15 s. The response lists who is present, so ` +
          'no other request is needed. Presence is not recorded. A caller with several tabs ' +
          `counts once per ticket, and can be present at ${PRESENT_OF_CALLER_MAX} tickets at ` +
          `most; a ticket lists up to ${PRESENT_AT_TICKET_MAX} callers.`,
        params: TicketParams,
        body: PresenceBody,
        problems: ['RATE_LIMITED'],
        response: { 200: PresentBody },
      },
    },
    async (request) => {
      const { id } = request.params;
      await assertOwn(request, id);
      const { actor } = callerIn(request);
      const place = { ticketId: id, organisation: organisationIn(request), actor };
      const { state } = request.body;
      if (state === 'left') {
        await presence.leave(place);
        return bodyOf(await presence.at(id));
      }
      const present = await presence.enter(place, state);
      if (isRefusal(present)) throw refused(present);
      return bodyOf(present);
    },
  );

  app.get(
    PRESENCE,
    {
      config,
      schema: {
        operationId: 'listPresence',
        tags,
        summary: 'List who is viewing or editing a ticket',
        params: TicketParams,
        response: { 200: PresentBody },
      },
    },
    async (request) => {
      const { id } = request.params;
      await assertOwn(request, id);
      return bodyOf(await presence.at(id));
    },
  );
};

const bodyOf = (present: readonly Present[]) => ({ items: present.map((one) => ({ ...one })) });
