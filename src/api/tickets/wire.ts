import type { z } from 'zod';
import type { TicketView } from '../../domain/tickets/view.ts';
import type { TicketBody } from './schemas.ts';

export const TICKETS = '/api/service-desk/requests';

/** The ticket in wire form; the arrays and objects of the view must not be modified. */
export const ticketBodyOf = (view: TicketView): z.input<typeof TicketBody> => ({
  ...view,
  workOrderIds: [...view.workOrderIds],
});
