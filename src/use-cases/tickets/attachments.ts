/** Attaches files to tickets and removes them. contract.md section 5. */
import { authorityOf } from '../../domain/authority.ts';
import type { TicketAttachments } from '../../domain/tickets/attachment-list.ts';
import { mayRemove, type AttachedFile, type Attachment } from '../../domain/tickets/attachments.ts';
import type { TicketCommand } from '../../domain/tickets/commands.ts';
import { isPublic } from '../../domain/tickets/notes.ts';
import { Refused, type Aggregate, type Answer } from '../../engine/aggregates/aggregate.ts';
import { refuse, type Occasion } from '../../engine/aggregates/decider.ts';
import type { ReceivedFile } from '../../files/file-store.ts';
import type { FileClaim, FileReference, FileReferences } from '../../files/references.ts';

export type AttachmentAggregate = Aggregate<TicketCommand, TicketAttachments>;

export interface AttachmentParts {
  readonly attachments: AttachmentAggregate;
  readonly references: Pick<FileReferences, 'claim'>;
}

/** The ticket, and the user whose view of it applies. */
interface Address {
  readonly ticketId: string;
  readonly organisation: string;
  /**
   * Only a ticket that this user has raised, and of its attachments the public ones. Default: every
   * ticket of the organisation.
   */
  readonly reporterUserId?: string | undefined;
  readonly occasion: Occasion;
}

interface Named {
  readonly commandId: string;
  readonly bodyHash?: string;
}

/** A received file, and the attachment that it becomes. */
export interface NewFile {
  readonly attachmentId: string;
  readonly received: ReceivedFile;
}

/**
 * The bytes are durable and claimed before the event is recorded: a crash in between leaves an
 * orphan, which the sweep removes, and never an attachment without its bytes. The files of a
 * refused command are removed at once.
 *
 * @param record Gives the command that attaches the files.
 */
export const storingFiles =
  ({ references }: Pick<AttachmentParts, 'references'>) =>
  async <Result>(
    { ticketId, organisation }: Pick<Address, 'ticketId' | 'organisation'>,
    newFiles: readonly NewFile[],
    record: () => Promise<Result>,
  ): Promise<Result> => {
    const claims: FileClaim[] = [];
    for (const { attachmentId, received } of newFiles) {
      const { sha256 } = received;
      claims.push(await references.claim({ organisation, sha256, attachmentId, ticketId }));
      await received.keep(organisation);
    }
    try {
      return await record();
    } catch (error) {
      // After another failure the command may have been recorded nevertheless.
      if (error instanceof Refused) for (const claim of claims) await claim.withdraw();
      throw error;
    }
  };

/**
 * @throws {@link Refused} `NOT_FOUND`, `ATTACHMENT_REFUSED`, `TICKET_FULL`,
 *   `IDEMPOTENCY_KEY_REUSED`.
 */
export const attachFile = ({ attachments, references }: AttachmentParts) => {
  const storing = storingFiles({ references });
  return async (
    { ticketId, organisation, occasion }: Address,
    file: AttachedFile,
    received: ReceivedFile,
    name: Named,
  ): Promise<Answer<TicketAttachments>> => {
    const { attachmentId } = file;
    const command = { type: 'AddAttachment', authority: authorityOf(organisation), file } as const;
    return storing({ ticketId, organisation }, [{ attachmentId, received }], () =>
      attachments.give(ticketId, { ...name, command, organisation }, occasion),
    );
  };
};

/** @throws {@link Refused} `NOT_FOUND`, `PERMISSION_DENIED`, `IDEMPOTENCY_KEY_REUSED`. */
export const removeAttachment =
  ({ attachments }: Pick<AttachmentParts, 'attachments'>) =>
  (
    { occasion, isManager, ...address }: Address & { readonly isManager: boolean },
    attachmentId: string,
    name: Named,
  ): Promise<Answer<TicketAttachments>> => {
    const { ticketId, organisation } = address;
    // Looked up only if the command is not recorded yet: it removes the attachment.
    const command = async (): Promise<TicketCommand> => {
      const found = (await attachmentsOf(attachments, address))?.find(
        (attachment) => attachment.attachmentId === attachmentId,
      );
      if (!found) throw new Refused(refuse('NOT_FOUND', 'No attachment has this id.'));
      if (!mayRemove(found, { actor: occasion.by, isManager })) {
        const detail = 'Only its author and managers may remove an attachment.';
        throw new Refused(refuse('PERMISSION_DENIED', detail));
      }
      return { type: 'RemoveAttachment', authority: authorityOf(organisation), attachmentId };
    };
    return attachments.give(ticketId, { ...name, command, organisation }, occasion);
  };

/** The ticket's attachments in the log, oldest first; `null`: no such ticket at this address. */
export const attachmentsOf = async (
  attachments: Pick<AttachmentAggregate, 'look'>,
  { ticketId, organisation, reporterUserId }: Omit<Address, 'occasion'>,
): Promise<readonly Attachment[] | null> => {
  const view = (await attachments.look(ticketId))?.view;
  if (view?.organisation !== organisation) return null;
  if (reporterUserId === undefined) return view.attachments;
  return view.reporterUserId === reporterUserId ? view.attachments.filter(isPublic) : null;
};

/** Whether the log has the attachment that the file was stored for. */
export const isAttached =
  (attachments: Pick<AttachmentAggregate, 'look'>) =>
  async (reference: FileReference): Promise<boolean> => {
    const found = await attachmentsOf(attachments, reference);
    const { attachmentId, sha256 } = reference;
    return (
      found?.some((one) => one.attachmentId === attachmentId && one.sha256 === sha256) ?? false
    );
  };
