import type { Codec, Recorded } from './codec.ts';
import { READ_PAGE_EVENTS, type EventStore, type StoredEvent } from './event-store.ts';

/**
 * The events of a stream from a revision on, oldest first, page by page to its end. The last page
 * may be empty; a stream that does not exist gives one empty page.
 *
 * @throws `LogUnavailable`.
 */
export async function* pagesOf(
  log: Pick<EventStore, 'readStream'>,
  stream: string,
  from = 0,
): AsyncGenerator<readonly StoredEvent[], void, undefined> {
  for (let next = from; ;) {
    const page = await log.readStream(stream, { from: next });
    yield page;
    if (page.length < READ_PAGE_EVENTS) return;
    next = page.at(-1)!.revision + 1;
  }
}

/** Every fact of a stream, oldest first. Empty for a stream that does not exist. */
export const historyOf = async <Event extends { readonly type: string }>(
  log: EventStore,
  codec: Codec<Event>,
  stream: string,
): Promise<readonly Recorded<Event>[]> => {
  const facts: Recorded<Event>[] = [];
  for await (const page of pagesOf(log, stream)) {
    for (const stored of page) facts.push(codec.decode(stored));
  }
  return facts;
};
