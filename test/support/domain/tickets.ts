/** Facts and commands of tickets with defaults, for every test that needs some. */
import { authorityOf } from '../../../src/domain/authority.ts';
import type { Actor, Instant } from '../../../src/engine/aggregates/decider.ts';
import type { TicketCommand, TicketDraft } from '../../../src/domain/tickets/commands.ts';
import type { TicketEvent, TicketFact } from '../../../src/domain/tickets/events.ts';
import type { TicketState } from '../../../src/domain/tickets/graph.ts';
import { viewAfter, type TicketView } from '../../../src/domain/tickets/view.ts';
import { noon } from './specify.ts';

export const draft = {
  ticketId: '5f0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d11',
  number: 'SR-000042',
  organisation: 'acme',
  requestType: 'general',
  buildingId: '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
  storeyId: '1b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
  spaceId: null,
  elementId: null,
  subject: 'Sink',
  description: 'Water under the sink on storey 3.',
  priority: 'high',
  category: 'plumbing',
  channel: 'portal',
  reporterName: null,
  reporterEmail: null,
  reporterPhone: null,
  formData: {},
  metadata: {},
} as const satisfies TicketDraft;

/** As opened at noon: due at 13:00 and 20:00. */
export const opened = (over: Partial<TicketFact<'TicketOpened'>> = {}) =>
  ({
    type: 'TicketOpened',
    ...draft,
    slaFirstResponseDueAt: '2026-03-02T13:00:00.000Z',
    slaResolutionDueAt: '2026-03-02T20:00:00.000Z',
    ...over,
  }) satisfies TicketEvent;

export const moved = (from: TicketState, to: TicketState) =>
  ({ type: 'TicketTransitioned', from, to }) satisfies TicketEvent;

export const assigned = (assignedUserId: string | null, assignedTeamId: string | null = null) =>
  ({ type: 'TicketAssigned', assignedUserId, assignedTeamId }) satisfies TicketEvent;

export const responded = { type: 'FirstResponseMade' } as const satisfies TicketEvent;

export const breached = (fact: Omit<TicketFact<'SlaClockBreached'>, 'type'>) =>
  ({ type: 'SlaClockBreached', ...fact }) satisfies TicketEvent;

export const firstResponseBreached = breached({
  clock: 'first_response',
  dueAt: '2026-03-02T13:00:00.000Z',
});
export const resolutionBreached = breached({
  clock: 'resolution',
  dueAt: '2026-03-02T20:00:00.000Z',
});

export const warned = (fact: Omit<TicketFact<'SlaWarningRaised'>, 'type'>) =>
  ({ type: 'SlaWarningRaised', ...fact }) satisfies TicketEvent;

export const firstResponseWarned = warned({
  clock: 'first_response',
  dueAt: '2026-03-02T13:00:00.000Z',
});
export const resolutionWarned = warned({
  clock: 'resolution',
  dueAt: '2026-03-02T20:00:00.000Z',
});

export const noteId = '7d0c1a52-8c0e-4f0c-9d39-2f4a6f6f1d11';
export const noted = (body = 'Called back.', visibility: 'public' | 'internal' = 'internal') =>
  ({ type: 'NoteAdded', noteId, body, visibility }) satisfies TicketEvent;

/** The ticket's own organisation. */
export const acme = authorityOf(draft.organisation);

/** Commands of a user of the ticket's organisation. */
export const transition = (to: TicketState) =>
  ({ type: 'TransitionTicket', authority: acme, to }) satisfies TicketCommand;

export const edit = (patch: Extract<TicketCommand, { type: 'EditTicket' }>['patch']) =>
  ({ type: 'EditTicket', authority: acme, patch }) satisfies TicketCommand;

/** The shortest history that leaves a ticket in `state`. */
export const historyOf = (state: TicketState): readonly TicketEvent[] => [opened(), ...path[state]];

const path: Readonly<Record<TicketState, readonly TicketEvent[]>> = {
  new: [],
  triaged: [moved('new', 'triaged')],
  in_progress: [moved('new', 'triaged'), moved('triaged', 'in_progress')],
  waiting: [moved('new', 'triaged'), moved('triaged', 'waiting')],
  resolved: [moved('new', 'triaged'), moved('triaged', 'resolved')],
  reopened: [moved('new', 'triaged'), moved('triaged', 'resolved'), moved('resolved', 'reopened')],
  closed: [moved('new', 'triaged'), moved('triaged', 'resolved'), moved('resolved', 'closed')],
  cancelled: [moved('new', 'cancelled')],
};

/** The facts as the log has them: one minute apart from noon on, unless `at` says otherwise. */
export const recordedOf = (
  events: readonly TicketEvent[],
  { at, by = noon.by }: { at?: (revision: number) => Instant; by?: Actor } = {},
) =>
  events.map((event, revision) => ({
    id: `00000000-0000-4000-8000-${String(revision).padStart(12, '0')}`,
    event,
    at: at?.(revision) ?? new Date(Date.parse(noon.at) + revision * 60_000).toISOString(),
    by,
    revision,
  }));

export const viewOf = (...parameters: Parameters<typeof recordedOf>): TicketView => {
  const view = recordedOf(...parameters).reduce<TicketView | null>(
    (view, fact) => viewAfter(fact, view),
    null,
  );
  if (!view) throw new Error('a ticket without facts has no view');
  return view;
};
