import type { Codec, Recorded } from './codec.ts';
import { READ_PAGE_EVENTS, type EventStore } from './event-store.ts';

/** Every fact of a stream, oldest first, page by page. Empty for a stream that never was. */
export const historyOf = async <Event extends { readonly type: string }>(
  log: EventStore,
  codec: Codec<Event>,
  stream: string,
): Promise<readonly Recorded<Event>[]> => {
  const facts: Recorded<Event>[] = [];
  for (;;) {
    const from = (facts.at(-1)?.revision ?? -1) + 1;
    const page = await log.readStream(stream, { from });
    for (const stored of page) facts.push(codec.decode(stored));
    if (page.length < READ_PAGE_EVENTS) return facts;
  }
};
