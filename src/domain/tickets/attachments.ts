/** The attachments of a ticket: their limits and their view. contract.md section 5. */
import { z } from 'zod';
import { text } from '../../engine/log/event-fields.ts';
import {
  refuse,
  type Actor,
  type Decision,
  type Instant,
  type Refusal,
} from '../../engine/aggregates/decider.ts';
import {
  ATTACHMENT_BYTES_MAX,
  TICKET_ATTACHMENTS_BYTES_MAX,
  TICKET_ATTACHMENTS_MAX,
} from './limits.ts';
import { visibilities } from './visibility.ts';

/** Why a file is refused. */
export const attachmentReasons = ['type', 'size', 'count', 'broken', 'infected'] as const;
export type AttachmentReason = (typeof attachmentReasons)[number];

const file = {
  attachmentId: z.uuid(),
  name: text,
  /** By content, never by the sender's claim. */
  mediaType: text,
  bytes: z.int().min(1),
  /** In hexadecimal: names the bytes in the file store. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  visibility: z.enum(visibilities),
  /** The note that it was attached to. Absent: none. */
  noteId: z.exactOptional(z.uuid()),
};

export const attachmentEventSchemas = {
  AttachmentAdded: z.strictObject({ type: z.literal('AttachmentAdded'), ...file }),
  /** Repeats all members, so that this event alone identifies the bytes that are unreferenced. */
  AttachmentRemoved: z.strictObject({ type: z.literal('AttachmentRemoved'), ...file }),
};

type Added = z.infer<typeof attachmentEventSchemas.AttachmentAdded>;
export type AttachmentEvent = Added | z.infer<typeof attachmentEventSchemas.AttachmentRemoved>;

/** A file as a ticket keeps it; its bytes are in the file store. */
export type AttachedFile = Omit<Added, 'type'>;

/** An attachment as the API shows it. */
export interface Attachment extends AttachedFile {
  readonly createdAt: Instant;
  readonly createdBy: Actor;
}

export const filesAfter = (
  { type, ...changed }: AttachmentEvent,
  files: readonly AttachedFile[],
): readonly AttachedFile[] =>
  type === 'AttachmentAdded'
    ? [...files, changed]
    : files.filter(({ attachmentId }) => attachmentId !== changed.attachmentId);

/** Why a ticket that has `held` cannot hold another file of `bytes`; `null` if it can. */
export const attachmentRefusal = (
  bytes: number,
  held: readonly Pick<AttachedFile, 'bytes'>[],
): Refusal | null => {
  const before = held.reduce((sum, one) => sum + one.bytes, 0);
  if (held.length >= TICKET_ATTACHMENTS_MAX) {
    return refusedFile('count', `A ticket has at most ${TICKET_ATTACHMENTS_MAX} attachments.`);
  }
  if (bytes > ATTACHMENT_BYTES_MAX) {
    return refusedFile('size', `An attachment has at most ${mebibytes(ATTACHMENT_BYTES_MAX)}.`);
  }
  return before + bytes > TICKET_ATTACHMENTS_BYTES_MAX
    ? refusedFile(
        'size',
        `The attachments of a ticket have at most ${mebibytes(TICKET_ATTACHMENTS_BYTES_MAX)}.`,
      )
    : null;
};

/** Attaches all of them to a ticket that has `held`, or none. */
export const attached = (
  files: readonly AttachedFile[],
  held: readonly AttachedFile[],
): Decision<AttachmentEvent> => {
  const all = [...held];
  for (const file of files) {
    if (all.some(({ attachmentId }) => attachmentId === file.attachmentId)) {
      return refuse('CONFLICT', 'The id of this attachment is in use.');
    }
    const refusal = attachmentRefusal(file.bytes, all);
    if (refusal !== null) return refusal;
    all.push(file);
  }
  return files.map((file) => ({ type: 'AttachmentAdded', ...file }));
};

export const refusedFile = (reason: AttachmentReason, detail: string): Refusal =>
  refuse('ATTACHMENT_REFUSED', detail, { reason });

/** The facts of one command. */
interface Recorded {
  readonly facts: readonly { readonly event: { readonly type: string } }[];
  readonly at: Instant;
  readonly actor: Actor;
}

/** A command's changes of the attachments; a member without entries is absent. */
export interface AttachmentChanges {
  /** Added. */
  readonly attachments?: readonly Attachment[];
  readonly removedAttachments?: readonly string[];
}

/** @param isShown Selects the attachments that the reader may see. Default: all. */
export const attachmentChangesIn = (
  { facts, at, actor }: Recorded,
  isShown: (file: AttachedFile) => boolean = () => true,
): AttachmentChanges => {
  const changed = facts
    .map(({ event }) => event)
    .filter(isOfAttachment)
    .filter(isShown);
  const added = changed.flatMap((fact) =>
    fact.type === 'AttachmentAdded' ? [attachmentOf(fact, at, actor)] : [],
  );
  const removed = changed.flatMap((fact) =>
    fact.type === 'AttachmentRemoved' ? [fact.attachmentId] : [],
  );
  return {
    ...(added.length === 0 ? {} : { attachments: added }),
    ...(removed.length === 0 ? {} : { removedAttachments: removed }),
  };
};

/** Only its author and managers may remove an attachment. */
export const mayRemove = (
  { createdBy }: Pick<Attachment, 'createdBy'>,
  caller: { readonly actor: Actor; readonly isManager: boolean },
): boolean =>
  caller.isManager ||
  (createdBy.erased !== true &&
    createdBy.kind === caller.actor.kind &&
    createdBy.id === caller.actor.id);

const isOfAttachment = (fact: { readonly type: string }): fact is AttachmentEvent =>
  fact.type in attachmentEventSchemas;

export const attachmentOf = (fact: Added, createdAt: Instant, createdBy: Actor): Attachment => {
  const { type: _, ...attached } = fact;
  return { ...attached, createdAt, createdBy };
};

const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
