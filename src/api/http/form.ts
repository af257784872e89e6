/** A form with one file (`multipart/form-data`), read as it arrives. RFC 7578. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { FORM_FIELD_BYTES_MAX, FORM_HEADER_BYTES_MAX, FORM_HEADERS_MAX } from './limits.ts';

export interface FormParts<Received> {
  /** The name of the part that is the file. It must come once. */
  readonly file: string;
  readonly fileBytesMax: number;
  /** Names of text parts, each at most once. */
  readonly fields: readonly string[];
  /** Reads all of the file; rejects with what ended it early, which undoes what was received. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<Received>;
  /** Undoes what was received when the rest of the form is refused. */
  discard(received: Received): Promise<void>;
}

export interface Form<Received> {
  readonly received: Received;
  /** As the sender calls it, without a path; `''` if it does not. */
  readonly fileName: string;
  readonly fields: ReadonlyMap<string, string>;
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
 * Stops at the first part that is one too many. Backpressure of the receiver reaches the sender.
 *
 * @throws {@link FormRefused}, and what `bytes` and `receive` throw. Nothing received remains.
 */
export const readForm = async <Received>(
  contentType: string,
  bytes: AsyncIterable<Uint8Array>,
  parts: FormParts<Received>,
): Promise<Form<Received>> => {
  const stopping = new AbortController();
  const stop = (fault: FormFault, message: string) =>
    stopping.abort(new FormRefused(fault, message));
  const tooMany = () => stop('count', `The form has other parts than ${listed(parts)}, each once.`);
  const fields = new Map<string, string>();
  let file: FilePart<Received> | null = null;

  const form = formReader(contentType, parts);
  form.on('file', (name, stream, fileName) => {
    // Without a listener, the end of the form within the file would be an unhandled error.
    stream.on('error', () => {});
    stream.on('limit', () =>
      stop('size', `The file has more than ${parts.fileBytesMax / 1024 / 1024} MiB.`),
    );
    if (name !== parts.file) {
      stream.resume();
      return tooMany();
    }
    const received = parts.receive(stream);
    received.catch((error: unknown) => stopping.abort(error));
    file = { fileName: nameIn(fileName), stream, received };
  });
  form.on('field', (name, value, _, isCut) => {
    if (isCut || fields.has(name) || !parts.fields.includes(name)) return tooMany();
    fields.set(name, value);
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) form.on(limit, tooMany);

  /** What the sender's bytes ended with. */
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
  // Assigned in a listener, which the compiler does not see.
  const found = file as FilePart<Received> | null;
  if (failure !== null) {
    found?.stream.destroy(failure.error instanceof Error ? failure.error : undefined);
    await found?.received.then(parts.discard, () => {});
    throw failure.error;
  }
  if (found === null) throw new FormRefused('count', `The form has no file \`${parts.file}\`.`);
  return { received: await found.received, fileName: found.fileName, fields };
};

/** @throws {@link FormRefused} for a form without a usable boundary. */
const formReader = <Received>(type: string, parts: FormParts<Received>): BusboyInstance => {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: {
        files: 1,
        fields: parts.fields.length,
        parts: 1 + parts.fields.length,
        fieldSize: FORM_FIELD_BYTES_MAX,
        fileSize: parts.fileBytesMax,
        headerPairs: FORM_HEADERS_MAX,
        headerSize: FORM_HEADER_BYTES_MAX,
      },
    });
  } catch (error) {
    throw new FormRefused('broken', 'The form names no boundary between its parts.', error);
  }
};

/** Browsers escape these three characters, and no other. */
const nameIn = (sent: string | undefined): string =>
  (sent ?? '').replaceAll(/%(22|0A|0D)/g, (escaped) => decodeURIComponent(escaped));

const listed = ({ file, fields }: Pick<FormParts<never>, 'file' | 'fields'>): string =>
  [file, ...fields].map((name) => `\`${name}\``).join(' and ');
