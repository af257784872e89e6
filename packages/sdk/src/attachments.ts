/** Attachments of tickets: uploads with retries, downloads as streams. */
import type { Calls } from './calls.ts';
import type { components } from './openapi.ts';
import { repeated, type RetryPolicy } from './retries.ts';

type Schemas = components['schemas'];

/**
 * The content of an upload. A `Blob` is read again for each attempt: `openAsBlob(path)` of
 * `node:fs` keeps a file out of memory. A stream is read once and buffered for retries, at most 25
 * MiB.
 *
 * @experimental
 */
export type FileContent = Blob | Uint8Array<ArrayBuffer> | string | AsyncIterable<Uint8Array>;

/** @experimental */
export interface NamedFile {
  /** With its extension, without a path. The server detects the type from the content. */
  readonly name: string;
  readonly content: FileContent;
}

/** @experimental */
export interface SendOptions {
  /** Default `internal`. */
  readonly visibility?: Schemas['Attachment']['visibility'];
  /** The `Idempotency-Key`, to retry across processes. Default: random for this call. */
  readonly idempotencyKey?: string;
  /**
   * Bytes of the form written to the connection, and their total; from 0 again with each attempt.
   * In browsers, whose `fetch` does not report it, called only when the upload was answered.
   */
  readonly onProgress?: (sent: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** @experimental */
export interface Attachments {
  /**
   * Attaches a file to a ticket. It is durable when this resolves. Sent again under one
   * `Idempotency-Key` after a lost connection, 429, 502, 503 and 504, it is attached once.
   *
   * @throws `AtriumError` `ATTACHMENT_REFUSED` with a `reason`, `TICKET_FULL`, `NOT_FOUND`, …;
   *   a `RangeError` for a stream of more than 25 MiB.
   */
  readonly add: (
    ticketId: string,
    file: NamedFile,
    options?: SendOptions,
  ) => Promise<Schemas['Attachment']>;
  /**
   * Adds a note with files of the same visibility, atomically. Otherwise as `add`.
   *
   * @throws as `add`.
   */
  readonly addNote: (
    ticketId: string,
    note: { readonly body: string; readonly files: readonly NamedFile[] },
    options?: SendOptions,
  ) => Promise<Schemas['AddedNote']>;
  /**
   * The bytes as they arrive.
   *
   * @param options `from`: the first byte, to go on where a connection broke; default 0.
   * @throws `AtriumError` `NOT_FOUND`, `UNAVAILABLE`; the stream fails where the connection breaks.
   */
  readonly download: (
    ticketId: string,
    attachmentId: string,
    options?: { readonly from?: number; readonly signal?: AbortSignal },
  ) => Promise<ReadableStream<Uint8Array>>;
}

/** The server's `ATTACHMENT_BYTES_MAX`. */
const FILE_BYTES_MAX = 25 * 1024 * 1024;
const ATTACHMENTS = '/api/service-desk/requests/{id}/attachments';
const UPDATES = '/api/service-desk/requests/{id}/updates';

/** With timeouts that are long enough for a file. */
export interface AttachmentParts {
  /** Retries automatically. */
  readonly client: Calls;
  /** Does not, which would keep each body in memory. */
  readonly single: Calls;
}

export const attachmentsOf = (
  { client, single }: AttachmentParts,
  policy: RetryPolicy,
): Attachments => {
  const send = async <Answer>(
    path: typeof ATTACHMENTS | typeof UPDATES,
    id: string,
    form: Form,
    { idempotencyKey = crypto.randomUUID(), onProgress, signal }: SendOptions,
  ): Promise<Answer> => {
    const asked = { method: 'POST', path: path.replace('{id}', id) };
    return repeated(asked, { ...policy, signal }, async () => {
      const body = bodyOf(form, onProgress);
      const { data } = await single.POST(path, {
        params: { path: { id }, header: { 'Idempotency-Key': idempotencyKey } },
        // The document describes the form, not its bytes.
        body: body as never,
        ...(signal && { signal }),
        ...(body instanceof FormData
          ? { bodySerializer: () => body }
          : {
              bodySerializer: () => body.stream,
              headers: { 'content-type': body.type },
              duplex: 'half',
            }),
      });
      if (onProgress && body instanceof FormData) onProgress(sizeOf(form), sizeOf(form));
      return data as Answer;
    });
  };

  return {
    async add(ticketId, file, options = {}) {
      const form = { fields: fieldsOf(options), files: [await readied(file)] };
      return send(ATTACHMENTS, ticketId, form, options);
    },

    async addNote(ticketId, { body, files }, options = {}) {
      const readied_: ReadiedFile[] = [];
      for (const file of files) readied_.push(await readied(file));
      const form = { fields: { body, ...fieldsOf(options) }, files: readied_ };
      return send(UPDATES, ticketId, form, options);
    },

    async download(ticketId, attachmentId, { from = 0, signal } = {}) {
      const { data } = await client.GET(`${ATTACHMENTS}/{attachmentId}`, {
        params: { path: { id: ticketId, attachmentId } },
        parseAs: 'stream',
        ...(from > 0 && { headers: { range: `bytes=${from}-` } }),
        ...(signal && { signal }),
      });
      return data ?? new Blob([]).stream();
    },
  };
};

interface ReadiedFile {
  readonly name: string;
  readonly content: Blob;
}

interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly ReadiedFile[];
}

const fieldsOf = ({ visibility }: SendOptions) => (visibility === undefined ? {} : { visibility });

/** @throws RangeError for a stream that is too long. */
const readied = async ({ name, content }: NamedFile): Promise<ReadiedFile> => {
  if (content instanceof Blob) return { name, content };
  if (typeof content === 'string' || content instanceof Uint8Array) {
    return { name, content: new Blob([content]) };
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > FILE_BYTES_MAX) throw new RangeError(`${name} has more than 25 MiB`);
    chunks.push(Uint8Array.from(chunk));
  }
  return { name, content: new Blob(chunks) };
};

const sizeOf = ({ files }: Form): number =>
  files.reduce((sum, { content }) => sum + content.size, 0);

/** A form; with `onProgress` its bytes as a stream that counts them. */
const bodyOf = (
  { fields, files }: Form,
  onProgress: SendOptions['onProgress'],
): FormData | { readonly type: string; readonly stream: ReadableStream<Uint8Array> } => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, content } of files) form.append('file', content, name);
  // Browsers send no body as a stream over HTTP/1.1.
  if (onProgress === undefined || 'document' in globalThis) return form;
  const total = sizeOf({ fields, files });
  const { headers, body } = new Response(form);
  let sent = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.length;
      onProgress(Math.min(sent, total), total);
      controller.enqueue(chunk);
    },
  });
  return { type: headers.get('content-type')!, stream: body!.pipeThrough(counted) };
};
