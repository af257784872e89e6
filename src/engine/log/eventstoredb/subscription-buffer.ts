import { estimatedRowSize } from '../../concurrency/estimated-size.ts';
import { LOG_PAGE_BYTES_MAX } from '../../limits.ts';
import type { Batch, Position, StoredEvent } from '../event-store.ts';
import { PageBytes } from '../page-bytes.ts';
import { comparePositions } from './positions.ts';

/** A delivery of a subscription, in its order: an event, or how far it has searched. */
export type Item = { readonly event: StoredEvent } | Mark;

export interface Mark {
  /** The log was searched up to here; `null`: unknown. */
  readonly upTo: Position | null;
  /** Whether the end has been reached; absent: unknown. */
  readonly live?: boolean;
}

/**
 * Between a subscription, which delivers at its own pace, and its consumer. Marks are buffered in
 * order with the events, so that no checkpoint is delivered before the events that precede it.
 */
export class SubscriptionBuffer {
  readonly #capacity: number;
  readonly #batchEventsMax: number;
  /** Not delivered to the consumer yet. */
  readonly #items: (Item & { readonly bytes: number })[] = [];
  /** The size of the events in `#items`. */
  #bytes = 0;
  /** The position last delivered to the consumer. */
  #upTo: Position | null;
  #live = false;
  #consumerCaughtUp = false;
  /** The position of the last item that the subscription has put in. */
  #position: Position | null;
  #failure: { readonly cause: unknown } | null = null;
  #arrived: (() => void) | null = null;
  #waking = false;
  #drained: (() => void) | null = null;

  constructor(after: Position | null, batchEventsMax: number) {
    this.#upTo = after;
    this.#position = after;
    this.#batchEventsMax = batchEventsMax;
    this.#capacity = 2 * batchEventsMax;
  }

  /** Where a new subscription resumes: after everything that has been put in. */
  get position(): Position | null {
    return this.#position;
  }

  get empty(): boolean {
    return this.#items.length === 0;
  }

  get full(): boolean {
    return this.#items.length >= this.#capacity || this.#bytes >= LOG_PAGE_BYTES_MAX;
  }

  put(item: Item) {
    const bytes = 'event' in item ? estimatedRowSize(item.event) : 0;
    this.#items.push({ ...item, bytes });
    this.#bytes += bytes;
    if ('event' in item) this.#position = item.event.position;
    else if (comparePositions(item.upTo, this.#position) > 0) this.#position = item.upTo;
    this.#wake();
  }

  /** Rejects the consumer after everything that was buffered before. */
  fail(cause: unknown) {
    this.#failure = { cause };
    this.#wake();
  }

  /** Called once, when there is room again. */
  whenDrained(go: () => void) {
    this.#drained = go;
  }

  /** Resolves when it is not full, or `signal` aborts. */
  async room(signal: AbortSignal): Promise<void> {
    while (this.full && !signal.aborted) await called(signal, (go) => this.whenDrained(go));
  }

  /** The next batch as soon as there is one, `null` once `signal` has aborted. */
  async next(signal: AbortSignal): Promise<Batch | null> {
    for (;;) {
      if (signal.aborted) return null;
      const batch = this.#take();
      if (batch) return batch;
      if (this.empty && this.#failure) throw this.#failure.cause;
      if (this.empty) await this.#wait(signal);
    }
  }

  #take(): Batch | null {
    const events: StoredEvent[] = [];
    const bytes = new PageBytes();
    const before = this.#upTo;
    let taken = 0;
    for (const item of this.#items) {
      if ('event' in item) {
        if (events.length === this.#batchEventsMax || !bytes.fits(item.bytes)) break;
        events.push(item.event);
        this.#bytes -= item.bytes;
        this.#upTo = item.event.position;
      } else {
        if (comparePositions(item.upTo, this.#upTo) > 0) this.#upTo = item.upTo;
        this.#live = item.live ?? this.#live;
      }
      taken += 1;
    }
    this.#items.splice(0, taken);
    if (!this.full) {
      const go = this.#drained;
      this.#drained = null;
      go?.();
    }
    const caughtUp = this.#live && this.empty;
    const isNews =
      events.length > 0 || this.#upTo !== before || (caughtUp && !this.#consumerCaughtUp);
    if (!isNews || this.#upTo === null) return null;
    this.#consumerCaughtUp = caughtUp;
    return { events, upTo: this.#upTo, caughtUp };
  }

  /** After everything that arrived at once: a batch costs its consumer more than an event does. */
  #wake(): void {
    if (this.#waking || !this.#arrived) return;
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      this.#arrived?.();
    });
  }

  async #wait(signal: AbortSignal): Promise<void> {
    await called(signal, (go) => {
      this.#arrived = go;
    });
    this.#arrived = null;
  }
}

/** Resolves when the function that `hand` is given is called, or `signal` aborts. */
const called = (signal: AbortSignal, hand: (go: () => void) => void): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      signal.removeEventListener('abort', go);
      resolve();
    };
    signal.addEventListener('abort', go, { once: true });
    hand(go);
  });
