/** `atrium tickets export`. */
import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Atrium } from '../../../sdk/src/index.ts';
import { CommandFailed } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { patientAtriumAt } from '../session/client.ts';
import { measured, type Measure } from '../terminal/measure.ts';
import { isReaderGone } from '../terminal/reader.ts';
import { refuseExisting, STANDARD } from './files.ts';
import { given } from './given.ts';
import { fetchFiles } from './ticket-files.ts';
import { platformOf, type SandboxOption } from './platform.ts';
import { filtersOf, type FilterOptions } from './tickets.ts';
import { writtenWhole } from './whole-file.ts';

interface ExportOptions extends SandboxOption, FilterOptions {
  readonly csv?: true;
  /** A directory for the files of the tickets. */
  readonly files?: string;
}

export const exportTickets = async (invocation: Invocation<ExportOptions>): Promise<void> => {
  const [file = STANDARD] = invocation.words;
  const { files: directory, csv } = invocation.options;
  if (directory !== undefined && (csv || file === STANDARD))
    throw new CommandFailed('--files needs an export to a file, and not --csv');
  // Before anything is asked: what cannot be written need not be read.
  if (file !== STANDARD) await refuseExisting(file);
  // Before `writtenWhole` handles Ctrl-C: these take no signal.
  const { url, token } = await platformOf(invocation);
  await token();
  const client = patientAtriumAt(url, token);
  if (file === STANDARD) return void (await exportTo(process.stdout, client, invocation));
  const exported = await writtenWhole(file, (output, signal) =>
    exportTo(output, client, invocation, signal),
  );
  invocation.terminal.print({ exported, file }, () => `${exported} tickets are in ${file}.`);
  if (directory === undefined) return;
  const done = await fetchFiles(client, file, directory);
  const { fetched, there, gone } = done;
  const lost = gone === 0 ? '' : `, ${gone} were removed in the meantime`;
  invocation.terminal.notice(
    `${fetched} files were downloaded to ${directory}, ${there} were already there${lost}.`,
  );
};

/** @returns How many tickets were exported. */
const exportTo = async (
  output: Writable,
  client: Atrium,
  invocation: Invocation<ExportOptions>,
  signal?: AbortSignal,
): Promise<number> => {
  const { options, terminal } = invocation;
  const query = filtersOf(options);
  const { data: list } = await client.GET('/api/service-desk/requests', {
    params: { query: { ...query, limit: 1 } },
    ...given({ signal }),
  });
  const { data, response } = await client.GET('/api/service-desk/requests/export', {
    params: { query },
    headers: { accept: options.csv ? 'text/csv' : 'application/x-ndjson' },
    parseAs: 'stream',
    ...given({ signal }),
  });
  if (response.headers.has('x-atrium-stale'))
    terminal.notice('The export does not include the latest changes yet: repeat it to get them.');

  const measure = await measured(terminal, 'exported');
  const counted = counting(options.csv === true, list.total, measure);
  try {
    await pipeline(Readable.fromWeb(data as never), counted.stream, output, {
      end: output !== process.stdout,
      ...given({ signal }),
    });
  } catch (error) {
    measure.end();
    if (isReaderGone(error)) throw error;
    const { message } = error as Error;
    throw new CommandFailed(
      `the export was interrupted after ${counted.rows()} tickets: ${message}`,
      error,
    );
  }
  measure.end();
  return counted.rows();
};

const [NEWLINE, QUOTE] = [0x0a, 0x22];

/** Counts rows as they pass: a cell of CSV may have several lines. */
const counting = (isCsv: boolean, total: number, measure: Measure) => {
  let rows = isCsv ? -1 : 0;
  let isQuoted = false;
  const stream = new Transform({
    transform(chunk: Uint8Array, _, done) {
      for (const byte of chunk) {
        if (byte === QUOTE && isCsv) isQuoted = !isQuoted;
        else if (byte === NEWLINE && !isQuoted) rows += 1;
      }
      measure.at(Math.max(0, rows), total > 0 ? rows / total : null);
      done(null, chunk);
    },
  });
  return { stream, rows: () => Math.max(0, rows) };
};
