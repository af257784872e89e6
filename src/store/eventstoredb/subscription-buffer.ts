import type { Batch, Position, StoredEvent } from '../event-store.ts';
import { comparePositions } from './positions.ts';

/** What a subscription brings, in its order: an event, or word of how far it has searched. */
export type Item = { readonly event: StoredEvent } | Mark;

export interface Mark {
  /** Everything up to here has been seen; `null`: no word about it. */
  readonly upTo: Position | null;
  /** Whether the end has been reached; absent: no word about it. */
  readonly live?: boolean;
}

/**
 * Between a subscription, which comes when it likes, and its consumer, who takes when he likes.
 * Marks stand in line with the events, so that no checkpoint is ahead of the work it is behind.
 */
export class Inbox {
  readonly #capacity: number;
  readonly #batchEventsMax: number;
  #items: Item[] = [];
  #taken = 0;
  /** Told to the consumer. */
  #upTo: Position | null;
  #live = false;
  #toldLive = false;
  /** Put in by the subscription. */
  #position: Position | null;
  #failure: { readonly cause: unknown } | null = null;
  #arrived: (() => void) | null = null;
  #drained: (() => void) | null = null;

  constructor(after: Position | null, batchEventsMax: number) {
    this.#upTo = after;
    this.#position = after;
    this.#batchEventsMax = batchEventsMax;
    this.#capacity = 2 * batchEventsMax;
  }

  /** Where a new subscription goes on: behind everything that has been put in. */
  get position(): Position | null {
    return this.#position;
  }

  get empty(): boolean {
    return this.#taken === this.#items.length;
  }

  get full(): boolean {
    return this.#items.length - this.#taken >= this.#capacity;
  }

  put(item: Item) {
    this.#items.push(item);
    if ('event' in item) this.#position = item.event.position;
    else if (comparePositions(item.upTo, this.#position) > 0) this.#position = item.upTo;
    this.#arrived?.();
  }

  /** The consumer is told once it has taken what came before. */
  fail(cause: unknown) {
    this.#failure = { cause };
    this.#arrived?.();
  }

  /** Called once, when there is room again. */
  whenDrained(go: () => void) {
    this.#drained = go;
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
    const before = this.#upTo;
    for (; this.#taken < this.#items.length; this.#taken += 1) {
      const item = this.#items[this.#taken]!;
      if ('event' in item) {
        if (events.length === this.#batchEventsMax) break;
        events.push(item.event);
        this.#upTo = item.event.position;
      } else {
        if (comparePositions(item.upTo, this.#upTo) > 0) this.#upTo = item.upTo;
        this.#live = item.live ?? this.#live;
      }
    }
    if (this.empty) {
      this.#items = [];
      this.#taken = 0;
    }
    if (!this.full) {
      const go = this.#drained;
      this.#drained = null;
      go?.();
    }
    const caughtUp = this.#live && this.empty;
    const tells = events.length > 0 || this.#upTo !== before || (caughtUp && !this.#toldLive);
    if (!tells || this.#upTo === null) return null;
    this.#toldLive = caughtUp;
    return { events, upTo: this.#upTo, caughtUp };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        signal.removeEventListener('abort', go);
        this.#arrived = null;
        resolve();
      };
      signal.addEventListener('abort', go, { once: true });
      this.#arrived = go;
    });
  }
}
