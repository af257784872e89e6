/** Imports the segments of an EventStoreDB log into an empty log, in their order. */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { EventStore } from '../../engine/log/event-store.ts';
import { isOwn } from '../../engine/log/log-identity.ts';
import { markImported } from '../../engine/log/log-import.ts';
import { diskSpace } from '../../engine/observe/disk-space.ts';
import { importFile } from '../events/import-command.ts';
import { linesOf } from '../events/lines.ts';
import { Checksum, lineText, parseLine } from '../events/file.ts';
import type { Chunks } from './encryption.ts';
import type { Manifest, Segment } from './manifest.ts';
import { BackupRefused } from './refused.ts';
import { inBytes } from './shown.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { openedStream, type Opening } from './sealed-stream.ts';
import type { Until } from './until.ts';

export interface LogParts {
  readonly manifest: Manifest;
  readonly opening: Opening;
  readonly log: EventStore;
  /** `null`: all events. */
  readonly until: Until | null;
  readonly signal: AbortSignal;
}

/** @throws {@link BackupRefused} `NOT_EMPTY` if the log holds an event. */
export const mustBeEmpty = async (log: EventStore): Promise<void> => {
  const { events } = await log.readAll(null, { limit: 1 });
  const [first] = events.filter(({ stream }) => !isOwn(stream));
  if (first !== undefined)
    throw new BackupRefused('NOT_EMPTY', `the log has events already, such as in ${first.stream}`);
};

/**
 * Each segment is decrypted into one file. It is not divided, because each import reads the whole
 * log.
 *
 * @throws {@link BackupRefused} `NO_SPACE` if the largest segment does not fit.
 */
export const mustFit = async ({ log: { segments } }: Pick<Manifest, 'log'>): Promise<void> => {
  const neededBytes = Math.max(0, ...segments.map(({ bytes }) => bytes));
  const directory = await temporaryDirectory();
  const { freeBytes } = await diskSpace(directory);
  await rm(directory, { recursive: true, force: true });
  if (freeBytes >= neededBytes) return;
  throw new BackupRefused(
    'NO_SPACE',
    `${tmpdir()} has ${inBytes(freeBytes)} free, and the log needs ${inBytes(neededBytes)}: set ` +
      'TMPDIR to a larger directory',
  );
};

/**
 * Imports the missing events; an interrupted import is continued by the same call. The log keeps
 * its identity, and the installation continues with it, as after `atrium events import`.
 *
 * @throws {@link BackupRefused} `DAMAGED`, `WRONG_IDENTITY`; as `importFile` does.
 */
export const restoreLog = async (parts: LogParts): Promise<void> => {
  const { manifest, log, signal } = parts;
  // For decrypted segments: an import reads its file several times.
  const directory = await temporaryDirectory();
  try {
    for (const segment of manifest.log.segments) {
      const path = join(directory, 'segment.ndjson');
      const { isCut, events } = await written(parts, segment, path);
      if (events > 0) await importFile(log, path, {}, signal);
      await rm(path);
      if (isCut) break;
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  await markImported(log, manifest.log.identity);
};

interface Written {
  /** Whether the file ends before the last event of the segment. */
  readonly isCut: boolean;
  readonly events: number;
}

const written = async (
  { opening, until, log }: LogParts,
  segment: Segment,
  path: string,
): Promise<Written> => {
  const chunks = openedStream(opening, `the log after ${segment.after ?? 'its start'}`, segment);
  const outcome = { isCut: false, events: segment.events };
  const source = until === null ? chunks : cut(chunks, until, log, outcome);
  await pipeline(
    Readable.from(source, { objectMode: true }),
    createWriteStream(path, { mode: 0o600 }),
  );
  return outcome;
};

/** The lines before the first event after `until`, as a complete file. */
async function* cut(
  chunks: Chunks,
  until: Until,
  log: EventStore,
  outcome: { isCut: boolean; events: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  const checksum = new Checksum();
  for await (const { lines } of linesOf(chunks as AsyncIterable<Buffer>)) {
    for (const line of lines) {
      const parsed = parseLine(line.toString());
      if ('stream' in parsed) {
        const isAfter =
          until.position !== null
            ? log.compare(parsed.position, until.position) > 0
            : parsed.recordedAt > until.instant;
        if (isAfter) {
          outcome.isCut = true;
          outcome.events = checksum.events;
          yield Buffer.from(lineText({ trailer: checksum.sum }));
          return;
        }
        checksum.event(line, parsed.position);
      } else checksum.add(line);
      yield line;
    }
  }
}
