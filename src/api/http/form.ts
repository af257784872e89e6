/** A form with files (`multipart/form-data`), read as it arrives. RFC 7578. */
import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { unstorableText } from '../../engine/storable.ts';
import { utf8Text } from './bodies.ts';
import { FORM_HEADER_BYTES_MAX, FORM_HEADERS_MAX } from './limits.ts';
import { isDecodable } from './percent-encoding.ts';
import { invalid } from './problems.ts';

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
 * @throws {@link FormRefused}; `VALIDATION_FAILED` for texts and names of files that are not UTF-8
 *   or cannot be stored; errors of `bytes` and `receive`. Received files are removed.
 */
export const readForm = async <Received>(
  contentType: string,
  bytes: AsyncIterable<Uint8Array>,
  parts: FormParts<Received>,
): Promise<Form<Received>> => {
  const stopping = new AbortController();
  const stop = (fault: FormFault, message: string) =>
    stopping.abort(new FormRefused(fault, message));
  const refuseText = (path: string, message: string) =>
    stopping.abort(invalid([{ path, message }]));
  const tooMany = () => stop('count', `The form may only have these parts: ${listed(parts)}.`);
  const tooLarge = (what: string, bytesMax: number) =>
    stop('size', `${what} more than ${bytesMax / 1024 / 1024} MiB.`);
  const fields = new Map<string, Promise<string>>();
  const files: FilePart<Received>[] = [];
  const streams: BusboyFileStream[] = [];
  let filesBytes = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      filesBytes += chunk.length;
      if (filesBytes > parts.filesBytesMax) tooLarge('The files have', parts.filesBytesMax);
      yield chunk;
    }
  };

  const textOf = async (name: string, chunks: AsyncIterable<Uint8Array>): Promise<string> => {
    const { fieldBytesMax } = parts;
    const received: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > fieldBytesMax)
        throw new FormRefused('size', `\`${name}\` has more than ${fieldBytesMax} bytes.`);
      received.push(chunk);
    }
    const text = utf8Text(Buffer.concat(received), true);
    if (text === null) throw invalid([{ path: name, message: NOT_UTF8 }]);
    return text;
  };
  const stopAt = (error: unknown) => stopping.abort(error);

  const form = formReader(contentType, parts);
  form.on('file', (name, stream, sentName, encoding, type) => {
    // Without a listener, the end of the form within the part would be an unhandled error.
    stream.on('error', () => {});
    streams.push(stream);
    const isFile = sentName !== undefined || type === 'application/octet-stream';
    if (isFile ? name !== parts.file : fields.has(name) || !parts.fields.includes(name)) {
      stream.resume();
      return tooMany();
    }
    if (!IDENTITY_ENCODINGS.includes(encoding.trim() || '7bit'))
      refuseText(name, `has a Content-Transfer-Encoding other than ${IDENTITY_ENCODINGS.join()}`);
    if (!isFile) {
      const text = textOf(name, stream);
      text.catch(stopAt);
      fields.set(name, text);
      return;
    }
    if (files.length === parts.filesMax) {
      stream.resume();
      return tooMany();
    }
    stream.on('limit', () => tooLarge('The file has', parts.fileBytesMax));
    const received = parts.receive(counted(stream));
    received.catch(stopAt);
    const fileName = nameIn(sentName);
    const wrong = unstorableText(fileName);
    if (wrong !== null) refuseText(name, `the name of a file ${wrong}`);
    files.push({ fileName, received });
  });
  onHeaders(form, (header) => {
    const bytes = header.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    if (header.length > FORM_HEADERS_MAX || bytes > FORM_HEADER_BYTES_MAX)
      stop('size', HEADERS_TOO_LARGE);
    if (!header.every(([, value]) => isUtf8(value)))
      refuseText(parts.file, `the name of a part or file ${NOT_UTF8}`);
  });
  form.on('partsLimit', tooMany);

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
    for (const stream of streams) stream.destroy(cause);
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
    const texts = [...fields].map(async ([name, text]) => [name, await text] as const);
    return { files: await Promise.all(whole), fields: new Map(await Promise.all(texts)) };
  } catch (error) {
    return undo(error);
  }
};

/** @throws {@link FormRefused} for a form without a usable boundary. */
const formReader = <Received>(type: string, parts: FormParts<Received>): BusboyInstance => {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      // As a file, a part is read as bytes: busboy replaces invalid UTF-8 in a text.
      isPartAFile: () => true,
      limits: {
        parts: parts.filesMax + parts.fields.length,
        fileSize: parts.fileBytesMax,
        // Busboy drops what is beyond, such as the end of a name: more, so that it is noticed.
        headerPairs: FORM_HEADERS_MAX + 1,
        headerSize: 2 * FORM_HEADER_BYTES_MAX,
      },
    });
  } catch (error) {
    throw new FormRefused('broken', 'The Content-Type of the form has no boundary.', error);
  }
};

/**
 * Busboy itself replaces invalid UTF-8 in headers, so they are read from its parser, as latin1.
 */
const onHeaders = (
  form: BusboyInstance & { readonly _parser?: { readonly parser: EventEmitter } },
  listener: (headers: readonly (readonly [name: string, value: string])[]) => void,
): void => {
  form._parser!.parser.on('part', (part: EventEmitter) =>
    part.on('header', (headers: Readonly<Record<string, readonly string[]>>) =>
      listener(
        Object.entries(headers).flatMap(([name, values]) =>
          values.map((value) => [name, value] as const),
        ),
      ),
    ),
  );
};

const HEADERS_TOO_LARGE =
  `A part of the form has more than ${FORM_HEADERS_MAX} headers, ` +
  `or more than ${FORM_HEADER_BYTES_MAX} bytes in them.`;

/** Those that leave the bytes as they are. RFC 2045 section 6.2 */
const IDENTITY_ENCODINGS: readonly string[] = ['7bit', '8bit', 'binary'];

const NOT_UTF8 = 'is not valid UTF-8';

/** @param value Of a header, in latin1. */
const isUtf8 = (value: string): boolean =>
  utf8Text(Buffer.from(value, 'latin1')) !== null &&
  [...value.matchAll(extendedNames)].every(([, encoded]) => isDecodable(encoded!));

/** `filename*=UTF-8''%c3%96.svg`, in every charset that busboy reads as UTF-8. RFC 8187 */
const extendedNames = /;\s*(?:file)?name\*=(?!iso-8859-1')[^';]*'[^';]*'([^;]*)/gi;

/** Browsers escape these three characters, and no other. */
const nameIn = (sent: string | undefined): string =>
  (sent ?? '').replaceAll(/%(22|0A|0D)/g, (escaped) => decodeURIComponent(escaped));

const listed = ({
  file,
  filesMax,
  fields,
}: Pick<FormParts<never>, 'file' | 'filesMax' | 'fields'>): string => {
  const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' and ');
  return filesMax === 1
    ? `${quoted([file, ...fields])}, each once`
    : `${quoted(fields)}, each once, and up to ${filesMax} of \`${file}\``;
};
