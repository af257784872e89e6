/** Opening a ticket, common to all callers. contract.md section 5. */
import { v5 as uuidFrom } from 'uuid';
import { isRefusal } from '../../engine/aggregates/decider.ts';
import { ticketNumber } from '../../domain/tickets/numbering.ts';
import type { Configuration } from '../../domain/service-desk/configuration.ts';
import type { OpenTicket, TicketCommand } from '../../domain/tickets/commands.ts';
import { withAliases } from '../../domain/service-desk/location-references.ts';
import { requestTypeOf } from '../../domain/service-desk/request-types.ts';
import { draftOf, ticketDefaults, type NewTicket } from '../../domain/tickets/draft.ts';
import { notesMaxOf, storedObjectsOf } from '../../domain/tickets/opening.ts';
import { requestRefusal } from '../../domain/tickets/requesters.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { Graph } from '../../building/graph/graph.ts';
import { Refused, type Aggregate, type Answer } from '../../engine/aggregates/aggregate.ts';
import { placeAliases } from '../service-desk/place-aliases.ts';
import type { ServiceDesks } from '../service-desk/service-desks.ts';
import type { TicketNumbers } from './ticket-numbers.ts';
import { followImport } from './follow-import.ts';
import { formFor } from './ticket-form.ts';
import type { UseCase } from '../use-case.ts';

export interface OpenTicketParts {
  readonly tickets: Pick<Aggregate<TicketCommand, TicketView>, 'give'>;
  readonly graph: Pick<Graph, 'resolveLocation' | 'aliasesOf' | 'successorsOf'>;
  readonly desks: Pick<ServiceDesks, 'configurationOf'>;
  readonly numbers: TicketNumbers;
}

export interface TicketToOpen extends NewTicket {
  /** Whether the organisation's routing rules run on it. Default true. */
  readonly routed?: boolean;
  /** Whether `formData` must fit the form of its request type. Default true. */
  readonly isFormChecked?: boolean;
  /** Whether it must be of a request type that requesters may choose. Default false. */
  readonly byRequester?: boolean;
}

/**
 * Opens a ticket with the organisation's current request types, routing rules and SLA policies. A
 * repeated name returns the ticket opened before, without look-ups.
 *
 * @throws {@link Refused} with `REFERENCE_NOT_FOUND` or `LOCATION_CONTRADICTION` for its location,
 *   `VALIDATION_FAILED` for `formData`, `metadata` and a request type that is not for requesters,
 *   `CONFLICT` for an id in use.
 * @throws {@link LogUnavailable} if the log cannot be reached.
 */
export const openTicket =
  ({
    tickets,
    graph,
    desks,
    numbers,
  }: OpenTicketParts): UseCase<TicketToOpen, Answer<TicketView>> =>
  async (ticket, occasion, name) => {
    const { ticketId, organisation } = ticket;
    const command = () =>
      openTicketCommand(ticket, name.commandId, {
        graph,
        configuration: () => desks.configurationOf(organisation),
        number: async () => ticketNumber(await numbers.next(organisation, occasion)),
      });
    const answer = await tickets.give(ticketId, { ...name, command, organisation }, occasion);
    return followImport({ tickets, graph })(answer, occasion, name.commandId);
  };

/** The look-ups of opening a ticket. */
export interface LookUps {
  readonly graph: Pick<Graph, 'resolveLocation' | 'aliasesOf'>;
  readonly configuration: () => Promise<Configuration>;
  /** Called last, so that a refused ticket draws no number. */
  readonly number: () => Promise<string>;
}

/**
 * The command without giving it, for simulations.
 *
 * @throws {@link Refused} for an unknown or contradictory location, and for `formData` or
 *   `metadata` that cannot be stored.
 */
export const openTicketCommand = async (
  ticket: TicketToOpen,
  commandId: string,
  { graph, configuration: configurationNow, number }: LookUps,
): Promise<OpenTicket> => {
  const [location, configured] = await Promise.all([
    graph.resolveLocation(ticket.organisation, ticket),
    configurationNow(),
  ]);
  if (isRefusal(location)) throw new Refused(location);
  const applied = ticket.routed === false ? { ...configured, routingRules: [] } : configured;
  const aliases = await placeAliases(graph, ticket.organisation, [location], [applied]);
  const configuration = withAliases(applied, aliases);
  const { requestType = ticketDefaults.requestType, formData = ticketDefaults.formData } = ticket;
  const { organisation, buildingId, isFormChecked = true, byRequester = false } = ticket;
  const refusal = byRequester ? requestRefusal(configured, { requestType, formData }) : null;
  if (refusal) throw new Refused(refusal);
  const form = isFormChecked
    ? await formFor(graph, configuration, { organisation, buildingId, requestType, formData })
    : {};
  const { metadata = ticketDefaults.metadata } = ticket;
  const objects = storedObjectsOf({ formData, metadata }, form.form);
  if (isRefusal(objects)) throw new Refused(objects);
  const type = requestTypeOf(configuration, requestType);
  return {
    type: 'OpenTicket',
    draft: draftOf(ticket, location, await number(), type),
    configuration,
    ...form,
    noteIds: noteIdsFor(commandId, configuration),
  };
};

/** Ids of the notes that rules may add. A repeated command has the same. */
export const noteIdsFor = (commandId: string, configuration: Configuration): readonly string[] =>
  Array.from({ length: notesMaxOf(configuration) }, (_, index) =>
    uuidFrom(`note/${index}`, commandId),
  );
