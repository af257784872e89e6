/**
 * The history of a ticket for reports: its states with their times, its first response, and the
 * results of its SLA clocks. Pure; folded from the ticket's events.
 *
 * Results come from recorded facts alone, never from a comparison with minutes of a policy: a clock
 * is missed where its breach is recorded, at its due time, or at the reopening after which it was
 * overdue; it is met where it ends without one. So working hours and pauses count as they did for
 * the ticket, and a reopening changes no past result. A cancellation ends a clock without a result.
 * Each resolution in time meets the resolution clock; it is missed at most once.
 */
import { tableOf, type Instant } from '../../engine/aggregates/decider.ts';
import { DAY_MS } from '../../engine/time/calendar.ts';
import type { Priority, TicketEvent, TicketFact } from '../tickets/events.ts';
import type { TicketState } from '../tickets/graph.ts';
import { isWorkOver } from '../tickets/sla.ts';

/** Times are milliseconds since 1970. */
export interface TicketHistory {
  readonly id: string;
  readonly organisationId: string;
  readonly buildingId: string;
  readonly storeyId: string | null;
  readonly spaceId: string | null;
  readonly elementId: string | null;
  readonly category: string | null;
  readonly assignedTeamId: string | null;
  readonly priority: Priority;
  readonly createdAt: number;
  /** Each state that it entered, in order; the first is `new`. */
  readonly states: readonly TicketState[];
  /** When it entered each; never descending. */
  readonly since: readonly number[];
  /** The last time at which its work was over; `null` while it is open. */
  readonly openUntil: number | null;
  readonly respondedAt: number | null;
  readonly hasFirstResponseClock: boolean;
  readonly firstResponseMetAt: number | null;
  readonly firstResponseMissedAt: number | null;
  readonly hasResolutionClock: boolean;
  readonly resolutionMissedAt: number | null;
}

/**
 * Returns the same object for an event that no report uses.
 *
 * @throws Error for another fact than the opening without a ticket: the stream is broken.
 */
export const historyAfter = (
  { event, at }: { readonly event: TicketEvent; readonly at: Instant },
  history: TicketHistory | null,
): TicketHistory => {
  if (event.type === 'TicketOpened') return opened(event, Date.parse(at));
  if (history === null) throw new Error(`${event.type} before TicketOpened`);
  const change = changeBy(event, Date.parse(at), history);
  return change === null ? history : { ...history, ...change };
};

const opened = (event: TicketFact<'TicketOpened'>, at: number): TicketHistory => ({
  id: event.ticketId,
  organisationId: event.organisation,
  buildingId: event.buildingId,
  storeyId: event.storeyId,
  spaceId: event.spaceId,
  elementId: event.elementId,
  category: event.category,
  assignedTeamId: null,
  priority: event.priority,
  createdAt: at,
  states: ['new'],
  since: [at],
  openUntil: null,
  respondedAt: null,
  hasFirstResponseClock: event.slaFirstResponseDueAt !== null,
  firstResponseMetAt: null,
  firstResponseMissedAt: null,
  hasResolutionClock: event.slaResolutionDueAt !== null,
  resolutionMissedAt: null,
});

const changeBy = tableOf<
  Exclude<TicketEvent, TicketFact<'TicketOpened'>>,
  [number, TicketHistory],
  Partial<TicketHistory> | null
>({
  TicketTransitioned: ({ to }, at, history) => {
    // A clock that was set back between two commands must not disorder the times.
    const time = Math.max(at, history.since.at(-1)!);
    const isOver = isWorkOver(to);
    return {
      states: [...history.states, to],
      since: [...history.since, time],
      openUntil: isOver ? (history.openUntil ?? time) : null,
      ...(isOver && to !== 'cancelled' ? firstResponseMet(history, at) : {}),
    };
  },
  TicketAssigned: ({ assignedTeamId }, _, history) =>
    assignedTeamId === history.assignedTeamId ? null : { assignedTeamId },
  FirstResponseMade: (_, at, history) => ({
    respondedAt: history.respondedAt ?? at,
    ...firstResponseMet(history, at),
  }),
  SlaClockBreached: ({ clock, dueAt }, _, history) =>
    clock === 'first_response'
      ? { firstResponseMissedAt: Date.parse(dueAt) }
      : { resolutionMissedAt: Math.max(Date.parse(dueAt), reopenedAt(history)) },
  SlaWarningRaised: () => null,
  SlaDuesMoved: () => null,
  TicketEdited: ({ changes: { priority, category, location } }) =>
    priority === undefined && category === undefined && location === undefined
      ? null
      : {
          ...(priority === undefined ? {} : { priority }),
          ...(category === undefined ? {} : { category }),
          ...location,
        },
  NoteAdded: () => null,
  SystemNoteAdded: () => null,
  AttachmentAdded: () => null,
  AttachmentRemoved: () => null,
  TicketRated: () => null,
  TicketPersonalDataErased: () => null,
  TicketRelocated: ({ storeyId, spaceId, elementId }) => ({ storeyId, spaceId, elementId }),
  WorkOrderLinked: () => null,
});

/** The last time that it was reopened; `-Infinity`: never. */
const reopenedAt = ({ states, since }: Pick<TicketHistory, 'states' | 'since'>): number =>
  since[states.lastIndexOf('reopened')] ?? -Infinity;

/** The first-response clock ends once, with one result. */
const firstResponseMet = (
  {
    hasFirstResponseClock,
    firstResponseMetAt,
    firstResponseMissedAt,
  }: Pick<TicketHistory, 'hasFirstResponseClock' | 'firstResponseMetAt' | 'firstResponseMissedAt'>,
  at: number,
): Partial<TicketHistory> =>
  hasFirstResponseClock && firstResponseMetAt === null && firstResponseMissedAt === null
    ? { firstResponseMetAt: at }
    : {};

/** The days with events that a report counts, in UTC, counted from 1970-01-01. */
export const daysOf = (history: TicketHistory): readonly number[] => {
  const moments = [
    ...history.since,
    history.respondedAt,
    history.firstResponseMetAt,
    history.firstResponseMissedAt,
    history.resolutionMissedAt,
  ];
  const days = moments.flatMap((moment) => (moment === null ? [] : [utcDayOf(moment)]));
  return [...new Set(days)].sort((a, b) => a - b);
};

export const utcDayOf = (moment: number): number => Math.floor(moment / DAY_MS);
