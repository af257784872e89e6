/**
 * The erasure of a person from a ticket: the event that lists the erased members, and their
 * placeholders in every fold. contract.md section 11, docs/decisions/0124.
 */
import { z } from 'zod';
import type { Actor } from '../../engine/aggregates/decider.ts';
import { ERASED_USER_ID } from '../../engine/log/personal-data.ts';
import type { AttachedFile, Attachment } from './attachments.ts';
import type { JsonObject } from './free-form.ts';
import type { Rated } from './rating.ts';

/** The texts of a ticket itself; notes and attachments are named by their ids. */
export const erasableTexts = ['subject', 'description', 'formData', 'metadata', 'rating'] as const;
export type ErasableText = (typeof erasableTexts)[number];

const members = {
  /** Name, address and phone of the reporter. */
  reporter: z.boolean(),
  /** The user who raised it. */
  createdBy: z.boolean(),
  /** `rating` means its comment. */
  texts: z.array(z.enum(erasableTexts)).readonly(),
  /** Notes whose text, author or both are erased. */
  notes: z.array(z.uuid()).readonly(),
  /** Attachments whose author is erased. */
  attachments: z.array(z.uuid()).readonly(),
};

export const erasureEventSchemas = {
  TicketPersonalDataErased: z.strictObject({
    type: z.literal('TicketPersonalDataErased'),
    erasureId: z.uuid(),
    ...members,
    /** Its retention has ended: every earlier event is shown without persons. */
    expired: z.exactOptional(z.literal(true)),
  }),
};

export type TicketErasure = z.infer<typeof erasureEventSchemas.TicketPersonalDataErased>;

/** The erased members of a ticket. */
export type Erased = Readonly<Omit<TicketErasure, 'type' | 'erasureId' | 'expired'>>;

/** In place of the name or text of an erased person, where the schema needs one. */
export const ERASED_TEXT = '(erased)';
/** In place of the name of an erased person's file. */
export const ERASED_FILE = 'erased';

/** In place of an erased user. */
export const erasedActor: Actor = { kind: 'user', id: ERASED_USER_ID, erased: true };

export const nothingErased: Erased = {
  reporter: false,
  createdBy: false,
  texts: [],
  notes: [],
  attachments: [],
};

/** The union of both. */
export const erasedAfter = (before: Erased, erased: Erased): Erased => ({
  reporter: before.reporter || erased.reporter,
  createdBy: before.createdBy || erased.createdBy,
  texts: [...new Set([...before.texts, ...erased.texts])],
  notes: [...new Set([...before.notes, ...erased.notes])],
  attachments: [...new Set([...before.attachments, ...erased.attachments])],
});

/** The members of `erased` that `before` lacks; `null`: none. */
export const newlyErased = (before: Erased, erased: Erased): Erased | null => {
  const left: Erased = {
    reporter: erased.reporter && !before.reporter,
    createdBy: erased.createdBy && !before.createdBy,
    texts: erased.texts.filter((text) => !before.texts.includes(text)),
    notes: erased.notes.filter((id) => !before.notes.includes(id)),
    attachments: erased.attachments.filter((id) => !before.attachments.includes(id)),
  };
  const isAny =
    left.reporter ||
    left.createdBy ||
    left.texts.length + left.notes.length + left.attachments.length > 0;
  return isAny ? left : null;
};

/** A text that is written again no longer counts as erased. */
export const rewritten = (before: Erased, changes: object): Erased => {
  const texts = before.texts.filter((text) => !Object.hasOwn(changes, text));
  return texts.length === before.texts.length ? before : { ...before, texts };
};

interface Details {
  readonly subject?: string | null;
  readonly description?: string;
  readonly formData?: JsonObject;
  readonly metadata?: JsonObject;
}

/** The erased details of a ticket with their placeholders. */
export const detailsErased = ({ texts }: Erased): Details => ({
  ...(texts.includes('subject') ? { subject: null } : {}),
  ...(texts.includes('description') ? { description: ERASED_TEXT } : {}),
  ...(texts.includes('formData') ? { formData: {} } : {}),
  ...(texts.includes('metadata') ? { metadata: {} } : {}),
});

export const ratingErased = <Rating extends Rated>(
  { texts }: Erased,
  rating: Rating | null,
): Rating | null =>
  rating !== null && texts.includes('rating') ? { ...rating, comment: null } : rating;

export const reporterErased = {
  reporterName: null,
  reporterEmail: null,
  reporterPhone: null,
  reporterErased: true,
} as const;

/** Attachments whose author is erased keep their bytes: their removal is a separate event. */
export const attachmentsErased = (
  { attachments: ids }: Erased,
  attachments: readonly Attachment[],
): readonly Attachment[] =>
  ids.length === 0
    ? attachments
    : attachments.map((one) =>
        ids.includes(one.attachmentId) ? { ...one, createdBy: erasedActor } : one,
      );

/** A file as the event of its removal by an erasure records it. */
export const fileErased = (file: AttachedFile): AttachedFile => ({ ...file, name: ERASED_FILE });
