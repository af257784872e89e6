/** `atrium subjects export`. contract.md section 11. */
import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Atrium, components } from '../../../../sdk/src/index.ts';
import { CommandFailed } from '../../failures.ts';
import type { Invocation } from '../../invocation.ts';
import { patientAtriumAt } from '../../session/client.ts';
import { printable } from '../../terminal/text.ts';
import { isThere } from '../files.ts';
import { platformOf, type SandboxOption } from '../platform.ts';
import { writtenWhole } from '../whole-file.ts';
import { subjectOf, type Subject, type SubjectOptions } from './subject.ts';

type ArchiveLine = components['schemas']['PersonArchiveLine'];

interface ExportOptions extends SandboxOption, SubjectOptions {
  readonly out: string;
  readonly force?: true;
}

/** Unreadable tickets that are printed; the archive names all. */
const UNREADABLE_PRINTED_MAX = 10;

/**
 * Under a name of its own until it is whole.
 *
 * @throws {@link CommandFailed} unless one person is named, and the file may be written; for an
 *   archive that broke off, of which nothing remains; for one that lacks tickets.
 */
export const exportSubject = async (invocation: Invocation<ExportOptions>): Promise<void> => {
  const { options, terminal } = invocation;
  const { out: file, force } = options;
  const subject = subjectOf(options);
  // Before anything is asked: what cannot be written need not be read.
  if (!force && (await isThere(file)))
    throw new CommandFailed(`${file} already exists; --force replaces it`);
  // Before `writtenWhole` handles Ctrl-C: these take no signal.
  const { url, token } = await platformOf(invocation);
  await token();
  const client = patientAtriumAt(url, token);
  const archive = (output: Writable, signal: AbortSignal) =>
    archiveTo(output, client, invocation, { subject, signal });
  const { tickets, unreadable } = await writtenWhole(file, archive, force);
  for (const ticketId of unreadable.slice(0, UNREADABLE_PRINTED_MAX))
    terminal.notice(printable(`ticket ${ticketId} cannot be read by the server`));
  const lacking = unreadable.length;
  terminal.print({ tickets, unreadable: lacking, file }, () =>
    lacking === 0
      ? `${file} is complete, with ${tickets} tickets.`
      : `${file} has ${tickets} tickets.`,
  );
  if (lacking > 0)
    throw new CommandFailed(
      `${lacking} tickets cannot be read, and are lines \`unreadable\` of ${file}; export again ` +
        'once the server can read them',
    );
};

interface Summary {
  readonly tickets: number;
  /** Ids of tickets that the server cannot read. */
  readonly unreadable: readonly string[];
}

const archiveTo = async (
  output: Writable,
  client: Atrium,
  invocation: Invocation<ExportOptions>,
  { subject, signal }: { readonly subject: Subject; readonly signal: AbortSignal },
): Promise<Summary> => {
  const { data, response } = await client.GET('/api/v1/subjects/export', {
    params: { query: subject },
    parseAs: 'stream',
    signal,
  });
  if (response.headers.has('x-atrium-stale'))
    invocation.terminal.notice(
      'The export does not include the latest changes yet: repeat it to get them.',
    );
  const summary = summarising();
  try {
    await pipeline(Readable.fromWeb(data as never), summary.stream, output, { signal });
  } catch (error) {
    throw new CommandFailed(`the export was interrupted: ${(error as Error).message}`, error);
  }
  const { last, unreadable } = summary;
  const ending = last();
  if (ending?.section !== 'end')
    throw new CommandFailed('the export is incomplete: it has no line `end`');
  return { tickets: (ending.value as { readonly tickets: number }).tickets, unreadable };
};

/** Longer lines are neither `unreadable` nor `end`. */
const LINE_BYTES_MAX = 4_096;
const NEWLINE = 0x0a;

/** Passes everything on, and keeps the lines that say how complete it is. */
const summarising = () => {
  let line: Buffer = Buffer.alloc(0);
  let last: ArchiveLine | null = null;
  const unreadable: string[] = [];
  const stream = new Transform({
    transform(chunk: Uint8Array, _, done) {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
        last = lineIn(begun(line, chunk.subarray(from, end)));
        if (last?.section === 'unreadable')
          unreadable.push((last.value as { readonly ticketId: string }).ticketId);
        line = Buffer.alloc(0);
        from = end + 1;
      }
      line = begun(line, chunk.subarray(from));
      done(null, chunk);
    },
  });
  return { stream, unreadable, last: () => last };
};

const begun = (line: Buffer, more: Uint8Array): Buffer =>
  Buffer.concat([line, more.subarray(0, LINE_BYTES_MAX - line.length)]);

/** `null`: it is cut. */
const lineIn = (bytes: Buffer): ArchiveLine | null => {
  try {
    return JSON.parse(bytes.toString()) as ArchiveLine;
  } catch {
    return null;
  }
};
