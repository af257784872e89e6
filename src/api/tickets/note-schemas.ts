/** Schemas of notes that may have files. contract.md section 5. */
import { z } from 'zod';
import { ATTACHMENT_BYTES_MAX, NOTE_ATTACHMENTS_MAX } from '../../domain/tickets/limits.ts';
import { AttachmentBody } from './attachment-schemas.ts';
import { NoteAnswerBody, NoteBody } from './schemas.ts';

/** Documents the form; its parts are read as they arrive. */
export const NoteForm = z.strictObject({
  ...NoteBody.shape,
  file: z
    .array(z.string().max(ATTACHMENT_BYTES_MAX).meta({ format: 'binary' }))
    .max(NOTE_ATTACHMENTS_MAX)
    .optional()
    .describe('One part of this name per file. The files have the visibility of the note.'),
});

export const AddedNoteBody = z
  .object({
    ...NoteAnswerBody.shape,
    attachments: z.array(AttachmentBody).optional().describe('The files attached with the note.'),
  })
  .meta({ id: 'AddedNote' });
