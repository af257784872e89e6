import { v5 as uuidFrom } from 'uuid';
import type { Graph } from '../building/graph/graph.ts';
import { authorityOf } from '../domain/authority.ts';
import type { Occasion } from '../engine/aggregates/decider.ts';
import type { TicketCommand } from '../domain/tickets/commands.ts';
import type { NewTicket } from '../domain/tickets/draft.ts';
import type { TicketState } from '../domain/tickets/graph.ts';
import type { TicketView } from '../domain/tickets/view.ts';
import type { Clock } from '../engine/time/clock.ts';
import type { Aggregate } from '../engine/aggregates/aggregate.ts';
import { openTicket, type OpenTicketParts } from '../use-cases/tickets/open-ticket.ts';
import { DEMO_ORGANISATION, loadDemo } from './load.ts';

export interface DemoParts extends OpenTicketParts {
  readonly graph: Graph;
  readonly tickets: Aggregate<TicketCommand, TicketView>;
  /** Registers the processes at the log's head, so that they skip earlier events. */
  register(): Promise<void>;
}

interface DemoTicket {
  /** Code of the room; absent: the building as a whole. */
  readonly room?: string;
  readonly details: Omit<NewTicket, 'ticketId' | 'organisation' | 'buildingId'>;
  /** The assignee, unless a routing rule has assigned the ticket. */
  readonly team?: string;
  /** The states to go through, without those that a routing rule has already set. */
  readonly path?: readonly TicketState[];
  readonly note?: string;
}

const demoTickets: readonly DemoTicket[] = [
  {
    room: '01-001',
    details: { subject: 'Too warm', description: 'It is 28 °C at the window desks since noon.' },
  },
  {
    room: '00-001',
    details: {
      subject: 'Entrance door does not close',
      description: 'The left wing of the entrance door stays open, the closer is broken.',
      priority: 'high',
      category: 'doors',
    },
    path: ['triaged'],
    team: 'facility-team',
  },
  {
    room: '02-001',
    details: {
      subject: 'Water on the floor',
      description: 'Water under the sink, spreading towards the corridor.',
      priority: 'critical',
      category: 'plumbing',
      channel: 'phone',
      reporterName: 'Reception',
    },
    team: 'plumbers',
    path: ['triaged', 'in_progress'],
    note: 'Valve is shut. Waiting for the part.',
  },
  {
    details: {
      subject: 'Lift stops between floors',
      description: 'The lift stopped twice this morning between ground and first floor.',
      priority: 'high',
      category: 'lifts',
    },
    team: 'lift-contractor',
    path: ['triaged', 'in_progress', 'resolved'],
  },
  {
    room: '01-002',
    details: {
      description: 'Light tube flickers in the meeting room.',
      priority: 'low',
      category: 'lighting',
      channel: 'system',
      metadata: { source: 'demo-cafm', externalId: 'CAFM-1042' },
    },
  },
];

/** Constant namespace of the ids, so that a second start finds the existing tickets. */
const DEMO_TICKETS = '5d0b7a52-6d6f-5f7c-8a53-3f1f8f6f2f10';

/**
 * Creates the demo building and tickets at the first start in development; later starts change
 * nothing. The tickets follow the configuration of {@link DEMO_ORGANISATION} at that time.
 */
export const seedDemo = async (parts: DemoParts, clock: Clock): Promise<void> => {
  await parts.register();
  const at = clock.now();
  const occasion: Occasion = { at, by: { kind: 'system', id: 'demo' }, origin: 'system' };
  const { buildingId } = await loadDemo(parts.graph, at);
  const range = { limit: 1000, offset: 0 };
  const rooms = await parts.graph.spaces(DEMO_ORGANISATION, buildingId, range);
  for (const [index, ticket] of demoTickets.entries()) {
    const spaceId = rooms?.items.find(({ code }) => code === ticket.room)?.id;
    await seedTicket(parts, String(index), ticket, { buildingId, spaceId }, occasion);
  }
};

const seedTicket = async (
  parts: DemoParts,
  name: string,
  { details, team, path = [], note }: DemoTicket,
  location: Pick<NewTicket, 'buildingId' | 'spaceId'>,
  occasion: Occasion,
): Promise<void> => {
  const ticketId = uuidFrom(name, DEMO_TICKETS);
  const organisation = DEMO_ORGANISATION;
  const authority = authorityOf(organisation);
  const nameOf = (step: string) => ({ commandId: uuidFrom(step, ticketId) });
  const give = (step: string, command: TicketCommand) =>
    parts.tickets.give(ticketId, { ...nameOf(step), command, organisation }, occasion);

  const ticket = { ticketId, organisation, ...details, ...location, isFormChecked: false };
  const { view, replayed } = await openTicket(parts)(ticket, occasion, nameOf('open'));
  // After the first start the tickets are the user's, and are not changed again.
  if (replayed) return;
  for (const to of path.slice(path.indexOf(view.state) + 1)) {
    await give(to, { type: 'TransitionTicket', authority, to });
  }
  const isAssigned = view.assignedUserId !== null || view.assignedTeamId !== null;
  if (team && !isAssigned) {
    await give('assign', { type: 'AssignTicket', authority, assignedTeamId: team });
  }
  if (note) {
    const noteId = uuidFrom('note', ticketId);
    await give('note', { type: 'AddNote', authority, noteId, body: note, visibility: 'internal' });
  }
};
