/** What an import has to append, stream by stream, and what the log holds of it already. */
import type { EventStore, StoredEvent } from '../../engine/log/event-store.ts';
import { contentsOf, type Contents, type Reading } from './contents.ts';
import type { Header } from './file.ts';
import { OperatorError } from '../operator-error.ts';
import { BrokenFile } from './broken-file.ts';
import { EventDigest } from './event-digest.ts';
import { OrderDigest } from './order-digest.ts';
import { walked } from './walk.ts';

/** A stream of the file. Revisions are the file's own. */
export interface PlannedStream {
  readonly first: number;
  /** One past its last revision in the file. */
  next: number;
  /** Over its events in the file. */
  readonly expected: EventDigest;
  /** By how much its revisions in the log are lower than in the file. */
  shift: number;
  /** Over those of its events that the log holds. */
  found: EventDigest;
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
  /** The order of all events of the file. */
  readonly expectedOrder: OrderDigest;
  /** The order in which the log holds those of them that it holds. */
  foundOrder: OrderDigest;
}

/**
 * Reads the whole file once before anything is changed. Holds about 0.4 kB for each stream.
 *
 * @throws {@link BrokenFile} for a file that is not what an export wrote, or ends too early,
 *   unless `incomplete`: then for one without a header alone.
 */
export const planOf = async (
  path: string,
  incomplete: boolean,
  onProgress?: Reading['onProgress'],
): Promise<Plan> => {
  const whole = (eventsMax: number) => readPlan(path, eventsMax, onProgress);
  if (!incomplete) {
    const plan = await whole(Infinity);
    const { complete, fault, checksum } = plan.contents;
    if (!complete)
      throw new BrokenFile(
        `${path} ends ${fault}: it was cut off, or planned export is not finished ` +
          `(--allow-incomplete imports the ${checksum.events} events that are whole)`,
        checksum.events,
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

const readPlan = async (
  path: string,
  eventsMax: number,
  onProgress: Reading['onProgress'],
): Promise<Plan> => {
  const streams = new Map<string, PlannedStream>();
  const expectedOrder = new OrderDigest();
  let longestLineBytes = 0;
  let events = 0;

  const onEvent = (event: StoredEvent, lineBytes: number) => {
    const { stream, revision } = event;
    let planned = streams.get(stream);
    if (!planned) {
      planned = {
        first: revision,
        next: revision,
        expected: new EventDigest(),
        shift: 0,
        found: new EventDigest(),
        below: 0,
      };
      streams.set(stream, planned);
    }
    if (revision !== planned.next)
      throw new BrokenFile(
        `${path}: ${stream} goes from revision ${planned.next - 1} to ${revision}; ` +
          `the file is whole up to event ${events}`,
        events,
      );
    planned.next += 1;
    planned.expected.add(event, revision);
    expectedOrder.add(stream, revision);
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
  const foundOrder = new OrderDigest();
  return { path, header, contents, streams, longestLineBytes, expectedOrder, foundOrder };
};

/** What the log holds besides the file's events. */
export interface Found {
  readonly notInFile: number;
}

/**
 * Reads the log once and notes, for each stream of the plan, what of it is there.
 *
 * @throws As the log does.
 */
export const lookUp = async (
  log: EventStore,
  plan: Plan,
  signal: AbortSignal,
  onProgress?: (events: number, share: number | null) => void,
): Promise<Found> => {
  const { streams } = plan;
  const foundOrder = new OrderDigest();
  plan.foundOrder = foundOrder;
  for (const planned of streams.values()) {
    planned.found = new EventDigest();
    planned.below = 0;
  }
  let notInFile = 0;
  let seen = 0;
  const walk = {
    after: null,
    categories: null,
    // What was imported and then removed is not imported again.
    removedToo: true,
    signal,
    onShare: (share: number | null) => onProgress?.(seen, share),
  };
  for await (const events of walked(log, walk)) {
    seen += events.length;
    for (const event of events) {
      const planned = streams.get(event.stream);
      const revision = event.revision + (planned?.shift ?? 0);
      if (!planned || revision >= planned.next) notInFile += 1;
      else if (revision < planned.first) planned.below = Math.max(planned.below, revision + 1);
      else {
        planned.found.add(event, revision);
        foundOrder.add(event.stream, revision);
      }
    }
  }
  signal.throwIfAborted();
  return { notInFile };
};

/** Revision of the file from which on its events are not in the log. */
export const storedUpTo = ({ first, found }: PlannedStream): number => first + found.count;
