/** Simulates the creation of a ticket, without creating it. contract.md section 5. */
import { isRefusal, type Occasion, type Refusal } from '../../engine/aggregates/decider.ts';
import { emptyConfiguration } from '../service-desk/configuration.ts';
import { refusalOf } from '../service-desk/desk.ts';
import type { RoutingNote, RoutingStep } from '../service-desk/routing.ts';
import type { SlaTerms } from '../service-desk/sla-terms.ts';
import type { OpenTicket } from './commands.ts';
import { openingOf, planOf } from './opening.ts';
import { warningsAtOpening } from './sla-fold.ts';
import type { SlaWarnings } from './sla-occasions.ts';
import { viewAfter, type TicketView } from './view.ts';

export interface Simulation {
  /** The ticket that the create would return. */
  readonly ticket: TicketView;
  readonly rules: readonly RoutingStep[];
  readonly notes: readonly RoutingNote[];
  readonly terms: SlaTerms;
  readonly warnings: SlaWarnings;
}

/**
 * Decides by the rules of the create. Refuses as it does, and an invalid configuration as a PUT
 * does.
 */
export const simulationOf = (
  command: OpenTicket,
  { at, by }: Pick<Occasion, 'at' | 'by'>,
): Simulation | Refusal => {
  const { draft, configuration = emptyConfiguration } = command;
  // Checked first, because only a valid configuration is small enough to evaluate.
  const refusal = refusalOf(configuration);
  if (refusal) return refusal;
  const plan = planOf(configuration, draft);
  const events = openingOf(command, at, plan);
  if (isRefusal(events)) return events;
  const ticket = events.reduce(
    (view: TicketView | null, event, revision) => viewAfter({ event, at, by, revision }, view),
    null,
  );
  const opened = events.find((event) => event.type === 'TicketOpened');
  if (ticket === null || !opened) throw new Error('a ticket was opened without being opened');
  return {
    ticket,
    rules: plan.routing.steps,
    notes: plan.routing.notes,
    terms: plan.terms,
    warnings: warningsAtOpening(opened, at),
  };
};
