import { READ_PAGE_EVENTS, type EventStore, type StoredEvent } from '../log/event-store.ts';
import { pagesOf } from '../log/history.ts';
import type { ParkedEvent } from './partition-executor.ts';
import type { AnyProcess } from './process.ts';

/**
 * The events of a partition from one on (inclusive) to the log's head: read from the stream, where
 * each stream is a partition, else filtered out of the log.
 *
 * @throws `LogUnavailable`.
 */
export const partitionEvents =
  (log: EventStore, { partitionOf: laneOf, categories }: AnyProcess) =>
  (partition: string, from: ParkedEvent): AsyncIterable<StoredEvent> =>
    laneOf
      ? picked(log, { categories, isIn: (stream) => laneOf(stream) === partition }, from)
      : own(log, from);

async function* own(log: EventStore, from: ParkedEvent): AsyncGenerator<StoredEvent> {
  for await (const page of pagesOf(log, from.stream, from.revision)) yield* page;
}

async function* picked(
  log: EventStore,
  {
    categories,
    isIn,
  }: { readonly categories: readonly string[]; readonly isIn: (stream: string) => boolean },
  from: ParkedEvent,
): AsyncGenerator<StoredEvent> {
  // A page of the log begins after a position; the first event is read from its stream.
  yield* await log.readStream(from.stream, { from: from.revision, limit: 1 });
  for (let after = from.position; ;) {
    const page = await log.readAll(after, { categories, limit: READ_PAGE_EVENTS });
    for (const event of page.events) if (isIn(event.stream)) yield event;
    if (page.end || page.next === null) return;
    after = page.next;
  }
}
