/** `atrium tickets import`. */
import { open, rm, type FileHandle } from 'node:fs/promises';
import {
  importLineOf,
  type components,
  type ImportLine,
  type ImportOutcome,
} from '../../../sdk/src/index.ts';
import { AtriumError } from '../../../sdk/src/problems.ts';
import { CommandFailed, interrupted } from '../failures.ts';
import type { Invocation } from '../invocation.ts';
import { patientAtriumAt } from '../session/client.ts';
import { interruption } from '../terminal/interrupts.ts';
import { measured } from '../terminal/measure.ts';
import { printable } from '../terminal/text.ts';
import {
  failedAt,
  linesIn,
  partOf,
  refuseExisting,
  renamePart,
  sizeOf,
  type FileLine,
} from './files.ts';
import { attachFiles, filesIn, type TicketFile } from './ticket-files.ts';
import { platformOf, type SandboxOption } from './platform.ts';

interface ImportOptions extends SandboxOption {
  /** `--no-routing` */
  readonly routing: boolean;
  readonly failed?: string;
  /** The directory of an export's files. */
  readonly files?: string;
}

/** Failed lines whose reason is printed: where more fail, most fail for the same reason. */
const REASONS_PRINTED_MAX = 10;

export const importTickets = async (invocation: Invocation<ImportOptions>): Promise<void> => {
  const { words, options, terminal } = invocation;
  const file = words[0]!;
  const { url, token } = await platformOf(invocation);
  const client = patientAtriumAt(url, token);
  const { transfers } = client;
  const size = await sizeOf(file);
  const summary = { created: 0, exists: 0, failed: 0 };
  const kept = await failedLines(options.failed);
  const stopped = interruption();
  const { signal } = stopped;
  /** Sent and not answered, in their order. */
  const sent: FileLine[] = [];
  const linesOf = async function* (run: Run) {
    for await (const { line, asImported } of run.lines) {
      sent.push(line);
      yield asImported;
    }
  };
  const outcomes = async function* () {
    const routing = options.routing ? 'on' : 'off';
    for await (const run of runsIn(linesIn(file, signal))) {
      const forms = run.isExported ? ({ forms: 'off' } as const) : {};
      const choices = { routing, ...forms, signal } as const;
      yield* transfers.importTickets(linesOf(run), choices);
    }
  };

  const measure = await measured(terminal, 'imported');
  const reasons: string[] = [];
  let bytes = 0;
  const files: TicketFile[] = [];
  const count = (line: FileLine, outcome: ImportOutcome) => {
    const ticketId = outcome.id;
    if (options.files !== undefined && ticketId !== undefined)
      files.push(...filesIn(line.text).map((one) => ({ ticketId, file: one })));
    summary[outcome.status] += 1;
    bytes += line.bytes;
    const imported = summary.created + summary.exists;
    measure.at(imported, size === null ? null : bytes / size);
    if (outcome.status === 'failed' && reasons.length < REASONS_PRINTED_MAX)
      reasons.push(`line ${line.number}: ${outcome.detail ?? 'a bug'} (${outcome.code})`);
  };
  try {
    for await (const outcome of outcomes()) {
      const line = sent.shift()!;
      count(line, outcome);
      if (outcome.status === 'failed') await kept.add(line);
    }
    await kept.finish();
  } catch (error) {
    await kept.discard();
    const done = summary.created + summary.exists;
    const how = `${done} tickets were imported; repeat the command to continue`;
    const by = stopped.by();
    if (by !== null) throw interrupted(`the import was interrupted; ${how}`, by);
    if (AtriumError.is(error) || error instanceof CommandFailed) throw error;
    throw new CommandFailed(
      `the import was interrupted: ${(error as Error).message}; ${how}`,
      error,
    );
  } finally {
    stopped.release();
    measure.end();
    for (const reason of reasons) terminal.notice(printable(reason));
  }
  const attached = await attachFiles(client, files, options.files ?? '');
  for (const failure of attached.failures.slice(0, REASONS_PRINTED_MAX))
    terminal.notice(printable(failure));
  if (options.files !== undefined)
    terminal.notice(`${attached.attached} files attached, ${attached.there} already there.`);
  const { created, exists, failed } = summary;
  terminal.print(summary, () => `${created} created, ${exists} already there, ${failed} failed.`);
  if (failed > 0) {
    const where = options.failed === undefined ? '' : `; they are in ${options.failed}`;
    throw new CommandFailed(`${failed} lines have failed${where}`);
  }
  if (attached.failures.length > 0)
    throw new CommandFailed(`${attached.failures.length} files have failed`);
};

/** A line of a file, and how it is sent. */
interface Prepared {
  readonly line: FileLine;
  readonly asImported: ImportLine | string;
  readonly isExported: boolean;
}

/** A line of an export becomes one of an import; every other one is sent as it is. */
const prepared = (line: FileLine): Prepared => {
  const { text } = line;
  const asItIs = { line, asImported: text, isExported: false };
  try {
    const value: unknown = JSON.parse(text);
    if (!isTicket(value) || 'importKey' in value) return asItIs;
    return { line, asImported: importLineOf(value), isExported: true };
  } catch {
    // Why it is no JSON, the server says.
    return asItIs;
  }
};

/** Consecutive lines that are exported tickets, or that are none. */
interface Run extends Pick<Prepared, 'isExported'> {
  /** To be read before the next run. */
  readonly lines: AsyncIterable<Prepared>;
}

async function* runsIn(lines: AsyncGenerator<FileLine>): AsyncGenerator<Run, void, undefined> {
  const read = async () => {
    const { value, done } = await lines.next();
    return done ? null : prepared(value);
  };
  let next = await read();
  const run = async function* (isExported: boolean) {
    for (; next?.isExported === isExported; next = await read()) yield next;
  };
  try {
    for (let first = next; first; first = next)
      yield { isExported: first.isExported, lines: run(first.isExported) };
  } finally {
    await lines.return(undefined);
  }
}

const isTicket = (value: unknown): value is components['schemas']['Ticket'] =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'number', 'organisationId', 'revision'].every((member) => member in value);

/** Lines that failed, as they were, so that they can be mended and imported. */
const failedLines = async (file: string | undefined) => {
  if (file === undefined)
    return { add: async () => {}, finish: async () => {}, discard: async () => {} };
  await refuseExisting(file);
  const part = partOf(file);
  const output: FileHandle = await open(part, 'wx', 0o600).catch((error: unknown) => {
    throw failedAt(file, 'written', error);
  });
  let count = 0;
  return {
    async add({ text }: FileLine) {
      count += 1;
      await output.write(`${text}\n`);
    },
    /** Gives the file its name; without lines there is none. */
    async finish() {
      await output.close();
      await (count === 0 ? rm(part) : renamePart(part, file));
    },
    /** Leaves no file, so that the same command can be run again. */
    async discard() {
      await output.close();
      await rm(part, { force: true });
    },
  };
};
