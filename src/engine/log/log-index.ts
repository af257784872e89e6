/**
 * Positions of the log by owner. The log has one order for all owners, so that a page of one owner
 * would cost as much as all the others have written; with an index the cost is that of its events.
 * A read model keeps the index, therefore it may lag behind the log.
 */
import { INDEXED_READS_AT_ONCE_MAX } from '../limits.ts';
import { forEachConcurrently } from '../concurrency/semaphore.ts';
import {
  UnknownPosition,
  type EventStore,
  type Position,
  type StoredEvent,
} from './event-store.ts';

export type IndexedEvent = Pick<StoredEvent, 'stream' | 'revision' | 'position'>;

export interface LogIndex<Selection> {
  /** Whether the index covers the log up to `position` within `timeoutMs`. */
  reaches(position: Position, timeoutMs: number): Promise<boolean>;
  /** Whether the position is that of an event of the selection's organisation. */
  holds(selection: Selection, position: Position): Promise<boolean>;
  /** The first `limit` events of the selection after a position, in the order of the log. */
  after(selection: Selection, after: Position | null, limit: number): Promise<IndexedPage>;
}

export interface IndexedPage {
  readonly events: readonly IndexedEvent[];
  /**
   * Where fewer than `limit` events were found, no other event of the selection precedes this
   * position, which is one of the organisation's own; `null`: it has none.
   */
  readonly upTo: Position | null;
}

export interface HeadOptions<Selection> {
  readonly selection: Selection;
  /** The cursor of the page. */
  readonly after: Position | null;
  readonly waitMs: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Whether the index covers all that was in the log at the time of the call, within `waitMs`.
 *
 * @throws {@link UnknownPosition} if `after` is certainly no position of the log; `LogUnavailable`.
 */
export const coversHead = async <Selection>(
  log: Pick<EventStore, 'head' | 'compare' | 'readAll'>,
  index: Pick<LogIndex<Selection>, 'reaches' | 'holds'>,
  { selection, after, waitMs, signal }: HeadOptions<Selection>,
): Promise<boolean> => {
  const { position } = await log.head();
  if (log.compare(after, position) > 0)
    throw new UnknownPosition(`${after} is after the end of the log`);
  if (position === null) return true;
  // A position of the organisation's own is the common case; only the log knows the others.
  if (after !== null && !(await index.holds(selection, after)))
    await log.readAll(after, { limit: 1 });
  const reached = index.reaches(position, waitMs);
  return signal === undefined ? reached : Promise.race([reached, abortOf(signal)]);
};

const abortOf = (signal: AbortSignal): Promise<false> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener('abort', () => resolve(false), { once: true });
  });

/**
 * The events themselves, in the order given; one that was removed from the log is left out. Events
 * that follow each other in one stream are read together.
 *
 * @throws `LogUnavailable`.
 */
export const eventsAt = async (
  log: Pick<EventStore, 'readStream'>,
  indexed: readonly IndexedEvent[],
): Promise<readonly StoredEvent[]> => {
  const found = new Map<string, StoredEvent>();
  const runs = runsOf(indexed);
  await forEachConcurrently(runs, INDEXED_READS_AT_ONCE_MAX, async ({ stream, from, limit }) => {
    const events = await log.readStream(stream, { from, limit });
    for (const event of events) found.set(event.position, event);
  });
  return indexed.flatMap(({ position }) => found.get(position) ?? []);
};

interface Run {
  readonly stream: string;
  readonly from: number;
  limit: number;
}

const runsOf = (indexed: readonly IndexedEvent[]): readonly Run[] => {
  const runs: Run[] = [];
  const last = new Map<string, Run>();
  for (const { stream, revision } of indexed) {
    const run = last.get(stream);
    if (run && run.from + run.limit === revision) run.limit += 1;
    else {
      const next = { stream, from: revision, limit: 1 };
      runs.push(next);
      last.set(stream, next);
    }
  }
  return runs;
};
