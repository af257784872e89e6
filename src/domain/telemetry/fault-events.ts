/**
 * Facts about a fault that has a ticket, in `faultTicket-<faultId>`. They are announced with the
 * rows of the fault, and kept as long as the ticket is. contract.md section 6.
 */
import { z } from 'zod';
import { instant } from '../../engine/log/event-fields.ts';
import { raiseTicket } from './raise-ticket.ts';

const ofFault = { buildingId: z.uuid(), faultId: z.uuid() };

/**
 * Why a fault has closed: its condition no longer holds, or its rule was deleted or no longer
 * watches the point.
 */
const faultEnds = ['recovered', 'rule_deleted'] as const;

export const faultTicketEventSchemas = {
  /** Its rule raises a ticket for it, by the settings that the rule had then. */
  FaultTicketDue: z.strictObject({
    type: z.literal('FaultTicketDue'),
    ...ofFault,
    raise: raiseTicket,
  }),
  FaultClosed: z.strictObject({
    type: z.literal('FaultClosed'),
    ...ofFault,
    closedAt: instant,
    why: z.enum(faultEnds),
  }),
  /** A closed fault flaps: it is open again. */
  FaultReopened: z.strictObject({ type: z.literal('FaultReopened'), ...ofFault }),
};

export type FaultTicketDue = z.infer<typeof faultTicketEventSchemas.FaultTicketDue>;
export type FaultClosed = z.infer<typeof faultTicketEventSchemas.FaultClosed>;
export type FaultReopened = z.infer<typeof faultTicketEventSchemas.FaultReopened>;
export type FaultTicketEvent = FaultTicketDue | FaultClosed | FaultReopened;

export const FAULT_TICKET_CATEGORY = 'faultTicket';
