import { estimatedRowSize } from '../concurrency/estimated-size.ts';
import { LOG_PAGE_BYTES_MAX } from '../limits.ts';
import type { Batch, Position, StoredEvent } from '../log/event-store.ts';
import { categoryOf } from '../log/streams.ts';

interface Page {
  readonly events: readonly StoredEvent[];
  readonly upTo: Position;
  /** Estimated bytes of the events. */
  readonly bytes: number;
}

export interface LogTailOptions {
  readonly compare: (a: Position | null, b: Position | null) => number;
  /** Events buffered for lagging subscribers; one that lags further falls out. */
  readonly bufferEventsMax: number;
  /** Estimated bytes of the buffered events. */
  readonly bufferBytesMax: number;
  /** Delivered events kept for consumers that join. */
  readonly keptEvents: number;
}

/** The cursor of one subscriber. */
export interface TailCursor {
  readonly position: Position | null;
  readonly ended: boolean;
  /**
   * New events of the categories; without events if only the position has moved. `null`: nothing
   * new.
   */
  take(categories: ReadonlySet<string> | undefined, eventsMax: number): Batch | 'fallen out' | null;
  /** Resolves when there is a batch, the tail has ended, or `signal` aborts. */
  more(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** The last pages of the log for all subscribers, from its head when the reading began. */
export class LogTail {
  readonly #options: LogTailOptions;
  readonly #cursors = new Set<Cursor>();
  #pages: Page[] = [];
  /** The events of the pages that are kept, by stream. */
  readonly #byStream = new Map<string, StoredEvent[]>();
  /** Dropped pages: page `n` has the index `n - #dropped`. */
  #dropped = 0;
  #weight = 0;
  #bytes = 0;
  /** Just before the first page that is kept. */
  #start: Position | null;
  #position: Position | null;
  /** Stream of the last event that was read; `null` before the first. */
  #lastStream: string | null = null;
  /** Initially true: the tail begins at the head. */
  #live = true;
  #ended = false;
  #failure: { readonly cause: unknown } | null = null;

  constructor(start: Position | null, options: LogTailOptions) {
    this.#start = start;
    this.#position = start;
    this.#options = options;
  }

  /** Everything up to here was read. */
  get position(): Position | null {
    return this.#position;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get failure(): { readonly cause: unknown } | null {
    return this.#failure;
  }

  get live(): boolean {
    return this.#live;
  }

  /** The end of the tail, as a count of pages. */
  get endIndex(): number {
    return this.#dropped + this.#pages.length;
  }

  add({ events, upTo, caughtUp }: Batch): void {
    this.#live = caughtUp;
    this.#position = upTo;
    const bytes = events.reduce((sum, event) => sum + estimatedRowSize(event), 0);
    this.#pages.push({ events, upTo, bytes });
    this.#weight += weightOf(events);
    this.#bytes += bytes;
    for (const event of events) {
      const buffered = this.#byStream.get(event.stream);
      if (buffered) buffered.push(event);
      else this.#byStream.set(event.stream, [event]);
    }
    this.#lastStream = events.at(-1)?.stream ?? this.#lastStream;
    this.#trim();
    for (const cursor of this.#cursors) cursor.wake();
  }

  end(failure: { readonly cause: unknown } | null): void {
    this.#failure = failure;
    this.#ended = true;
    for (const cursor of this.#cursors) cursor.wake();
  }

  reachesBackTo(at: Position | null): boolean {
    return this.#options.compare(at, this.#start) >= 0;
  }

  /**
   * The events of `stream` from the revision `from` on, whole appends only: a page may end within
   * an append, whose events are adjacent in the log, so that only a later event shows that it is
   * complete. `null` if they are not buffered.
   */
  recent(stream: string, from: number): readonly StoredEvent[] | null {
    if (this.#lastStream === stream) return null;
    const buffered = this.#byStream.get(stream) ?? [];
    const first = buffered.findIndex(({ revision }) => revision === from);
    return first < 0 ? null : buffered.slice(first);
  }

  /** `null` if the events after `at` are not buffered, or no longer. */
  cursorAt(at: Position | null): TailCursor | null {
    if (!this.reachesBackTo(at)) return null;
    const cursor = new Cursor(this, at, this.#firstAfter(at));
    this.#cursors.add(cursor);
    return cursor;
  }

  leave(cursor: Cursor): void {
    this.#cursors.delete(cursor);
  }

  /** `null`: it was dropped. */
  page(index: number): Page | null {
    return this.#pages[index - this.#dropped] ?? null;
  }

  isAfter(position: Position, at: Position | null): boolean {
    return this.#options.compare(position, at) > 0;
  }

  /** The first page with anything after `at`. */
  #firstAfter(at: Position | null): number {
    const found = this.#pages.findIndex(({ upTo }) => this.#options.compare(upTo, at) > 0);
    return found < 0 ? this.endIndex : this.#dropped + found;
  }

  #trim(): void {
    const { bufferEventsMax, bufferBytesMax, keptEvents } = this.#options;
    let slowest = this.endIndex;
    for (const { next } of this.#cursors) slowest = Math.min(slowest, next);
    for (;;) {
      const first = this.#pages[0];
      if (!first || this.#pages.length === 1) return;
      const weight = weightOf(first.events);
      const isSpare = slowest > this.#dropped && this.#weight - weight >= keptEvents;
      const isFull = this.#weight > bufferEventsMax || this.#bytes > bufferBytesMax;
      if (!isSpare && !isFull) return;
      this.#pages.shift();
      for (const { stream } of first.events) {
        const buffered = this.#byStream.get(stream)!;
        buffered.shift();
        if (buffered.length === 0) this.#byStream.delete(stream);
      }
      this.#dropped += 1;
      this.#weight -= weight;
      this.#bytes -= first.bytes;
      this.#start = first.upTo;
    }
  }
}

/** A page without events is kept too. */
const weightOf = (events: readonly unknown[]): number => Math.max(1, events.length);

class Cursor implements TailCursor {
  readonly #tail: LogTail;
  /** Everything up to here was delivered, or read by the subscriber itself. */
  #position: Position | null;
  #next: number;
  /** Events of the page before `next` that did not fit into the last batch. */
  #left: StoredEvent[] = [];
  #leftUpTo: Position | null = null;
  /** Subscribed from here; `undefined` once the tail has passed it. */
  #from: Position | null | undefined;
  /** No batch was delivered yet, not even an empty one. */
  #silent = true;
  #go: (() => void) | null = null;

  constructor(tail: LogTail, position: Position | null, next: number) {
    this.#tail = tail;
    this.#position = position;
    this.#from = position;
    this.#next = next;
  }

  get next(): number {
    return this.#next;
  }

  get position(): Position | null {
    return this.#position;
  }

  get ended(): boolean {
    return this.#tail.ended;
  }

  take(
    categories: ReadonlySet<string> | undefined,
    eventsMax: number,
  ): Batch | 'fallen out' | null {
    const events = this.#left.splice(0, eventsMax);
    if (this.#left.length > 0) return this.#cut(events);
    if (events.length > 0) this.#position = this.#leftUpTo;
    let isNews = this.#silent || events.length > 0;
    let bytes = 0;
    while (this.#next < this.#tail.endIndex) {
      const page = this.#tail.page(this.#next);
      if (!page) return events.length > 0 ? this.#batch(events) : 'fallen out';
      const isNew = this.#from === undefined || this.#tail.isAfter(page.upTo, this.#from);
      const matching = isNew ? this.#of(page, categories) : [];
      const room = eventsMax - events.length;
      bytes += matching.length > 0 ? page.bytes : 0;
      const fits = matching.length <= room && bytes <= LOG_PAGE_BYTES_MAX;
      if (!fits && events.length > 0) break;
      this.#next += 1;
      if (!isNew) continue;
      this.#from = undefined;
      isNews = true;
      if (matching.length > room) {
        this.#left = matching.slice(room);
        this.#leftUpTo = page.upTo;
        return this.#cut(matching.slice(0, room));
      }
      events.push(...matching);
      this.#position = page.upTo;
    }
    return isNews && this.#position !== null ? this.#batch(events) : null;
  }

  async more(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#tail.ended || this.#next < this.#tail.endIndex) return;
    await new Promise<void>((resolve) => {
      const go = () => {
        signal.removeEventListener('abort', go);
        this.#go = null;
        resolve();
      };
      signal.addEventListener('abort', go, { once: true });
      this.#go = go;
    });
  }

  wake(): void {
    this.#go?.();
  }

  close(): void {
    this.#tail.leave(this);
  }

  #of({ events }: Page, categories: ReadonlySet<string> | undefined): readonly StoredEvent[] {
    const from = this.#from;
    const after =
      from === undefined
        ? events
        : events.filter(({ position }) => this.#tail.isAfter(position, from));
    return categories ? after.filter(({ stream }) => categories.has(categoryOf(stream))) : after;
  }

  /** A part of a page: up to its last event and no further. */
  #cut(events: readonly StoredEvent[]): Batch {
    this.#position = events.at(-1)!.position;
    return this.#batch(events);
  }

  #batch(events: readonly StoredEvent[]): Batch {
    this.#silent = false;
    const isLast = this.#next === this.#tail.endIndex && this.#left.length === 0;
    return { events, upTo: this.#position!, caughtUp: isLast && this.#tail.live };
  }
}
