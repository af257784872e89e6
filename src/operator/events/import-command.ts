import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { EventStore, StoredEvent } from '../../engine/log/event-store.ts';
import { currentTimelineId } from '../../engine/log/log-identity.ts';
import { markImported } from '../../engine/log/log-import.ts';
import type { Env } from '../command-logger.ts';
import { exitCodeOf, interruption } from '../interruption.ts';
import { onLog } from '../on-log.ts';
import { eventProgress } from '../progress.ts';
import { contentsOf, type Reading } from './contents.ts';
import { checkBeginnings, checkSame } from './differences.ts';
import { appendMissing } from './importer.ts';
import { checkOrder } from './order.ts';
import { carryProcessPositions } from './process-positions.ts';
import { lookUp, planOf, type Plan } from './plan.ts';
import { OperatorError, UsageError } from '../operator-error.ts';
import { UnsealedDigest } from './unsealed-digest.ts';

export interface ImportEventsCommand {
  /** `-`: standard input, which is copied to a temporary file first. */
  readonly file: string;
  readonly dryRun?: boolean;
  readonly allowIncomplete?: boolean;
  readonly renumber?: boolean;
  readonly fast?: boolean;
  readonly env: Env;
}

/**
 * `atrium events import`: a file of events into the configured log, so that every stream has the
 * same events with the same ids and revisions, and the log has the order of the file unless `fast`.
 * Events already in the log are skipped, so that the same command continues an interrupted import.
 * docs/operating/move-the-log.md.
 *
 * @returns The exit code: 0; 130 or 143 if it was interrupted.
 * @throws {@link OperatorError}, {@link BadConfiguration}, `LogUnavailable`, each with a message
 *   for the person at the terminal.
 */
export const importEventsCommand = async (command: ImportEventsCommand): Promise<number> => {
  const signal = interruption();
  let spooled: Spooled | null = null;
  try {
    if (command.file === '-') spooled = await spool(signal);
    const [path, name] = spooled ? [spooled.path, 'standard input'] : [command.file, command.file];
    return await onLog(command.env, (log) => importFile(log, path, { ...command, name }, signal), {
      makes: true,
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    process.stderr.write('interrupted; the same command goes on from here\n');
    return exitCodeOf(signal);
  } finally {
    await spooled?.remove();
  }
};

/** {@link importEventsCommand} on an open log. */
export const importFile = async (
  log: EventStore,
  path: string,
  options: Omit<ImportEventsCommand, 'file' | 'env'> & Pick<Reading, 'name'>,
  signal: AbortSignal,
): Promise<number> => {
  const { dryRun = false, allowIncomplete = false, renumber = false, fast = false } = options;
  const { name = path } = options;
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const checking = eventProgress('checked');
  const onProgress = (events: number) => checking.at(events, null);
  const plan = await planOf(path, allowIncomplete, { name, onProgress });
  if (renumber) renumbered(plan);
  checking.say(`${name} holds ${counted(plan)}`);

  const compare = () => {
    const looking = eventProgress('looked up');
    return lookUp(log, plan, signal, (events, share) => looking.at(events, share));
  };
  const before = await compare();
  await checkSame(log, plan);
  checkBeginnings(plan);
  if (!fast) await checkOrder(plan);
  const missing = missingIn(plan);
  if (before.notInFile > 0)
    say(`the log holds ${before.notInFile} events that are not in the file`);
  say(`${plan.contents.checksum.events - missing} of them are in the log, ${missing} are missing`);
  if (dryRun) return 0;

  if (missing > 0) {
    const appending = eventProgress('imported');
    await appendMissing(log, plan, {
      order: fast ? 'in-blocks' : 'in-order',
      signal,
      onProgress: (events, share) => appending.at(events, share),
    });
    appending.say(`imported ${missing} events; comparing the log with the file`);
    await compare();
    await checkSame(log, plan);
    const lost = missingIn(plan);
    if (lost > 0) throw new OperatorError(`${lost} events are not in the log after all`);
    if (!fast) await checkOrder(plan);
  }
  const carried = await carryProcessPositions(log, plan, signal);
  const { header } = plan;
  const isWhole = plan.contents.complete && header.categories === null;
  if (isWhole && header.log !== (await currentTimelineId(log))) await markImported(log, header.log);
  say(`verified: ${counted(plan)}, as in the file`);
  if (header.sealed) say((await unsealedDigestOf(path, plan)).line);
  if (!isWhole) say('this is a part of a log: before a server starts on it, atrium log adopt');
  if (carried.length > 0) say(`go on from where they were: ${carried.join(', ')}`);
  return 0;
};

/** Equals the digest of the export if only personal data was sealed. */
const unsealedDigestOf = async (path: string, { contents }: Plan): Promise<UnsealedDigest> => {
  const digest = new UnsealedDigest();
  const onEvent = (event: StoredEvent) => digest.add([event]);
  await contentsOf(path, { eventsMax: contents.checksum.events, onEvent });
  return digest;
};

const counted = ({ contents, streams }: Plan): string =>
  `${contents.checksum.events} events in ${streams.size} streams`;

const missingIn = ({ contents, streams }: Plan): number => {
  let there = 0;
  for (const { found } of streams.values()) there += found.count;
  return contents.checksum.events - there;
};

/** Renumbers from 0 the streams whose beginning was removed. */
const renumbered = ({ header, streams }: Plan): void => {
  if (header.after !== null)
    throw new UsageError('--renumber is for a file that begins at the beginning of its log');
  for (const planned of streams.values()) planned.shift = planned.first;
};

interface Spooled {
  readonly path: string;
  remove(): Promise<void>;
}

/** Copies standard input to a file, which can be read several times. */
const spool = async (signal: AbortSignal): Promise<Spooled> => {
  const directory = await mkdtemp(join(tmpdir(), 'atrium-events-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  const path = join(directory, 'events.ndjson');
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal });
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
};
