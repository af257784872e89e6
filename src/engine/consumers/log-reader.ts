import {
  READER_BUFFER_BYTES_MAX,
  READER_BUFFER_EVENTS_MAX,
  READER_BUSY_MS,
  READER_FULLER_PAGE_MS,
  READER_KEPT_EVENTS,
} from '../limits.ts';
import { pause } from '../concurrency/backoff.ts';
import {
  READ_PAGE_EVENTS,
  type Batch,
  type EventStore,
  type Position,
  type StoredEvent,
  type SubscribeOptions,
} from '../log/event-store.ts';
import { LogTail, type TailCursor } from './log-tail.ts';

/**
 * The only reader of the log for all consumers of a platform. design.md decision 17.
 *
 * At the head each page is read once and passed to every consumer with its position, so that each
 * learns the log's progress without an event of its own. A consumer that is behind reads on its own
 * until it can join; one that is too slow falls back to its own reads, and delays no other.
 */
export interface LogReader {
  /** As {@link EventStore.subscribe}. */
  subscribe(after: Position | null, options: SubscribeOptions): AsyncIterable<Batch>;
  /** The last known head of the log; `null` while the reader is stopped or behind. */
  livePosition(): Position | null;
  /**
   * The buffered events of `stream` from the revision `from` on, whole appends only. `null` if they
   * are not buffered. The log is not queried.
   */
  recent(stream: string, from: number): readonly StoredEvent[] | null;
}

export interface LogReaderParts {
  readonly log: EventStore;
  /** Default {@link READER_BUFFER_EVENTS_MAX}. */
  readonly bufferEventsMax?: number;
  /** Default {@link READER_BUFFER_BYTES_MAX}. */
  readonly bufferBytesMax?: number;
  /** Default {@link READER_KEPT_EVENTS}. */
  readonly keptEvents?: number;
}

interface Reading {
  readonly tail: Promise<LogTail>;
  /** The resolved tail. */
  begun: LogTail | null;
  readonly stop: AbortController;
  subscribers: number;
}

export const logReader = (parts: LogReaderParts): LogReader => {
  const { log } = parts;
  const { bufferEventsMax = READER_BUFFER_EVENTS_MAX, keptEvents = READER_KEPT_EVENTS } = parts;
  const { bufferBytesMax = READER_BUFFER_BYTES_MAX } = parts;
  const tailOptions = { compare: log.compare, bufferEventsMax, bufferBytesMax, keptEvents };
  let reading: Reading | null = null;

  /** Reads the log from its head while there are subscribers. */
  const begin = (): Reading => {
    const stop = new AbortController();
    const { signal } = stop;
    const begun = log.head().then(({ position }) => new LogTail(position, tailOptions));
    const current: Reading = { tail: begun, begun: null, stop, subscribers: 0 };
    const end = () => {
      // The next subscriber starts a new one.
      if (reading === current) reading = null;
    };
    begun.then((tail) => {
      current.begun = tail;
      return follow(tail, signal).finally(end);
    }, end);
    return current;
  };

  const follow = async (tail: LogTail, signal: AbortSignal): Promise<void> => {
    let lastAt = -Infinity;
    try {
      for await (const batch of log.subscribe(tail.position, { signal })) {
        tail.add(batch);
        const now = performance.now();
        // On a busy log a delayed page has more events, which costs each consumer less.
        const busy = now - lastAt < READER_BUSY_MS && batch.events.length < READ_PAGE_EVENTS;
        lastAt = now;
        if (busy) await pause(READER_FULLER_PAGE_MS, signal);
      }
      tail.end(null);
    } catch (cause) {
      tail.end({ cause });
    }
  };

  /** Reads the log directly from `after` until the tail holds the next events; yields them. */
  async function* alone(
    after: Position | null,
    tail: LogTail,
    options: SubscribeOptions,
  ): AsyncGenerator<Batch, Position | null, undefined> {
    let at = after;
    for await (const batch of log.subscribe(at, options)) {
      at = batch.upTo;
      yield batch;
      if (tail.ended || tail.reachesBackTo(at)) break;
    }
    return at;
  }

  async function* together(
    cursor: TailCursor,
    options: SubscribeOptions,
  ): AsyncGenerator<Batch, Position | null, undefined> {
    const { signal, categories, batchEventsMax = READ_PAGE_EVENTS } = options;
    const filter = categories && new Set(categories);
    while (!signal.aborted) {
      const batch = cursor.take(filter, batchEventsMax);
      if (batch === 'fallen out') break;
      if (batch) yield batch;
      else if (cursor.ended) break;
      else await cursor.more(signal);
    }
    return cursor.position;
  }

  return {
    livePosition() {
      const tail = reading?.begun;
      return tail?.live ? tail.position : null;
    },

    recent: (stream, from) => reading?.begun?.recent(stream, from) ?? null,

    async *subscribe(after, options) {
      const { signal } = options;
      let at = after;
      while (!signal.aborted) {
        reading ??= begin();
        const current = reading;
        current.subscribers += 1;
        try {
          const tail = await current.tail;
          if (!tail.reachesBackTo(at)) at = yield* alone(at, tail, options);
          const cursor = signal.aborted ? null : tail.cursorAt(at);
          if (cursor)
            try {
              at = yield* together(cursor, options);
            } finally {
              cursor.close();
            }
          if (tail.failure) throw tail.failure.cause;
          if (tail.ended) return;
        } finally {
          current.subscribers -= 1;
          if (current.subscribers === 0) {
            current.stop.abort();
            if (reading === current) reading = null;
          }
        }
      }
    },
  };
};
