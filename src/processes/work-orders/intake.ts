import { v5 as uuidFrom } from 'uuid';
import { UnusableMessage, type Consumer } from '../../bus/bus.ts';
import {
  isInvalidMessage,
  workOrderEventOf,
  workOrderTypes,
} from '../../domain/work-orders/message.ts';
import { WORK_ORDER_APPENDED_MAX } from '../../domain/work-orders/limits.ts';
import {
  workOrderKey,
  type WorkOrderCommand,
  type WorkOrderView,
} from '../../domain/work-orders/work-order.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { Graph } from '../../building/graph/graph.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { Aggregate } from '../../engine/aggregates/aggregate.ts';

export interface IntakeParts {
  readonly tickets: Pick<Aggregate<never, TicketView>, 'look'>;
  readonly workOrders: Aggregate<WorkOrderCommand, WorkOrderView>;
  readonly graph: Pick<Graph, 'building'>;
  readonly clock: Clock;
}

/**
 * The consumer of work orders from the bus. It passes each event to its work order, with the
 * building of the ticket that the event names, until all of it is recorded. Idempotent: a
 * redelivery records what is missing.
 */
export const workOrderIntake = ({ tickets, workOrders, graph, clock }: IntakeParts): Consumer => ({
  name: 'work-order-intake',
  types: workOrderTypes,

  /** @throws {@link UnusableMessage} */
  async handle({ id: messageId, subject, data, by }) {
    const event = workOrderEventOf(subject, data);
    if (isInvalidMessage(event)) {
      const problems = event.map(({ path, message }) => `${path || 'data'}: ${message}`);
      throw new UnusableMessage(problems.join('; '));
    }
    const key = workOrderKey(event);
    const [named, workOrder] = await Promise.all([
      event.ticketId === null ? null : tickets.look(event.ticketId),
      workOrders.look(key),
    ]);
    // All tickets of a building belong to one organisation.
    const isHere = named?.view.buildingId === event.buildingId;
    // A ticket of another organisation does not exist for the one of the building.
    const isKnown =
      named !== null &&
      (isHere || (await graph.building(named.view.organisationId, event.buildingId)) !== null);
    const ticket = isKnown ? { buildingId: named.view.buildingId } : null;
    const organisation =
      (isHere ? named?.view.organisationId : null) ?? workOrder?.view.organisation;
    // Named by the revision that it follows, so that no repeat folds the stream for each portion.
    for (let after = workOrder?.revision ?? -1; ;) {
      const { recorded, replayed, revision } = await workOrders.give(
        key,
        {
          commandId: uuidFrom(String(after), messageId),
          command: { type: 'ReceiveWorkOrderEvent', event, ticket },
          ...(organisation ? { organisation } : {}),
        },
        { at: clock.now(), by, origin: 'work_order' },
      );
      if (!replayed && recorded.length < WORK_ORDER_APPENDED_MAX) return;
      after = revision;
    }
  },
});
