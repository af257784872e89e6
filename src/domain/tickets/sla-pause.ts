/**
 * The effect of a pause. While a ticket whose policy pauses is `waiting`, times that were not due
 * at the beginning of the pause move by its working time: as much time is left afterwards as
 * before.
 */
import type { Instant } from '../../engine/aggregates/decider.ts';
import { dueAfter, workingMs, type BusinessCalendar } from '../service-desk/business-hours.ts';
import type { SlaClock, TicketFact } from './events.ts';
import { openClocks, type SlaStanding } from './sla.ts';
import { standingBy } from './sla-fold.ts';
import { breachesOf, type SlaWarnings } from './sla-occasions.ts';

/** The policy of a ticket at its opening; `null` if it does not pause. */
export interface SlaPausing {
  readonly slaPause: { readonly calendar: BusinessCalendar | null } | null;
}

type Clocks = SlaStanding & SlaWarnings & SlaPausing;

/**
 * How far the pause in progress at `at` has moved the times of `clocks`; `[]` if there is none, or
 * it has moved none. The other clocks keep their times.
 */
export const duesMoved = (
  ticket: Clocks,
  clocks: readonly SlaClock[],
  at: Instant,
): readonly TicketFact<'SlaDuesMoved'>[] => {
  const { slaPause, slaPausedAt } = ticket;
  if (slaPause === null || slaPausedAt === null) return [];
  const { calendar } = slaPause;
  const waitedMs = workingMs(calendar, slaPausedAt, at);
  if (waitedMs <= 0) return [];
  const later = (instant: Instant) => dueAfter(calendar, instant, waitedMs / 60_000);

  // A clock past due at the beginning of the pause is breached since then, and keeps its time.
  const moving = new Set(
    openClocks(ticket)
      .filter(({ clock, breached }) => !breached && clocks.includes(clock))
      .map(({ clock }) => clock),
  );
  if (moving.size === 0) return [];
  const due = (clock: SlaClock, dueAt: Instant | null) =>
    dueAt !== null && moving.has(clock) ? later(dueAt) : dueAt;
  // A warning due before the pause is late already, and is raised unchanged.
  const warning = (clock: SlaClock, warnsAt: Instant | null) =>
    warnsAt !== null && warnsAt > slaPausedAt && moving.has(clock) ? later(warnsAt) : warnsAt;
  return [
    {
      type: 'SlaDuesMoved',
      slaFirstResponseDueAt: due('first_response', ticket.slaFirstResponseDueAt),
      slaResolutionDueAt: due('resolution', ticket.slaResolutionDueAt),
      warnings: {
        firstResponseAt: warning('first_response', ticket.slaFirstResponseWarnsAt),
        resolutionAt: warning('resolution', ticket.slaResolutionWarnsAt),
      },
    },
  ];
};

/** The facts to record before `clocks` end: the moved times and the breaches. */
export const settled = (ticket: Clocks, clocks: readonly SlaClock[], at: Instant) => {
  const events = duesMoved(ticket, clocks, at);
  const standing = events.reduce<SlaStanding>(
    (one, fact) => ({ ...one, ...standingBy(fact, one, at) }),
    { ...ticket, slaPausedAt: null },
  );
  return [...events, ...breachesOf(standing, clocks, at)];
};
