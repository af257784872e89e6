/** The events that an import must append, by stream, and those already in the log. */
import type { EventStore, StoredEvent } from '../../engine/log/event-store.ts';
import { contentsOf, type Contents, type Reading } from './contents.ts';
import type { Header } from './file.ts';
import { OperatorError } from '../operator-error.ts';
import { BrokenFile } from './broken-file.ts';
import { EventDigest } from './event-digest.ts';
import { OrderDigest } from './order-digest.ts';
import { walked } from './walk.ts';

/** A stream of the file, with the file's revisions. */
export interface PlannedStream {
  readonly first: number;
  /** One past its last revision in the file. */
  next: number;
  /** Digest of its events in the file. */
  readonly expected: EventDigest;
  /** Its revision in the file minus that in the log. */
  shift: number;
  /** Digest of its events in the log. */
  found: EventDigest;
  /** One past the last revision in the log that precedes the file's events. */
  below: number;
}

export interface Plan {
  readonly path: string;
  readonly header: Header;
  readonly contents: Contents;
  /** In the order of their first events in the file. */
  readonly streams: ReadonlyMap<string, PlannedStream>;
  readonly longestLineBytes: number;
  /** The order of all events of the file. */
  readonly expectedOrder: OrderDigest;
  /** The order of the file's events in the log, as far as they are there. */
  foundOrder: OrderDigest;
}

/**
 * Reads the whole file once before anything is changed. Holds about 0.4 kB per stream.
 *
 * @throws {@link BrokenFile} for a damaged or truncated file; with `incomplete`, only for one
 *   without a header.
 */
export const planOf = async (
  path: string,
  incomplete: boolean,
  { name = path, ...reading }: Pick<Reading, 'name' | 'onProgress'> = {},
): Promise<Plan> => {
  const whole = (eventsMax: number) => readPlan(path, { ...reading, name, eventsMax });
  if (!incomplete) {
    const plan = await whole(Infinity);
    const { complete, fault, checksum } = plan.contents;
    if (!complete)
      throw new BrokenFile(
        `${name} ends ${fault}: it was cut off, or its export is not finished ` +
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
  reading: Reading & { readonly name: string },
): Promise<Plan> => {
  const { name } = reading;
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
        `${name}: ${stream} goes from revision ${planned.next - 1} to ${revision}; ` +
          `the file is whole up to event ${events}`,
        events,
      );
    planned.next += 1;
    planned.expected.add(event, revision);
    expectedOrder.add(stream, revision);
    longestLineBytes = Math.max(longestLineBytes, lineBytes);
    events += 1;
  };
  const contents = await contentsOf(path, { ...reading, onEvent });
  const { header } = contents;
  if (header === null) throw new OperatorError(`${name} is no file of events: it is empty`);
  const foundOrder = new OrderDigest();
  return { path, header, contents, streams, longestLineBytes, expectedOrder, foundOrder };
};

/** Events in the log besides those of the file. */
export interface Found {
  readonly notInFile: number;
}

/**
 * Reads the log once and records in the plan, for each stream, the events already there.
 *
 * @throws Errors of the log.
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
    // Events that were imported and then removed are not imported again.
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

/** The first revision of the file that is not in the log. */
export const storedUpTo = ({ first, found }: PlannedStream): number => first + found.count;
