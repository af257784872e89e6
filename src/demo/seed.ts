import { v5 as uuidFrom } from 'uuid';
import type { Graph } from '../graph/graph.ts';
import { authorityOf } from '../domain/authority.ts';
import type { Occasion } from '../domain/decider.ts';
import { ticketNumber } from '../domain/numbering/numbering.ts';
import type { TicketCommand, TicketDraft } from '../domain/ticket/commands.ts';
import type { TicketState } from '../domain/ticket/graph.ts';
import type { TicketView } from '../domain/ticket/view.ts';
import type { Clock } from '../ops/clock.ts';
import type { Aggregate } from '../store/aggregate.ts';
import type { Numbers } from '../store/repositories/ticket-numbers.ts';
import { DEMO_ORGANISATION, loadDemo } from './load.ts';

export interface DemoParts {
  readonly graph: Graph;
  readonly tickets: Aggregate<TicketCommand, TicketView>;
  readonly numbers: Numbers;
}

interface DemoTicket {
  /** Code of the room; absent: the building as a whole. */
  readonly room?: string;
  readonly details: Partial<TicketDraft> & Pick<TicketDraft, 'description'>;
  readonly team?: string;
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

/** Ids that stay the same for ever, so that a second start finds what the first one made. */
const DEMO_TICKETS = '5d0b7a52-6d6f-5f7c-8a53-3f1f8f6f2f10';

/**
 * A building and some tickets to look at, once: a first development start makes them, later ones
 * change nothing.
 */
export const seedDemo = async (parts: DemoParts, clock: Clock): Promise<void> => {
  const at = clock.now();
  const occasion: Occasion = { at, by: { kind: 'system', id: 'demo' }, origin: 'system' };
  const { buildingId } = await loadDemo(parts.graph, at);
  for (const [index, ticket] of demoTickets.entries()) {
    await seedTicket(parts, String(index), ticket, buildingId, occasion);
  }
};

const seedTicket = async (
  { graph, tickets, numbers }: DemoParts,
  name: string,
  { room, details, team, path = [], note }: DemoTicket,
  buildingId: string,
  occasion: Occasion,
): Promise<void> => {
  const id = uuidFrom(name, DEMO_TICKETS);
  const organisation = DEMO_ORGANISATION;
  const authority = authorityOf(organisation);
  const give = (step: string, command: TicketCommand | (() => Promise<TicketCommand>)) =>
    tickets.give(id, { commandId: uuidFrom(step, id), command, organisation }, occasion);

  const opened = await give('open', async () => {
    const rooms = await graph.spaces(organisation, buildingId, { limit: 1000, offset: 0 });
    const space = rooms?.items.find(({ code }) => code === room);
    const number = await numbers.next(organisation, occasion);
    return {
      type: 'OpenTicket',
      draft: {
        ...blank,
        ...details,
        ticketId: id,
        number: ticketNumber(number),
        organisation,
        buildingId,
        storeyId: space?.storey.id ?? null,
        spaceId: space?.id ?? null,
      },
    };
  });
  // What came after the first start is the user's: a demo does not play itself again.
  if (opened.replayed) return;
  for (const to of path) await give(to, { type: 'TransitionTicket', authority, to });
  if (team) await give('assign', { type: 'AssignTicket', authority, assignedTeamId: team });
  if (note) {
    const noteId = uuidFrom('note', id);
    await give('note', {
      type: 'AddNote',
      authority,
      noteId,
      body: note,
      visibility: 'internal',
    });
  }
};

const blank = {
  requestType: 'general',
  elementId: null,
  subject: null,
  priority: 'medium',
  category: null,
  channel: 'portal',
  reporterName: null,
  reporterEmail: null,
  reporterPhone: null,
  formData: {},
  metadata: {},
} as const;
