import { estimatedRowSize } from '../../concurrency/estimated-size.ts';
import { systemClock, type Clock } from '../../time/clock.ts';
import { eventStoreOn, type LogBackend } from '../backend.ts';
import {
  GuardMoved,
  IdTaken,
  READ_PAGE_EVENTS,
  WrongRevision,
  type EventStore,
  type Expected,
  type Head,
  type StoredEvent,
} from '../event-store.ts';
import { PageBytes } from '../page-bytes.ts';
import { compareDense, denseLog, numberOf } from '../positions.ts';
import { categoryOf } from '../streams.ts';
import { subscription } from '../subscription.ts';
import { Signal } from '../../concurrency/signal.ts';

/**
 * The log in memory, for tests: the whole contract, but nothing survives the process.
 *
 * @param clock Stamps `recordedAt`. Default: the system's.
 */
export const memoryEventStore = (clock: Clock = systemClock): EventStore => {
  const wakes = new Signal();
  const byId = new Map<string, StoredEvent>();
  const streams = new Map<string, StoredEvent[]>();
  let allEvents: StoredEvent[] = [];
  let head: Head = { position: null, recordedAt: null };

  const revisionOf = (stream: string) => streams.get(stream)?.at(-1)?.revision ?? null;

  const remove = (stream: string, isRemoved: (event: StoredEvent) => boolean) => {
    const events = streams.get(stream) ?? [];
    const left = events.filter((event) => !isRemoved(event));
    if (left.length > 0) streams.set(stream, left);
    else streams.delete(stream);
    for (const event of events) if (isRemoved(event)) byId.delete(event.id);
    allEvents = allEvents.filter((event) => event.stream !== stream || !isRemoved(event));
  };

  /** Positions are dense except for removed events, so the index is found by binary search. */
  const indexAfter = (position: number): number => {
    let low = 0;
    let high = allEvents.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (numberOf(allEvents[middle]!.position) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const readAll: LogBackend['readAll'] = async (after, { limit, categories }) => {
    const filter = categories && new Set(categories);
    const events: StoredEvent[] = [];
    const bytes = new PageBytes();
    let index = indexAfter(numberOf(after));
    for (; index < allEvents.length && events.length < limit; index += 1) {
      const event = allEvents[index]!;
      if (filter && !filter.has(categoryOf(event.stream))) continue;
      if (!bytes.fits(estimatedRowSize(event))) break;
      events.push(copied(event));
    }
    if (index < allEvents.length && (bytes.isCut || events.length === limit))
      return { events, next: allEvents[index - 1]!.position, end: false, isCut: bytes.isCut };
    const next = compareDense(after, head.position) > 0 ? after : head.position;
    return { events, next, end: true };
  };

  return eventStoreOn({
    backend: 'memory',
    ...denseLog,
    async append({ stream, expected, events, guard }) {
      const revision = revisionOf(stream);
      const earlier = events.map(({ id }) => byId.get(id));
      if (earlier.some((event) => event && event.stream !== stream)) throw new IdTaken(stream);
      const first = earlier[0];
      if (first && isRepeat(first, earlier, expected)) {
        const { revision, position } = earlier.at(-1)!;
        return { revision, position, repeated: true };
      }
      if (guard && revisionOf(guard.stream) !== guard.revision)
        throw new GuardMoved(guard, revisionOf(guard.stream));
      const fits = expected === 'any' || (expected === 'no_stream' ? null : expected) === revision;
      if (!fits || earlier.some(Boolean)) throw new WrongRevision(stream, expected, revision);

      const recordedAt = clock.now();
      const before = numberOf(head.position);
      const stored = events.map(({ id, type, data, meta }, index) => ({
        id,
        type,
        stream,
        recordedAt,
        data: JSON.parse(data) as unknown,
        meta: JSON.parse(meta) as StoredEvent['meta'],
        revision: (revision ?? -1) + 1 + index,
        position: String(before + 1 + index),
      }));
      const ofStream = streams.get(stream) ?? [];
      streams.set(stream, ofStream);
      for (const event of stored) {
        ofStream.push(event);
        allEvents.push(event);
        byId.set(event.id, event);
      }
      const last = stored.at(-1)!;
      head = { position: last.position, recordedAt };
      wakes.wake();
      return { revision: last.revision, position: last.position, repeated: false };
    },
    async readStream(stream, { from, limit = READ_PAGE_EVENTS, backwards = false } = {}) {
      const events = streams.get(stream) ?? [];
      // Revisions are consecutive, because only the oldest events of a stream are removed.
      const first = events[0]?.revision ?? 0;
      if (!backwards) {
        const start = Math.max(0, (from ?? 0) - first);
        return events.slice(start, start + limit).map(copied);
      }
      const end = from === undefined ? events.length : Math.max(0, from + 1 - first);
      return events.slice(0, end).slice(-limit).reverse().map(copied);
    },
    readAll,
    subscribe: (after, options) => subscription({ wakes, readAll }, after, options),
    head: async () => head,
    async truncateStream(stream, before) {
      const last = revisionOf(stream) ?? 0;
      remove(stream, ({ revision }) => revision < Math.min(before, last));
    },
    deleteStream: async (stream) => remove(stream, () => true),
    close: async () => {},
  });
};

/** All of the events are stored, adjacent, at the revision that `expected` requires. */
const isRepeat = (
  first: StoredEvent,
  stored: readonly (StoredEvent | undefined)[],
  expected: Expected,
): boolean =>
  stored.every((event, index) => event?.revision === first.revision + index) &&
  (expected === 'any' || first.revision === (expected === 'no_stream' ? 0 : expected + 1));

/** A copy, so that a reader cannot change what is stored. */
const copied = (event: StoredEvent): StoredEvent => structuredClone(event);
