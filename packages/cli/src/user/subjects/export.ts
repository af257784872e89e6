/** `atrium subjects export`. contract.md section 11. */
import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Atrium, components } from '../../../../sdk/src/index.ts';
import { CommandFailed } from '../../failures.ts';
import type { Invocation } from '../../invocation.ts';
import { patientAtriumAt } from '../../session/client.ts';
import { isThere } from '../files.ts';
import { platformOf, type SandboxOption } from '../platform.ts';
import { writtenWhole } from '../whole-file.ts';
import { subjectOf, type Subject, type SubjectOptions } from './subject.ts';

type ArchiveLine = components['schemas']['PersonArchiveLine'];

interface ExportOptions extends SandboxOption, SubjectOptions {
  readonly out: string;
  readonly force?: true;
}

/**
 * Under a name of its own until it is whole.
 *
 * @throws {@link CommandFailed} unless one person is named, and the file may be written; for an
 *   archive that broke off, of which nothing remains.
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
  const tickets = await writtenWhole(file, archive, force);
  terminal.print({ tickets, file }, () => `${file} is complete, with ${tickets} tickets.`);
};

/** @returns How many tickets it has. */
const archiveTo = async (
  output: Writable,
  client: Atrium,
  invocation: Invocation<ExportOptions>,
  { subject, signal }: { readonly subject: Subject; readonly signal: AbortSignal },
): Promise<number> => {
  const { data, response } = await client.GET('/api/v1/subjects/export', {
    params: { query: subject },
    parseAs: 'stream',
    signal,
  });
  if (response.headers.has('x-atrium-stale'))
    invocation.terminal.notice(
      'The export does not include the latest changes yet: repeat it to get them.',
    );
  const ending = lastLine();
  try {
    await pipeline(Readable.fromWeb(data as never), ending.stream, output, { signal });
  } catch (error) {
    throw new CommandFailed(`the export was interrupted: ${(error as Error).message}`, error);
  }
  const tickets = ticketsOf(ending.line());
  if (tickets === null) throw new CommandFailed('the export is incomplete: it has no line `end`');
  return tickets;
};

/** That of the line `end`; `null`: it is another, or none. */
const ticketsOf = (line: string): number | null => {
  try {
    const { section, value } = JSON.parse(line) as ArchiveLine;
    return section === 'end' ? (value as { readonly tickets: number }).tickets : null;
  } catch {
    return null;
  }
};

/** The line `end` has less. */
const LAST_BYTES = 4_096;
const NEWLINE = 0x0a;

/** Passes everything on, and keeps the end of it. */
const lastLine = () => {
  let last: Buffer = Buffer.alloc(0);
  const stream = new Transform({
    transform(chunk: Uint8Array, _, done) {
      last = Buffer.concat([last, chunk.subarray(-LAST_BYTES)]).subarray(-LAST_BYTES);
      done(null, chunk);
    },
  });
  return {
    stream,
    line: () => last.subarray(last.subarray(0, -1).lastIndexOf(NEWLINE) + 1).toString(),
  };
};
