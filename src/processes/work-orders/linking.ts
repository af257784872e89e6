import { v5 as uuidFrom } from 'uuid';
import type { Message, Parked } from '../../bus/bus.ts';
import { systemAuthority } from '../../domain/authority.ts';
import { workflowOf } from '../../domain/service-desk/configuration.ts';
import type { Workflow } from '../../domain/tickets/graph.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { WorkOrderTicketCommand } from '../../domain/tickets/work-orders.ts';
import type { WorkOrderEvent, WorkOrderFact } from '../../domain/work-orders/events.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';
import { workOrderCodec } from '../../domain/work-orders/codecs.ts';
import type { ServiceDesks } from '../../use-cases/service-desk/service-desks.ts';
import { commandsTo, ignoreRefusal, type CommandEffect } from '../../engine/processes/effects.ts';
import type { Process } from '../../engine/processes/process.ts';

export interface LinkingParts {
  readonly tickets: Aggregate<TicketCommand, TicketView>;
  readonly park: (message: Omit<Message, 'id'>, parked: Parked) => Promise<void>;
  readonly desks: Pick<ServiceDesks, 'configurationOf'>;
}

/**
 * Applies work-order events to tickets: each event is one command to each ticket it is directed to.
 *
 * The ticket decides against its present state, so a late or repeated command is harmless. What a
 * full ticket refuses is listed with the parked messages.
 */
export const workOrderLinking = ({
  tickets,
  park,
  desks,
}: LinkingParts): Process<WorkOrderFact, Workflow | undefined, ToTicket> => ({
  name: NAME,
  origin: 'work_order',
  categories: ['workOrder'],
  codec: workOrderCodec,
  /** The transitions that the ticket's request type allows now; `undefined`: all. */
  gather: async ({ event }) => {
    if (event.type !== 'WorkOrderEventDirected' || event.event.kind !== 'completed') return;
    const ticket = await tickets.look(event.ticketId);
    if (ticket === null) return;
    const { organisationId, requestType } = ticket.view;
    return workflowOf(await desks.configurationOf(organisationId), requestType);
  },
  on: {
    WorkOrderEventDirected: ({ event: { event, ticketId } }, workflow) => [
      {
        kind: 'ticket',
        id: ticketId,
        event,
        command: commandOf(event, ticketId, workflow),
      },
    ],
  },
  effects: {
    ticket: commandsTo(tickets, async (refusal, { id: ticketId, event }: ToTicket) => {
      if (refusal.refused === 'TICKET_FULL') {
        const parked = { consumer: NAME, error: refusal.detail, fullTicketId: ticketId };
        await park(messageOf(event, ticketId), parked);
      }
      return ignoreRefusal(refusal);
    }),
  },
});

const NAME = 'work-order-linking';

interface ToTicket extends CommandEffect<TicketCommand> {
  readonly kind: 'ticket';
  readonly event: WorkOrderEvent;
}

/** Without the event's texts, which its work order has. */
const messageOf = (
  { kind, eventId, buildingId, workOrderId, occurredAt }: WorkOrderEvent,
  ticketId: string,
): Omit<Message, 'id'> => ({
  subject: { buildingId, type: `cafm.work-order.${kind}` },
  eventId,
  data: { eventId, buildingId, workOrderId, ticketId, occurredAt },
  at: occurredAt,
  by: { kind: 'system', id: `process:${NAME}` },
});

const commandOf = (
  event: WorkOrderEvent,
  ticketId: string,
  workflow: Workflow | undefined,
): WorkOrderTicketCommand => {
  const { kind, eventId, workOrderId, occurredAt } = event;
  const shared = {
    authority: systemAuthority,
    workOrderId,
    occurredAt,
    links: event.ticketId !== null,
    noteId: uuidFrom(JSON.stringify([workOrderId, eventId]), ticketId),
    body: noteOf(event),
  };
  switch (kind) {
    case 'created':
      return { type: 'LinkWorkOrder', ...shared };
    case 'updated':
      return { type: 'NoteWorkOrderProgress', ...shared };
    case 'completed':
      return { type: 'CompleteWorkOrder', ...shared, ...(workflow ? { workflow } : {}) };
  }
};

/** `Work order 4711 was updated: New pump, status in progress, 40 %.`, then the note. */
const noteOf = ({
  kind,
  workOrderId,
  title,
  status,
  progressPercent,
  note,
}: WorkOrderEvent): string => {
  const parts = [
    title,
    status === null ? null : `status ${status}`,
    progressPercent === null ? null : `${progressPercent} %`,
  ].filter((part) => part !== null);
  const facts = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
  return `Work order ${workOrderId} was ${kind}${facts}.${note === null ? '' : `\n${note}`}`;
};
