/**
 * The two clocks of a ticket: when they are due, when they run, when they are past due.
 *
 * A due time moves only by a pause, if the policy has one: in `waiting` the clocks then stop,
 * except one that was past due before.
 *
 * The first-response clock ends with the first response, or for good when the ticket is resolved or
 * cancelled without one. The resolution clock ends at `resolved`, `closed` and `cancelled` and,
 * after a reopen, continues with its old due time. contract.md section 5.
 */
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { Priority, SlaClock } from './events.ts';
import type { TicketState } from './graph.ts';

/** Elapsed minutes from the opening of the ticket; `null`: no such clock. */
export interface SlaMinutes {
  readonly firstResponseMinutes: number | null;
  readonly resolutionMinutes: number | null;
}

/** Defaults without a policy of the organisation; around the clock. */
export const defaultSlaMinutes: Readonly<Record<Priority, SlaMinutes>> = {
  critical: { firstResponseMinutes: 15, resolutionMinutes: 240 },
  high: { firstResponseMinutes: 60, resolutionMinutes: 480 },
  medium: { firstResponseMinutes: 240, resolutionMinutes: 1440 },
  low: { firstResponseMinutes: 480, resolutionMinutes: 4320 },
};

/** The state that the clocks depend on, part of a ticket's view and of its decider's state. */
export interface SlaStanding {
  readonly state: TicketState;
  readonly slaFirstResponseDueAt: Instant | null;
  /** Set at the first response, or at a resolution or cancellation without one, and never again. */
  readonly slaFirstResponseEndedAt: Instant | null;
  readonly slaFirstResponseBreached: boolean;
  readonly slaResolutionDueAt: Instant | null;
  readonly slaResolutionBreached: boolean;
  /** The policy pauses while the ticket is `waiting`. */
  readonly slaPauses: boolean;
  /** When the clocks stopped; `null` while they run. */
  readonly slaPausedAt: Instant | null;
}

export interface RunningClock {
  readonly clock: SlaClock;
  readonly dueAt: Instant;
  /** Its breach is recorded; it runs on, overdue. */
  readonly breached: boolean;
}

/** The clocks that run, first response before resolution; without paused ones. */
export const runningClocks = (ticket: SlaStanding): readonly RunningClock[] =>
  openClocks(ticket).filter(({ dueAt }) => !standsStill(ticket, dueAt));

/** The clocks that have not ended, paused or not. */
export const openClocks = (ticket: SlaStanding): readonly RunningClock[] => {
  const running: RunningClock[] = [];
  const { slaFirstResponseDueAt: first, slaResolutionDueAt: resolution } = ticket;
  if (first !== null && ticket.slaFirstResponseEndedAt === null) {
    const breached = ticket.slaFirstResponseBreached;
    running.push({ clock: 'first_response', dueAt: first, breached });
  }
  if (resolution !== null && !isWorkOver(ticket.state)) {
    const breached = ticket.slaResolutionBreached;
    running.push({ clock: 'resolution', dueAt: resolution, breached });
  }
  return running;
};

/** The earliest due time of a running clock, breached or not; `null` if none runs. */
export const nextDueAt = (ticket: SlaStanding): Instant | null => {
  let least: Instant | null = null;
  for (const { dueAt } of runningClocks(ticket)) if (least === null || dueAt < least) least = dueAt;
  return least;
};

/** Strictly later: an action at the due time itself is in time. Also for the list's `overdue`. */
export const isPastDue = (dueAt: Instant, now: Instant): boolean => now > dueAt;

/** A clock that was not past due at the beginning of the pause is stopped by it. */
export const standsStill = (
  { slaPausedAt }: Pick<SlaStanding, 'slaPausedAt'>,
  dueAt: Instant,
): boolean => slaPausedAt !== null && !isPastDue(dueAt, slaPausedAt);

/** The states without pending work; entering one ends both clocks. */
export const isWorkOver = (state: TicketState): boolean =>
  state === 'resolved' || state === 'closed' || state === 'cancelled';
