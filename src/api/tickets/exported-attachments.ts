/** The attachments of exported tickets, with the path of each file. contract.md section 5. */
import { z } from 'zod';
import type { Attachment } from '../../domain/tickets/attachments.ts';
import { isPublic } from '../../domain/tickets/notes.ts';
import type { TicketView } from '../../domain/tickets/view.ts';
import { forEachConcurrently } from '../../engine/concurrency/semaphore.ts';
import { nullIfUnreadable } from '../../engine/log/codec.ts';
import type { FileReferences } from '../../files/references.ts';
import { attachmentsOf, type AttachmentParts } from '../../use-cases/tickets/attachments.ts';
import { AttachmentBody } from './attachment-schemas.ts';
import { EXPORTED_ATTACHMENTS_READ_AT_ONCE } from './limits.ts';
import { TicketBody } from './schemas.ts';
import { TICKETS } from './wire.ts';

const ExportedAttachmentBody = z
  .object({
    ...AttachmentBody.omit({ preview: true }).shape,
    url: z.string().describe('Path of the download on this server.'),
  })
  .meta({ id: 'ExportedAttachment' });

/** A line of an export as NDJSON. */
export const ExportedTicketBody = z
  .object({
    ...TicketBody.shape,
    attachments: z.array(ExportedAttachmentBody),
    attachmentsUnreadable: z
      .literal(true)
      .optional()
      .describe(
        'This release cannot read the history of the ticket, so that its attachments are missing.',
      ),
  })
  .meta({ id: 'ExportedTicket' });

export interface TicketWithFiles {
  readonly view: TicketView;
  /** `null`: an event of the ticket cannot be read. */
  readonly attachments: readonly Attachment[] | null;
}

export interface WithFilesParts extends Pick<AttachmentParts, 'attachments'> {
  readonly references: Pick<FileReferences, 'ticketsWithFiles'>;
}

/** The pages with the attachments that the reader may see, by the log. */
export async function* withFiles(
  { attachments, references }: WithFilesParts,
  pages: AsyncIterable<readonly TicketView[]>,
  { mayReadInternal }: { readonly mayReadInternal: boolean },
): AsyncGenerator<readonly TicketWithFiles[], void, undefined> {
  for await (const page of pages) {
    const having = await references.ticketsWithFiles(page.map(({ id }) => id));
    const found = new Map<string, readonly Attachment[] | null>();
    const asked = page.filter(({ id }) => having.has(id));
    await forEachConcurrently(asked, EXPORTED_ATTACHMENTS_READ_AT_ONCE, async (view) => {
      const { id: ticketId, organisationId: organisation } = view;
      const all = await attachmentsOf(attachments, { ticketId, organisation })
        .then((those) => those ?? [])
        .catch(nullIfUnreadable);
      found.set(ticketId, mayReadInternal ? all : (all?.filter(isPublic) ?? null));
    });
    yield page.map((view) => {
      const attachments = found.get(view.id);
      return { view, attachments: attachments === undefined ? [] : attachments };
    });
  }
}

/** The pages for a format that lists no attachments. */
export async function* withoutFiles(
  pages: AsyncIterable<readonly TicketView[]>,
): AsyncGenerator<readonly TicketWithFiles[], void, undefined> {
  for await (const page of pages) yield page.map((view) => ({ view, attachments: [] }));
}

/** The members of a line of NDJSON that the ticket alone does not have. */
export const attachmentMembers = ({ view, attachments }: TicketWithFiles) => ({
  attachments: (attachments ?? []).map((one) => ({
    ...one,
    url: `${TICKETS}/${view.id}/attachments/${one.attachmentId}`,
  })),
  ...(attachments === null && { attachmentsUnreadable: true }),
});
