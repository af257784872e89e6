/** The sample tickets of a new sandbox. */
import { v5 as uuidFrom } from 'uuid';
import type { Platform } from '../compose.ts';
import { authorityOf } from '../domain/authority.ts';
import type { Instant, Occasion } from '../engine/aggregates/decider.ts';
import { seededTickets, type SeededTicket } from '../domain/sandboxes/generator/tickets.ts';
import type { SpaceRow } from '../building/graph/graph.ts';
import type { TicketCommand } from '../domain/tickets/commands.ts';
import { openTicket } from '../use-cases/tickets/open-ticket.ts';

export interface SeedTickets {
  readonly organisation: string;
  /** Namespace of the tickets' ids; each generation has its own. */
  readonly namespace: string;
  readonly at: Instant;
  readonly seed: string;
}

/** Idempotent, also after an interruption. */
export const seedTickets = async (
  platform: Pick<Platform, 'graph' | 'tickets' | 'desks' | 'numbers'>,
  { organisation, namespace, at, seed }: SeedTickets,
): Promise<void> => {
  const occasion: Occasion = {
    at,
    by: { kind: 'system', id: 'sandbox-seeding' },
    origin: 'system',
  };
  const { graph } = platform;
  const [building] = (await graph.buildings(organisation, { limit: 1, offset: 0 })).items;
  if (!building) throw new Error('the sandbox has no building');
  const spaces = (await graph.spaces(organisation, building.id, { limit: 1_000, offset: 0 }))!
    .items;

  const tickets = seededTickets(seed, spaces.map(placeOf)).map((ticket, index) => ({
    ...ticket,
    ticketId: uuidFrom(String(index), namespace),
    spaceId: spaces.find(({ code }) => code === ticket.spaceCode)?.id,
  }));
  // Sequential, so that sandboxes with the same seed number their tickets alike.
  for (const { ticketId, spaceId, details } of tickets) {
    const newTicket = { ticketId, organisation, buildingId: building.id, spaceId, ...details };
    await openTicket(platform)(newTicket, occasion, { commandId: uuidFrom('open', ticketId) });
  }
  // Concurrent, to share commits and batches of the read models.
  const outcomes = await Promise.allSettled(
    tickets.map(async ({ ticketId, ...ticket }) => {
      for (const [step, command] of stepsOf(ticket, organisation, ticketId).entries()) {
        const commandId = uuidFrom(`step/${step}`, ticketId);
        await platform.tickets.give(ticketId, { commandId, command, organisation }, occasion);
      }
    }),
  );
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
};

const placeOf = ({ code, name, spaceType }: SpaceRow) => ({ code, name, type: spaceType.slug });

const stepsOf = (
  { team, path, note }: SeededTicket,
  organisation: string,
  ticketId: string,
): readonly TicketCommand[] => {
  const authority = authorityOf(organisation);
  const noteId = uuidFrom('note', ticketId);
  return [
    ...path.map((to) => ({ type: 'TransitionTicket', authority, to }) as const),
    ...(team ? [{ type: 'AssignTicket', authority, assignedTeamId: team } as const] : []),
    ...(note
      ? [{ type: 'AddNote', authority, noteId, body: note, visibility: 'internal' } as const]
      : []),
  ];
};
