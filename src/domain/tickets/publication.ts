/** Bus messages about changes of a ticket. interface.md «Internal bus events», contract.md 9. */
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { AttachmentChanges } from './attachments.ts';
import type { Change } from './change.ts';
import type { SlaClock } from './events.ts';
import { publicTicket, type PublicTicket } from './public-ticket.ts';
import type { TicketView } from './view.ts';

export type TicketSubject =
  | 'service-desk.ticket.created'
  | 'service-desk.ticket.updated'
  | 'service-desk.ticket.sla_warning'
  | 'service-desk.ticket.sla_breached';

export interface Publication {
  readonly type: TicketSubject;
  readonly data: PublicTicket &
    AttachmentChanges & {
      readonly change: Change;
      /** Only in messages about a clock. */
      readonly clock?: SlaClock;
      readonly dueAt?: Instant;
    };
}

/** A warning or a breach, and the ticket after it. */
export interface RaisedSla {
  readonly kind: 'warning' | 'breach';
  readonly clock: SlaClock;
  readonly dueAt: Instant;
  readonly ticket: TicketView;
}

/**
 * The message about a command's change; `null` for a warning or a breach, which has its own
 * message: {@link slaPublicationOf}. Notes are not published: of one with files, the files are.
 */
export const publicationOf = (
  change: Change,
  ticket: TicketView,
  files: AttachmentChanges = {},
): Publication | null => {
  if (change === 'sla') return null;
  const isNote = change === 'note';
  if (isNote && Object.keys(files).length === 0) return null;
  const data = { ...publicTicket(ticket), change: isNote ? 'attachment' : change, ...files };
  const isNew = change === 'created';
  return { type: isNew ? 'service-desk.ticket.created' : 'service-desk.ticket.updated', data };
};

/** The message about a warning or a breach, whether recorded by its timer or by another command. */
export const slaPublicationOf = ({ kind, clock, dueAt, ticket }: RaisedSla): Publication => ({
  type: subjects[kind],
  data: { ...publicTicket(ticket), change: 'sla', clock, dueAt },
});

const subjects = {
  breach: 'service-desk.ticket.sla_breached',
  warning: 'service-desk.ticket.sla_warning',
} as const satisfies Record<RaisedSla['kind'], TicketSubject>;
