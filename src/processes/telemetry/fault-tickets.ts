import { v5 as uuidFrom } from 'uuid';
import { systemAuthority } from '../../domain/authority.ts';
import { faultTicketCodec } from '../../domain/telemetry/codecs.ts';
import {
  FAULT_TICKET_CATEGORY,
  type FaultTicketEvent,
} from '../../domain/telemetry/fault-events.ts';
import { reopenedText } from '../../domain/telemetry/fault-ticket.ts';
import type { RaiseTicket } from '../../domain/telemetry/raise-ticket.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import type { Workflow } from '../../domain/tickets/graph.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import { Refused, type Aggregate } from '../../engine/aggregates/aggregate.ts';
import { commandsTo, type CommandEffect } from '../../engine/processes/effects.ts';
import { done, giveUp, ignore } from '../../engine/processes/outcome.ts';
import type { Process } from '../../engine/processes/process.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import {
  endOfFault,
  ticketIdOf,
  type FaultToRaise,
  type RaisedTicket,
} from '../../use-cases/tickets/fault-ticket.ts';
import type { UseCase } from '../../use-cases/use-case.ts';

export interface FaultTicketsParts {
  readonly raise: UseCase<FaultToRaise, RaisedTicket | null>;
  readonly tickets: Aggregate<TicketCommand, TicketView>;
  readonly desks: Pick<ServiceDesks, 'workflowOf'>;
}

/**
 * Raises tickets for the faults of rules that request them, and records the end of a fault in its
 * ticket. Idempotent: the ticket's id is derived from the fault, and the ticket decides against its
 * present state. contract.md section 6.
 */
export const faultTickets = ({
  raise,
  tickets,
  desks,
}: FaultTicketsParts): Process<FaultTicketEvent, Workflow | undefined, Raise | ToTicket> => ({
  name: 'fault-tickets',
  categories: [FAULT_TICKET_CATEGORY],
  codec: faultTicketCodec,
  /** The transitions that the ticket's request type allows now; `undefined`: all. */
  gather: async ({ event }) => {
    if (event.type === 'FaultTicketDue') return;
    const ticket = await tickets.look(ticketIdOf(event.faultId));
    return ticket === null
      ? undefined
      : desks.workflowOf(ticket.view.organisationId, ticket.view.requestType);
  },
  on: {
    FaultTicketDue: ({ event: { buildingId, faultId, raise: ticket }, organisation }) =>
      organisation === undefined
        ? ignore('it is of no organisation')
        : [{ kind: 'raise', organisation, buildingId, faultId, ticket }],
    FaultClosed: ({ event }, workflow) => [
      { kind: 'ticket', id: ticketIdOf(event.faultId), command: endOfFault(event, workflow) },
    ],
    FaultReopened: ({ id: causeId, event: { faultId } }, workflow) => [
      {
        kind: 'ticket',
        id: ticketIdOf(faultId),
        command: {
          type: 'ReopenFaultOfTicket',
          authority: systemAuthority,
          faultId,
          noteId: uuidFrom(faultId, causeId),
          body: reopenedText,
          ...(workflow ? { workflow } : {}),
        },
      },
    ],
  },
  effects: {
    async raise({ organisation, buildingId, faultId, ticket }, { id: commandId, at, by, origin }) {
      try {
        const fault = { organisation, buildingId, faultId, ...ticket };
        const raised = await raise(fault, { at, by, origin }, { commandId });
        return raised === null ? ignore('the fault, its point or its building is gone') : done;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return giveUp(`${error.refusal.refused}: ${error.refusal.detail}`);
      }
    },
    ticket: commandsTo(tickets),
  },
});

interface Raise {
  readonly kind: 'raise';
  readonly organisation: string;
  readonly buildingId: string;
  readonly faultId: string;
  readonly ticket: RaiseTicket;
}

interface ToTicket extends CommandEffect<TicketCommand> {
  readonly kind: 'ticket';
}
