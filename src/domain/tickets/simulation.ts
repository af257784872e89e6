/** Simulates the creation of a ticket, without creating it. contract.md section 5. */
import { isRefusal, type Occasion, type Refusal } from '../../engine/aggregates/decider.ts';
import { emptyConfiguration, type Configuration } from '../service-desk/configuration.ts';
import { refusalOf } from '../service-desk/desk.ts';
import type { RoutingNote, RoutingStep } from '../service-desk/routing.ts';
import type { SlaTerms } from '../service-desk/sla-terms.ts';
import type { OpenTicket } from './commands.ts';
import { openingOf, plannerOf } from './opening.ts';
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

/** Simulates the creation of a ticket at a time. Refuses as the create does. */
export type Simulator = (
  command: Omit<OpenTicket, 'configuration'>,
  occasion: Pick<Occasion, 'at' | 'by'>,
) => Simulation | Refusal;

/**
 * Simulates creations by the rules of the create. The configuration is checked and prepared once,
 * for any number of tickets.
 *
 * @returns The refusal of a PUT, if the configuration is invalid.
 */
export const simulatorOf = (
  configuration: Configuration = emptyConfiguration,
): Simulator | Refusal => {
  // Checked first, because only a valid configuration is small enough to evaluate.
  const refusal = refusalOf(configuration);
  if (refusal) return refusal;
  const planOf = plannerOf(configuration);
  return (command, { at, by }) => {
    const plan = planOf(command.draft);
    const events = openingOf({ ...command, configuration }, at, plan);
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
};
