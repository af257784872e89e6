/** Checks of files before they are uploaded. contract.md section 5. */
import { AtriumError } from '../../../sdk/src/index.ts';
import { bytesText } from '../bytes.ts';
import type { Schemas } from '../session/requests.ts';
import { wordsOf } from '../ui/error-words.ts';

export type Attachment = Schemas['Attachment'];

/** The server's `ATTACHMENT_BYTES_MAX`. */
export const ATTACHMENT_BYTES_MAX = 25 * 1024 * 1024;
/** The server's `TICKET_ATTACHMENTS_MAX`. */
export const TICKET_ATTACHMENTS_MAX = 50;
/** The server's `TICKET_ATTACHMENTS_BYTES_MAX`. */
export const TICKET_ATTACHMENTS_BYTES_MAX = 250 * 1024 * 1024;

/** Totals of a ticket's files, stored and to be uploaded. */
export interface Held {
  readonly count: number;
  readonly bytes: number;
}

export const heldBy = (files: readonly { readonly bytes: number }[]): Held => ({
  count: files.length,
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
});

/** Why the server would refuse the file, as a sentence; `null` if it would accept it. */
export const refusalOf = ({ size }: Pick<File, 'size'>, held: Held): string | null => {
  if (size === 0) return 'It is empty, or a folder.';
  if (size > ATTACHMENT_BYTES_MAX) {
    return `It has ${bytesText(size)}; a file can have at most ${bytesText(ATTACHMENT_BYTES_MAX)}.`;
  }
  if (held.count >= TICKET_ATTACHMENTS_MAX) {
    return `A ticket can have at most ${TICKET_ATTACHMENTS_MAX} files.`;
  }
  if (held.bytes + size > TICKET_ATTACHMENTS_BYTES_MAX) {
    const most = bytesText(TICKET_ATTACHMENTS_BYTES_MAX);
    return `The files of a ticket can have at most ${most} in total.`;
  }
  return null;
};

const REASONS: Readonly<Record<string, string>> = {
  type: 'Files of this type are not accepted: send a picture, a PDF, an office document or a text.',
  infected: 'The virus scanner found a threat in this file. It was not stored.',
  broken: 'The upload was incomplete. Try again.',
};

/** The error of a failed upload as a sentence. */
export const failureOf = (error: unknown): string => {
  if (!AtriumError.is(error, 'ATTACHMENT_REFUSED')) return wordsOf(error);
  return REASONS[error.problem.reason] ?? wordsOf(error);
};

/** Renames a screenshot from the clipboard, whose own name is generic. */
export const namedFile = (file: File, at: Date): File => {
  if (!/^image\.\w+$/.test(file.name)) return file;
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join('.');
  const name = `Screenshot ${day} ${time}.${file.name.split('.').at(-1)}`;
  return new File([file], name, { type: file.type });
};

/** Types that browsers display as pictures. */
const SHOWN: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
]);

/** Whether a browser can display the file or a preview of it as a picture. */
export const isPicture = ({ mediaType, preview }: Attachment): boolean =>
  SHOWN.has(mediaType) || preview !== undefined;

/** The download address of an attachment. */
export const addressOf = (ticketId: string, attachmentId: string): string =>
  `${attachmentsPath(ticketId)}/${attachmentId}`;

export const attachmentsPath = (ticketId: string): string =>
  `/api/service-desk/requests/${ticketId}/attachments`;

/**
 * The address of the picture in the viewer: the file, or its preview if no browser displays the
 * type.
 */
export const pictureOf = (ticketId: string, item: Attachment): string =>
  (SHOWN.has(item.mediaType) ? undefined : item.preview) ?? addressOf(ticketId, item.attachmentId);
