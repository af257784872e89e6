/** The tickets of a new sandbox: in several states, and the same for one seed. */
import type { NewTicket } from '../../tickets/draft.ts';
import type { TicketState } from '../../tickets/graph.ts';
import { sourceOf } from './random.ts';

export interface SeededTicket {
  /** `null`: about the building as a whole. */
  readonly spaceCode: string | null;
  readonly details: Omit<NewTicket, 'ticketId' | 'organisation' | 'buildingId'>;
  /** Its states after `new`. */
  readonly path: readonly TicketState[];
  readonly team?: string;
  readonly note?: string;
}

export interface Place {
  readonly code: string;
  readonly name: string;
  readonly type: string;
}

export const seededTickets = (seed: string, places: readonly Place[]): readonly SeededTicket[] => {
  const source = sourceOf(seed, 'tickets');
  return stories.map(({ about, details, ...story }) => {
    const fitting = about === null ? [] : places.filter(({ type }) => about.includes(type));
    const place = fitting[Math.floor(source() * fitting.length)];
    return { ...story, details, spaceCode: place?.code ?? null };
  });
};

interface Story extends Omit<SeededTicket, 'spaceCode'> {
  /** Types of the rooms it may concern; `null`: none. */
  readonly about: readonly string[] | null;
}

const stories: readonly Story[] = [
  {
    about: ['open-office', 'office', 'retail-unit', 'food-unit'],
    details: {
      subject: 'Too warm in the afternoon',
      description: 'It is above 27 °C at the windows since noon, the blinds are down.',
      category: 'climate',
    },
    path: [],
  },
  {
    about: ['lobby', 'mall-corridor', 'corridor'],
    details: {
      subject: 'Door does not close',
      description: 'The left wing stays open, the closer is broken.',
      priority: 'high',
      category: 'doors',
    },
    path: ['triaged'],
    team: 'facility-team',
  },
  {
    about: ['toilet', 'kitchenette'],
    details: {
      subject: 'Water on the floor',
      description: 'Water under the sink, spreading towards the corridor.',
      priority: 'critical',
      category: 'plumbing',
      channel: 'phone',
    },
    path: ['triaged', 'in_progress'],
    team: 'plumbers',
    note: 'The valve is shut. Waiting for the part.',
  },
  {
    about: null,
    details: {
      subject: 'Lift stops between floors',
      description: 'It stopped twice this morning.',
      priority: 'high',
      category: 'lifts',
    },
    path: ['triaged', 'in_progress', 'resolved'],
    team: 'lift-contractor',
  },
  {
    about: ['meeting-room', 'food-court', 'anchor-store'],
    details: {
      description: 'One light tube flickers.',
      priority: 'low',
      category: 'lighting',
      channel: 'system',
      metadata: { source: 'sandbox', externalId: 'SEED-1042' },
    },
    path: [],
  },
];
