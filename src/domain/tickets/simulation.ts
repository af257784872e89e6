/** What creating a ticket would do, without doing it. contract.md section 5. */
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
  /** As the answer of the create would show it. */
  readonly ticket: TicketView;
  readonly rules: readonly RoutingStep[];
  readonly notes: readonly RoutingNote[];
  readonly terms: SlaTerms;
  readonly warnings: SlaWarnings;
}

/** Decides by the very rules of the create. Refuses as it does, and a configuration as a PUT. */
export const simulationOf = (
  command: OpenTicket,
  { at, by }: Pick<Occasion, 'at' | 'by'>,
): Simulation | Refusal => {
  const { draft, configuration = emptyConfiguration } = command;
  // Before anything else: only what can be set is small enough to be tried.
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
