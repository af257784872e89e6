/** Files sent to a ticket, received before any command names them. contract.md section 5. */
import type { FastifyRequest } from 'fastify';
import { attachmentName } from '../../domain/tickets/attachment-name.ts';
import { refusedFile } from '../../domain/tickets/attachments.ts';
import { ATTACHMENT_BYTES_MAX, TICKET_ATTACHMENTS_BYTES_MAX } from '../../domain/tickets/limits.ts';
import type { FileStore, ReceivedFile } from '../../files/file-store.ts';
import { inspectedType } from '../../files/media-type.ts';
import { REQUEST_ANSWER_LONG_MAX_MS } from '../../limits.ts';
import { FormRefused, readForm, type FormParts } from '../http/form.ts';
import { Problem, refused } from '../http/problems.ts';
import { bytesOf } from '../http/upload.ts';
import { ATTACHMENT_SILENT_MAX_MS } from './limits.ts';

export const FORM = 'multipart/form-data';

/** A file that has arrived, under a temporary name. */
export interface UploadedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly file: ReceivedFile;
}

export interface Uploaded {
  readonly files: readonly UploadedFile[];
  readonly fields: ReadonlyMap<string, string>;
  /** Removes the temporary file unless it was kept. Idempotent. */
  discard(): Promise<void>;
}

type UploadForm = Pick<FormParts<never>, 'filesMin' | 'filesMax' | 'fields' | 'fieldBytesMax'>;

/**
 * Reads the form of a request. The files of a refused form are removed.
 *
 * @throws {@link Problem} `ATTACHMENT_REFUSED`, `UNAVAILABLE`.
 */
export const uploadReader =
  ({ files, stopping }: { readonly files: FileStore; readonly stopping: AbortSignal }) =>
  async (request: FastifyRequest, gone: AbortSignal, form: UploadForm): Promise<Uploaded> => {
    const signal = AbortSignal.any([
      gone,
      stopping,
      AbortSignal.timeout(REQUEST_ANSWER_LONG_MAX_MS),
    ]);
    const silent = () => new Problem('UNAVAILABLE', 'The upload stalled. Send the file again.');
    const bytes = bytesOf(request.raw, { signal, silentMaxMs: ATTACHMENT_SILENT_MAX_MS, silent });
    try {
      const read = await readForm(request.headers['content-type']!, bytes, {
        ...form,
        file: 'file',
        fileBytesMax: ATTACHMENT_BYTES_MAX,
        filesBytesMax: TICKET_ATTACHMENTS_BYTES_MAX,
        receive: (chunks) => inspected(files, chunks),
        discard: ({ file }) => file.discard(),
      });
      return {
        files: read.files.map(({ fileName, received }) => ({
          name: attachmentName(fileName),
          ...received,
        })),
        fields: read.fields,
        async discard() {
          for (const { received } of read.files) await received.file.discard();
        },
      };
    } catch (error) {
      if (error instanceof FormRefused) throw refused(refusedFile(error.fault, error.message));
      if (stopping.aborted) throw new Problem('UNAVAILABLE', 'The server is stopping.');
      if (signal.aborted && !gone.aborted) throw silent();
      throw error;
    }
  };

const inspected = async (files: FileStore, chunks: AsyncIterable<Uint8Array>) => {
  const inspection = inspectedType();
  const file = await files.receive(inspection.passing(chunks));
  const mediaType = await inspection.mediaType();
  const fault = faultOf(file.bytes, mediaType);
  if (mediaType !== null && fault === null) return { file, mediaType };
  await file.discard();
  throw refused(fault!);
};

const faultOf = (bytes: number, mediaType: string | null) => {
  if (bytes === 0) return refusedFile('size', 'The file is empty.');
  if (mediaType !== null) return null;
  return refusedFile('type', 'Files of this type are not accepted, whatever their name.');
};
