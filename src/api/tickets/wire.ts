import type { z } from 'zod';
import type { PublicTicket } from '../../domain/tickets/public-ticket.ts';
import type { TicketBody } from './schemas.ts';

export const TICKETS = '/api/service-desk/requests';

/** The ticket in wire form; the arrays and objects of the view must not be modified. */
export const ticketBodyOf = (view: PublicTicket): z.input<typeof TicketBody> => ({
  ...view,
  workOrderIds: [...view.workOrderIds],
});
