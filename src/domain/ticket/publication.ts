/** What the internal bus is told of a change. interface.md «Internal bus events», contract.md 9. */
import type { Instant } from '../decider.ts';
import type { Change } from './change.ts';
import type { SlaClock, TicketEvent } from './events.ts';
import { shownTicket, type ShownTicket } from './shown.ts';
import type { TicketView } from './view.ts';

export type TicketSubject =
  | 'service-desk.ticket.created'
  | 'service-desk.ticket.updated'
  | 'service-desk.ticket.sla_warning'
  | 'service-desk.ticket.sla_breached';

export interface Publication {
  readonly type: TicketSubject;
  readonly data: ShownTicket & {
    readonly change: Change;
    /** Of the two about a clock. */
    readonly clock?: SlaClock;
    readonly dueAt?: Instant;
  };
}

/** One command is one message, by its change; `null` for a note, which the bus is not told of. */
export const publicationOf = (
  change: Change,
  facts: readonly TicketEvent[],
  ticket: TicketView,
): Publication | null => {
  if (change === 'note') return null;
  const data = { ...shownTicket(ticket), change };
  if (change === 'created') return { type: 'service-desk.ticket.created', data };
  const raised = change === 'sla' ? raisedBy(facts) : null;
  if (raised === null) return { type: 'service-desk.ticket.updated', data };
  const { type, clock, dueAt } = raised;
  return { type: subjects[type], data: { ...data, clock, dueAt } };
};

const subjects = {
  SlaClockBreached: 'service-desk.ticket.sla_breached',
  SlaWarningRaised: 'service-desk.ticket.sla_warning',
} as const satisfies Record<string, TicketSubject>;

/** Where one command raised both, the breach says more. */
const raisedBy = (facts: readonly TicketEvent[]) =>
  facts.find((fact) => fact.type === 'SlaClockBreached') ??
  facts.find((fact) => fact.type === 'SlaWarningRaised') ??
  null;
