/** A log in EventStoreDB: each backup adds one `events export` file with the newer events. */
import { PassThrough } from 'node:stream';
import type { EventStore, Position } from '../../engine/log/event-store.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { exported } from '../events/exporter.ts';
import { Checksum, type Header } from '../events/file.ts';
import { streamOutput } from '../events/output.ts';
import { BACKUP_EXPORTS_MAX } from '../limits.ts';
import type { Manifest, Segment } from './manifest.ts';
import { sealedStream, type Sealing } from './sealed-stream.ts';

export interface ExportsParts {
  readonly log: EventStore;
  readonly identity: string;
  readonly sealing: Sealing;
  /** Segments of the same log, encrypted for the same recipients. */
  readonly previous: readonly Segment[];
  /** Whether the place has a part. */
  readonly has: (part: string) => boolean;
  readonly signal: AbortSignal;
  readonly onEvents: (events: number, share: number | null) => void;
}

/**
 * After {@link BACKUP_EXPORTS_MAX} segments the log is copied from its start, so that removed
 * journals leave the backups; also if the place has lost a part.
 */
export const logExports = async (
  parts: ExportsParts,
): Promise<Pick<Manifest['log'], 'position' | 'segments'>> => {
  const { previous, has, signal } = parts;
  const isStored = previous.every((segment) => segment.parts.every(has));
  const shared = isStored && previous.length < BACKUP_EXPORTS_MAX ? previous : [];
  const after = shared.at(-1)?.upTo ?? null;
  const found = await exportedAfter(parts, after);
  signal.throwIfAborted();
  return { position: found?.upTo ?? after, segments: found ? [...shared, found] : shared.slice() };
};

/** `null`: there is no later event. */
const exportedAfter = async (
  { log, identity, sealing, signal, onEvents }: ExportsParts,
  after: Position | null,
): Promise<Segment | null> => {
  const header: Header = {
    atriumEvents: 1,
    log: identity,
    backend: log.backend,
    exportedAt: systemClock.now(),
    after,
    categories: null,
  };
  const checksum = new Checksum();
  const file = new PassThrough();
  const write = async () => {
    try {
      const options = { header, begun: false, checksum, signal, onProgress: onEvents };
      await exported(log, options, streamOutput(file));
      file.end();
    } catch (error) {
      file.destroy(error as Error);
      throw error;
    }
  };
  const [stored] = await Promise.all([sealedStream(sealing, file), write()]);
  const { events, position } = checksum;
  return position === null ? null : { ...stored, after, upTo: position, events };
};
