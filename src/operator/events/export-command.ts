import { open, type FileHandle } from 'node:fs/promises';
import type { EventStore } from '../../engine/log/event-store.ts';
import { logIdentity } from '../../engine/log/log-identity.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { Env } from '../command-logger.ts';
import { exitCodeOf, interruption } from '../interruption.ts';
import { onLog } from '../on-log.ts';
import { eventProgress } from '../progress.ts';
import { contentsOf } from './contents.ts';
import { exported } from './exporter.ts';
import { Checksum, type Header } from './file.ts';
import type { Sealing } from './sealing.ts';
import { fileOutput, ReaderGone, streamOutput, type Output } from './output.ts';
import { categoriesOf, positionIn } from './selection.ts';
import { OperatorError, UsageError, isSystemError } from '../operator-error.ts';

export interface ExportCommand {
  /** Default `-`: standard output. */
  readonly to?: string;
  /** Comma-separated. */
  readonly category?: string;
  readonly after?: string;
  readonly resume?: boolean;
  /** Seals personal data that the log holds in the clear. */
  readonly erase?: boolean;
  readonly env: Env;
}

/** An output, and its existing contents. */
interface Begun {
  readonly header: Header;
  /** Whether the header has been written. */
  readonly begun: boolean;
  readonly checksum: Checksum;
  readonly output: Output;
}

/**
 * `atrium events export`: the configured log as it is now, into a file or to standard output.
 * docs/operating/move-the-log.md.
 *
 * @returns The exit code: 0, 130 or 143 if it was interrupted, 1 if standard output was closed.
 * @throws {@link OperatorError} and {@link BadConfiguration}, each with one line.
 */
export const exportCommand = async (command: ExportCommand): Promise<number> => {
  const { to = '-', resume = false } = command;
  if (resume && to === '-') throw new UsageError('--resume needs --to FILE');
  const signal = interruption();
  const progress = eventProgress('exported');

  return onLogFor(command, async (log, sealing) => {
    const header = await headerOf(log, command);
    const begun = resume ? await resumed(to, header, sealing, progress) : await started(to, header);
    if (begun === null) return 0;
    await using output = begun.output;
    try {
      const { checksum } = begun;
      const onProgress = (events: number, share: number | null) => progress.at(events, share);
      const complete = await exported(log, { ...begun, sealing, signal, onProgress }, output);
      await output.close();
      if (complete) progress.say(exportedLine(checksum));
      if (complete && sealing) progress.say(sealedLine(sealing));
      if (!complete)
        progress.say(`interrupted after ${checksum.events} events; --resume goes on from there`);
      return complete ? 0 : exitCodeOf(signal);
    } catch (error) {
      if (error instanceof ReaderGone) return 1;
      if (isSystemError(error)) throw new OperatorError(`${to}: ${error.message}`, error);
      throw error;
    }
  });
};

const onLogFor = async (
  { erase = false, env }: ExportCommand,
  work: (log: EventStore, sealing: Sealing | null) => Promise<number>,
): Promise<number> => {
  if (!erase) return onLog(env, (log) => work(log, null));
  // Loaded on demand, because it imports most of the platform.
  const { onLogToSeal } = await import('./sealing.ts');
  return onLogToSeal(env, work);
};

const sealedLine = ({ count, digest }: Sealing): string =>
  `sealed ${count} events that were in the clear; ${digest.line}`;

/** An empty selection has no position. */
const exportedLine = ({ events, position }: Checksum): string =>
  events === 0
    ? 'no event was exported, because none is selected'
    : `exported ${events} events, up to ${position}`;

const headerOf = async (
  log: EventStore,
  { after, category, erase = false }: ExportCommand,
): Promise<Header> => {
  const from = after === undefined ? null : await positionIn(log, '--after', after);
  return {
    atriumEvents: 1,
    log: await logIdentity(log),
    backend: log.backend,
    exportedAt: systemClock.now(),
    after: from,
    categories: categoriesOf(category),
    ...(erase ? { sealed: true } : {}),
  };
};

/** @throws {@link OperatorError} if the file exists or cannot be created. */
const started = async (to: string, header: Header): Promise<Begun> => {
  const fresh = { header, begun: false, checksum: new Checksum() };
  if (to === '-') return { ...fresh, output: streamOutput(process.stdout) };
  try {
    // Only its owner may read it: the events are as secret as the log.
    return { ...fresh, output: fileOutput(await open(to, 'wx', 0o600), 0) };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const why =
      error.code === 'EEXIST'
        ? 'already exists: continue it with --resume, or remove it'
        : `cannot be made: ${error.message}`;
    throw new OperatorError(`${to} ${why}`, error);
  }
};

/** Continues after the last complete line; `null` if the file is complete. */
const resumed = async (
  to: string,
  header: Header,
  sealing: Sealing | null,
  progress: ReturnType<typeof eventProgress>,
): Promise<Begun | null> => {
  const found = await contentsOf(to, { onEvent: (event) => sealing?.resumedAfter(event) });
  if (found.header !== null) checkSame(to, found.header, header);
  if (found.complete) {
    progress.say(`${to} is complete: ${found.checksum.events} events`);
    return null;
  }
  let file: FileHandle | null = null;
  try {
    file = await open(to, 'r+');
    await file.truncate(found.bytes);
  } catch (error) {
    await file?.close();
    throw new OperatorError(`${to} cannot be written: ${(error as Error).message}`, error);
  }
  progress.say(`${to} holds ${found.checksum.events} events; going on from there`);
  return {
    header: found.header ?? header,
    begun: found.header !== null,
    checksum: found.checksum,
    output: fileOutput(file, found.bytes),
  };
};

const checkSame = (to: string, begun: Header, requested: Header): void => {
  if (begun.log !== requested.log) throw new OperatorError(`${to} was exported from another log`);
  const choice = ({ after, categories, sealed }: Header) =>
    JSON.stringify([after, categories, sealed]);
  if (choice(begun) !== choice(requested))
    throw new OperatorError(`${to} was begun with another --after, --category or --erase`);
};
