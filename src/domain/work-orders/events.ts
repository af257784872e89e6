/**
 * The stored events of a work order, in `workOrder-<buildingId>.<workOrderId>`. Every received
 * event of the external system is stored whole in one of them.
 */
import { z } from 'zod';
import { instant, text } from '../../engine/log/event-fields.ts';

export const workOrderKinds = ['created', 'updated', 'completed'] as const;
export type WorkOrderKind = (typeof workOrderKinds)[number];

/** Why an event was not applied to a ticket. */
export const holdReasons = [
  /** Neither it nor any earlier event of its work order names a ticket. */
  'TICKET_NOT_NAMED',
  /** There is no ticket with this id. */
  'TICKET_UNKNOWN',
  /** The ticket is in another building than the work order. */
  'TICKET_ELSEWHERE',
] as const;
export type HoldReason = (typeof holdReasons)[number];

const event = z.strictObject({
  kind: z.enum(workOrderKinds),
  eventId: text,
  buildingId: z.uuid(),
  workOrderId: text,
  ticketId: z.uuid().nullable(),
  /** By the work-order system's clock. */
  occurredAt: instant,
  title: text.nullable(),
  status: text.nullable(),
  progressPercent: z.number().nullable(),
  note: text.nullable(),
});

/** One event of the work-order system. */
export type WorkOrderEvent = Readonly<z.infer<typeof event>>;

export const workOrderEventSchemas = {
  WorkOrderEventHeld: z.strictObject({
    type: z.literal('WorkOrderEventHeld'),
    event,
    reason: z.enum(holdReasons),
  }),
  /** The event applies to this ticket; recorded once for each such ticket. */
  WorkOrderEventDirected: z.strictObject({
    type: z.literal('WorkOrderEventDirected'),
    event,
    ticketId: z.uuid(),
  }),
};

export type WorkOrderFact =
  | z.infer<typeof workOrderEventSchemas.WorkOrderEventHeld>
  | z.infer<typeof workOrderEventSchemas.WorkOrderEventDirected>;
