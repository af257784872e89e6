/** The view of a ticket's stream that its attachments are read from. contract.md section 5. */
import { attachmentOf, type Attachment } from './attachments.ts';
import { attachmentsErased } from './erasure.ts';
import { reporterOf, type RecordedTicketEvent } from './view.ts';

export interface TicketAttachments {
  readonly organisation: string;
  /** By `reporterOf`. */
  readonly reporterUserId: string | null;
  /** Oldest first. */
  readonly attachments: readonly Attachment[];
}

/**
 * Pure. Separate from the ticket's own view, which lists and feeds copy for each ticket.
 *
 * @throws Error for a fact before the opening: the stream is broken.
 */
export const attachmentsAfter = (
  { event, at, by }: RecordedTicketEvent,
  view: TicketAttachments | null,
): TicketAttachments => {
  if (event.type === 'TicketOpened') {
    const reporterUserId = reporterOf({ createdBy: by });
    return { organisation: event.organisation, reporterUserId, attachments: [] };
  }
  if (view === null) throw new Error(`${event.type} before TicketOpened`);
  const { attachments } = view;
  if (event.type === 'AttachmentAdded') {
    return { ...view, attachments: [...attachments, attachmentOf(event, at, by)] };
  }
  if (event.type === 'TicketPersonalDataErased') {
    return {
      ...view,
      reporterUserId: event.createdBy ? null : view.reporterUserId,
      attachments: attachmentsErased(event, attachments),
    };
  }
  if (event.type !== 'AttachmentRemoved') return view;
  const { attachmentId: removed } = event;
  return {
    ...view,
    attachments: attachments.filter(({ attachmentId }) => attachmentId !== removed),
  };
};
