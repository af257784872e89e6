/**
 * The next occasion of a clock: its warning, then its breach, each once. It does not depend on the
 * current time, so a timer may be late.
 */
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { SlaClock, TicketFact } from './events.ts';
import { isPastDue, openClocks, standsStill, type SlaStanding } from './sla.ts';

/** When each clock warns; `null` once it has warned or is breached, and if it never does. */
export interface SlaWarnings {
  readonly slaFirstResponseWarnsAt: Instant | null;
  readonly slaResolutionWarnsAt: Instant | null;
}

export interface SlaOccasion {
  readonly kind: 'warning' | 'breach';
  /** The time from which it is due. */
  readonly at: Instant;
  /** The due time of the clock. */
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
    // A warning due before the pause began must still be raised, however late.
    const putOff = ticket.slaPausedAt !== null && warnsAt > ticket.slaPausedAt;
    return putOff ? null : { kind: 'warning', at: warnsAt, dueAt };
  }
  return standsStill(ticket, dueAt) ? null : { kind: 'breach', at: justAfter(dueAt), dueAt };
};

/** The warning of `clock` if it is due at `at`. */
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

/** The running clocks among `clocks` that are past due without a recorded breach. */
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

/** An action at the due time itself is in time. */
const justAfter = (dueAt: Instant): Instant => new Date(Date.parse(dueAt) + 1).toISOString();
