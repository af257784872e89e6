import { attachmentsAfter } from '../../domain/tickets/attachment-list.ts';
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import { ticketExpiry } from '../../domain/tickets/expiry.ts';
import { ticketDecider } from '../../domain/tickets/ticket.ts';
import { viewAfter, type TicketView } from '../../domain/tickets/view.ts';
import { aggregate, type Aggregate } from '../../engine/aggregates/aggregate.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import type { AttachmentAggregate } from './attachments.ts';

export type Tickets = Aggregate<TicketCommand, TicketView>;

const definition = {
  category: 'ticket',
  codec: ticketCodec,
  decider: ticketDecider,
  expiry: ticketExpiry,
} as const;

export const ticketRepository = (log: EventStore): Tickets =>
  aggregate({ ...definition, log, viewAfter });

/** The same tickets, viewed as their attachments. */
export const attachmentRepository = (log: EventStore): AttachmentAggregate =>
  aggregate({ ...definition, log, viewAfter: attachmentsAfter });
