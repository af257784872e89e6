import { READ_PAGE_EVENTS, type EventStore, type StoredEvent } from '../log/event-store.ts';
import { pagesOf } from '../log/history.ts';
import type { AsideEvent } from './partition-executor.ts';
import type { AnyProcess } from './process.ts';

/**
 * The events of a lane from one on, that one included, as far as the log goes: of the stream, where
 * each stream is a lane of its own; else picked out of the log.
 *
 * @throws `LogUnavailable`.
 */
export const partitionEvents =
  (log: EventStore, { laneOf, categories }: AnyProcess) =>
  (lane: string, from: AsideEvent): AsyncIterable<StoredEvent> =>
    laneOf
      ? picked(log, { categories, isIn: (stream) => laneOf(stream) === lane }, from)
      : own(log, from);

async function* own(log: EventStore, from: AsideEvent): AsyncGenerator<StoredEvent> {
  for await (const page of pagesOf(log, from.stream, from.revision)) yield* page;
}

async function* picked(
  log: EventStore,
  {
    categories,
    isIn,
  }: { readonly categories: readonly string[]; readonly isIn: (stream: string) => boolean },
  from: AsideEvent,
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
