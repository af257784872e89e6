/** Schemas of the attachments of tickets. contract.md section 5. */
import { z } from 'zod';
import type { AttachmentChanges } from '../../domain/tickets/attachments.ts';
import { visibilities } from '../../domain/tickets/events.ts';
import { ATTACHMENT_BYTES_MAX } from '../../domain/tickets/limits.ts';
import { id } from '../http/text.ts';
import { ActorBody } from '../http/actor.ts';
import { TicketParams } from './schemas.ts';

export const AttachmentParams = z.object({ ...TicketParams.shape, attachmentId: id });

export const AttachmentBody = z
  .object({
    attachmentId: z.uuid(),
    name: z.string(),
    mediaType: z
      .string()
      .describe('Detected from the content; the type that the sender declared is ignored.'),
    bytes: z.int(),
    sha256: z.string().describe('In hexadecimal; also the `ETag` of the download.'),
    createdAt: z.iso.datetime(),
    createdBy: ActorBody,
    visibility: z.enum(visibilities),
    noteId: z.uuid().optional().describe('The note with which the file was attached.'),
    preview: z
      .string()
      .exactOptional()
      .describe(
        'Path of the preview, for pictures of a supported type. Present in responses of this ' +
          'resource, not in the change feed. The preview can still answer 404 if the picture ' +
          'cannot be decoded.',
      ),
  })
  .meta({ id: 'Attachment' });

export const AttachmentListBody = z
  .object({ items: z.array(AttachmentBody) })
  .meta({ id: 'AttachmentList' });

/** Documents the form; its parts are read as they arrive. */
export const AttachmentForm = z
  .strictObject({
    file: z.string().max(ATTACHMENT_BYTES_MAX).meta({ format: 'binary' }),
    visibility: z.enum(visibilities).optional(),
  })
  .meta({ id: 'AttachmentForm' });

/** In wire form: arrays of the domain must not be modified. */
export const attachmentsShown = ({ attachments, removedAttachments }: AttachmentChanges) => ({
  ...(attachments ? { attachments: [...attachments] } : {}),
  ...(removedAttachments ? { removedAttachments: [...removedAttachments] } : {}),
});
