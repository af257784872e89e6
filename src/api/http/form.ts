/** A form with files (`multipart/form-data`), read as it arrives. RFC 7578. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { FORM_HEADER_BYTES_MAX, FORM_HEADERS_MAX } from './limits.ts';

export interface FormParts<Received> {
  /** The name of the parts that are files. */
  readonly file: string;
  readonly filesMin: number;
  readonly filesMax: number;
  readonly fileBytesMax: number;
  /** Bytes of all files. */
  readonly filesBytesMax: number;
  /** Names of text parts, each at most once. */
  readonly fields: readonly string[];
  readonly fieldBytesMax: number;
  /** Reads all of a file; if it ends early, rejects and removes the received bytes. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<Received>;
  /** Removes a received file when the rest of the form is refused. */
  discard(received: Received): Promise<void>;
}

export interface Form<Received> {
  /** In the order of the form. */
  readonly files: readonly FormFile<Received>[];
  readonly fields: ReadonlyMap<string, string>;
}

export interface FormFile<Received> {
  readonly received: Received;
  /** The name that the sender gives; `''` if none. */
  readonly fileName: string;
}

/** `broken`: it ended early or is malformed. */
export type FormFault = 'size' | 'count' | 'broken';

interface FilePart<Received> {
  readonly fileName: string;
  readonly stream: BusboyFileStream;
  readonly received: Promise<Received>;
}

export class FormRefused extends Error {
  readonly fault: FormFault;

  constructor(fault: FormFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FormRefused';
    this.fault = fault;
  }
}

export const isForm = (contentType: string | undefined): boolean =>
  /^multipart\/form-data\s*;/i.test(contentType ?? '');

/**
 * Stops at the first part beyond the bounds. Backpressure of the receiver reaches the sender.
 *
 * @throws {@link FormRefused}, and errors of `bytes` and `receive`. Received files are removed.
 */
export const readForm = async <Received>(
  contentType: string,
  bytes: AsyncIterable<Uint8Array>,
  parts: FormParts<Received>,
): Promise<Form<Received>> => {
  const stopping = new AbortController();
  const stop = (fault: FormFault, message: string) =>
    stopping.abort(new FormRefused(fault, message));
  const tooMany = () => stop('count', `The form may only have these parts: ${listed(parts)}.`);
  const tooLarge = (what: string, bytesMax: number) =>
    stop('size', `${what} more than ${bytesMax / 1024 / 1024} MiB.`);
  const fields = new Map<string, string>();
  const files: FilePart<Received>[] = [];
  let filesBytes = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      filesBytes += chunk.length;
      if (filesBytes > parts.filesBytesMax) tooLarge('The files have', parts.filesBytesMax);
      yield chunk;
    }
  };

  const form = formReader(contentType, parts);
  form.on('file', (name, stream, fileName) => {
    // Without a listener, the end of the form within the file would be an unhandled error.
    stream.on('error', () => {});
    stream.on('limit', () => tooLarge('The file has', parts.fileBytesMax));
    if (name !== parts.file) {
      stream.resume();
      return tooMany();
    }
    const received = parts.receive(counted(stream));
    received.catch((error: unknown) => stopping.abort(error));
    files.push({ fileName: nameIn(fileName), stream, received });
  });
  form.on('field', (name, value, _, isCut) => {
    if (fields.has(name) || !parts.fields.includes(name)) return tooMany();
    if (isCut) return stop('size', `\`${name}\` has more than ${parts.fieldBytesMax} bytes.`);
    fields.set(name, value);
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) form.on(limit, tooMany);

  /** The error that ended the sender's bytes. */
  let cut: { readonly error: unknown } | null = null;
  const arriving = async function* () {
    try {
      yield* bytes;
    } catch (error) {
      cut = { error };
      throw error;
    }
  };
  const { signal } = stopping;
  const failure = await pipeline(Readable.from(arriving(), { objectMode: false }), form, {
    signal,
  }).then(
    () => (signal.aborted ? { error: signal.reason as unknown } : null),
    (error: unknown) => {
      if (signal.aborted) return { error: signal.reason as unknown };
      return cut ?? { error: new FormRefused('broken', 'The form ended early.', error) };
    },
  );
  const undo = async (reason: unknown): Promise<never> => {
    const cause = reason instanceof Error ? reason : undefined;
    for (const { stream } of files) stream.destroy(cause);
    await Promise.all(files.map(({ received }) => received.then(parts.discard, () => {})));
    throw reason;
  };
  if (failure !== null) return undo(failure.error);
  if (files.length < parts.filesMin) {
    return undo(new FormRefused('count', `The form has no file \`${parts.file}\`.`));
  }
  try {
    const whole = files.map(async ({ fileName, received }) => ({
      fileName,
      received: await received,
    }));
    return { files: await Promise.all(whole), fields };
  } catch (error) {
    return undo(error);
  }
};

/** @throws {@link FormRefused} for a form without a usable boundary. */
const formReader = <Received>(type: string, parts: FormParts<Received>): BusboyInstance => {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: {
        files: parts.filesMax,
        fields: parts.fields.length,
        parts: parts.filesMax + parts.fields.length,
        fieldSize: parts.fieldBytesMax,
        fileSize: parts.fileBytesMax,
        headerPairs: FORM_HEADERS_MAX,
        headerSize: FORM_HEADER_BYTES_MAX,
      },
    });
  } catch (error) {
    throw new FormRefused('broken', 'The Content-Type of the form has no boundary.', error);
  }
};

/** Browsers escape these three characters, and no other. */
const nameIn = (sent: string | undefined): string =>
  (sent ?? '').replaceAll(/%(22|0A|0D)/g, (escaped) => decodeURIComponent(escaped));

const listed = ({
  file,
  filesMax,
  fields,
}: Pick<FormParts<never>, 'file' | 'filesMax' | 'fields'>): string => {
  const names = [file, ...fields].map((name) => `\`${name}\``).join(' and ');
  return filesMax === 1 ? `${names}, each once` : `${names}, or more than ${filesMax} files`;
};
