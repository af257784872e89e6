/** What an import has to bring about, stream by stream, and what of it is there already. */
import type { EventStore, StoredEvent } from '../../store/event-store.ts';
import { contentsOf, type Contents, type Reading } from './contents.ts';
import type { Header } from './file.ts';
import { OperatorError } from '../operator-error.ts';
import { BrokenFile } from './broken-file.ts';
import { Tally } from './tally.ts';
import { walked } from './walk.ts';

/** A stream of the file. Revisions are the file's own. */
export interface PlannedStream {
  readonly first: number;
  /** One past its last revision in the file. */
  next: number;
  /** Over its events in the file. */
  readonly wanted: Tally;
  /** What the log's revisions of it are less by. */
  shift: number;
  /** Over those of its events that the log holds. */
  found: Tally;
  /** One past the last revision that the log holds from before the file. */
  below: number;
}

export interface Plan {
  readonly path: string;
  readonly header: Header;
  readonly contents: Contents;
  /** In the order in which the file begins them. */
  readonly streams: ReadonlyMap<string, PlannedStream>;
  readonly longestLineBytes: number;
}

/**
 * Reads the file once, whole, before anything is done with it. Holds about 0.4 kB for each stream.
 *
 * @throws {@link BrokenFile} for a file that is not what an export wrote, or ends too early,
 *   unless `incomplete`: then for one without a header alone.
 */
export const planOf = async (
  path: string,
  incomplete: boolean,
  onProgress?: Reading['onProgress'],
): Promise<Plan> => {
  const whole = (eventsMax: number) => planned(path, eventsMax, onProgress);
  if (!incomplete) {
    const plan = await whole(Infinity);
    const { complete, fault, seal } = plan.contents;
    if (!complete)
      throw new BrokenFile(
        `${path} ends ${fault}: it was cut off, or its export is not finished ` +
          `(--allow-incomplete imports the ${seal.events} events that are whole)`,
        seal.events,
      );
    return plan;
  }
  try {
    return await whole(Infinity);
  } catch (error) {
    if (!(error instanceof BrokenFile)) throw error;
    return whole(error.whole);
  }
};

const planned = async (
  path: string,
  eventsMax: number,
  onProgress: Reading['onProgress'],
): Promise<Plan> => {
  const streams = new Map<string, PlannedStream>();
  let longestLineBytes = 0;
  let events = 0;

  const onEvent = (event: StoredEvent, lineBytes: number) => {
    const { stream, revision } = event;
    let its = streams.get(stream);
    if (!its) {
      its = {
        first: revision,
        next: revision,
        wanted: new Tally(),
        shift: 0,
        found: new Tally(),
        below: 0,
      };
      streams.set(stream, its);
    }
    if (revision !== its.next)
      throw new BrokenFile(
        `${path}: ${stream} goes from revision ${its.next - 1} to ${revision}; ` +
          `the file is whole up to event ${events}`,
        events,
      );
    its.next += 1;
    its.wanted.add(event, revision);
    longestLineBytes = Math.max(longestLineBytes, lineBytes);
    events += 1;
  };
  const contents = await contentsOf(path, {
    eventsMax,
    onEvent,
    ...(onProgress ? { onProgress } : {}),
  });
  const { header } = contents;
  if (header === null) throw new OperatorError(`${path} is no file of events: it is empty`);
  return { path, header, contents, streams, longestLineBytes };
};

/** What the log holds besides. */
export interface Found {
  /** Events that are not in the file. */
  readonly beside: number;
}

/**
 * Reads the log once and notes, for each stream of the plan, what of it is there.
 *
 * @throws As the log does.
 */
export const lookUp = async (
  log: EventStore,
  { streams }: Plan,
  signal: AbortSignal,
  onProgress?: (events: number, share: number | null) => void,
): Promise<Found> => {
  for (const its of streams.values()) {
    its.found = new Tally();
    its.below = 0;
  }
  let beside = 0;
  let seen = 0;
  const walk = {
    after: null,
    categories: null,
    // What was imported and then forgotten is not to be brought back.
    removedToo: true,
    signal,
    onShare: (share: number | null) => onProgress?.(seen, share),
  };
  for await (const events of walked(log, walk)) {
    seen += events.length;
    for (const event of events) {
      const its = streams.get(event.stream);
      const revision = event.revision + (its?.shift ?? 0);
      if (!its || revision >= its.next) beside += 1;
      else if (revision < its.first) its.below = Math.max(its.below, revision + 1);
      else its.found.add(event, revision);
    }
  }
  signal.throwIfAborted();
  return { beside };
};

/** Revision of the file from which on its events are not in the log. */
export const storedUpTo = ({ first, found }: PlannedStream): number => first + found.count;
