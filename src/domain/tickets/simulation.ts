/** Simulates the creation of a ticket, without creating it. contract.md section 5. */
import { isRefusal, type Occasion, type Refusal } from '../../engine/aggregates/decider.ts';
import type { Configuration } from '../service-desk/configuration.ts';
import { refusalOf } from '../service-desk/desk.ts';
import { configuredTextsFinder, type TextsFinder } from '../service-desk/matching.ts';
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
 * Simulates creations by the rules of the create. The configurations are checked and prepared once,
 * for any number of tickets; each ticket is searched once for the texts of all of them.
 *
 * @param given The configurations as they are stored or sent, which are checked. Default: the same.
 * @returns For each configuration its simulator, or the refusal of a PUT if it is invalid.
 */
export const simulatorsOf = <const Of extends readonly Configuration[]>(
  configurations: Of,
  given: readonly Configuration[] = configurations,
): { readonly [At in keyof Of]: Simulator | Refusal } => {
  // Checked first, because only a valid configuration is small enough to evaluate.
  const refusals = given.map(refusalOf);
  const find = configuredTextsFinder(configurations.filter((_, at) => refusals[at] === null));
  const found = new WeakMap<object, ReadonlySet<string>>();
  const textsIn: TextsFinder = (draft) => {
    const texts = found.get(draft) ?? find(draft);
    found.set(draft, texts);
    return texts;
  };
  const simulators = configurations.map(
    (configuration, at) => refusals[at] ?? simulatorBy(configuration, textsIn),
  );
  return simulators as { [At in keyof Of]: Simulator | Refusal };
};

const simulatorBy = (configuration: Configuration, textsIn: TextsFinder): Simulator => {
  const planOf = plannerOf(configuration, textsIn);
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
