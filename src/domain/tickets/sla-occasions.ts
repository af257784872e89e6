/**
 * What is next of a clock: its warning, then its breach, each once. Whoever asks in time or late
 * gets the same answer, so that a timer only has to ask.
 */
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { SlaClock, TicketFact } from './events.ts';
import { isPastDue, openClocks, standsStill, type SlaStanding } from './sla.ts';

/** When each clock warns; `null` once it has or is breached, and where it never does. */
export interface SlaWarnings {
  readonly slaFirstResponseWarnsAt: Instant | null;
  readonly slaResolutionWarnsAt: Instant | null;
}

export interface SlaOccasion {
  readonly kind: 'warning' | 'breach';
  /** From when on it is due. */
  readonly at: Instant;
  /** Of the clock. */
  readonly dueAt: Instant;
}

/** The next occasion of a clock that has not ended; `null` if it stands still or has none left. */
export const nextOccasion = (
  ticket: SlaStanding & SlaWarnings,
  clock: SlaClock,
): SlaOccasion | null => {
  const open = openClocks(ticket).find((one) => one.clock === clock);
  if (!open || open.breached) return null;
  const { dueAt } = open;
  const warnsAt = warnsAtOf(ticket, clock);
  if (warnsAt !== null && warnsAt <= dueAt) {
    // One that fell due before the pause began is still to be raised, however late.
    const putOff = ticket.slaPausedAt !== null && warnsAt > ticket.slaPausedAt;
    return putOff ? null : { kind: 'warning', at: warnsAt, dueAt };
  }
  return standsStill(ticket, dueAt) ? null : { kind: 'breach', at: justAfter(dueAt), dueAt };
};

/** The warning of `clock`, where it is due at `at`. */
export const warningOf = (
  ticket: SlaStanding & SlaWarnings,
  clock: SlaClock,
  at: Instant,
): readonly TicketFact<'SlaWarningRaised'>[] => {
  const next = nextOccasion(ticket, clock);
  return next?.kind === 'warning' && next.at <= at
    ? [{ type: 'SlaWarningRaised', clock, dueAt: next.dueAt }]
    : [];
};

/** Of `clocks`, those that run past due whose breach nobody has recorded. */
export const breachesOf = (
  ticket: SlaStanding,
  clocks: readonly SlaClock[],
  at: Instant,
): readonly TicketFact<'SlaClockBreached'>[] =>
  openClocks(ticket)
    .filter(({ clock, dueAt, breached }) => {
      const late = isPastDue(dueAt, at) && !standsStill(ticket, dueAt);
      return late && !breached && clocks.includes(clock);
    })
    .map(({ clock, dueAt }) => ({ type: 'SlaClockBreached', clock, dueAt }));

const warnsAtOf = (ticket: SlaWarnings, clock: SlaClock): Instant | null =>
  clock === 'first_response' ? ticket.slaFirstResponseWarnsAt : ticket.slaResolutionWarnsAt;

/** What is done at the due time itself is done in time. */
const justAfter = (dueAt: Instant): Instant => new Date(Date.parse(dueAt) + 1).toISOString();
