import { systemClock, type Clock } from '../ops/clock.ts';
import { eventStoreOn, type AppendRequest, type LogBackend } from './backend.ts';
import {
  GuardMoved,
  READ_PAGE_EVENTS,
  WrongRevision,
  type AllRange,
  type Appended,
  type Batch,
  type EventStore,
  type Expected,
  type Head,
  type Position,
  type StoredEvent,
  type StreamRange,
  type SubscribeOptions,
} from './event-store.ts';
import { compareDense, distanceDense, numberOf } from './positions.ts';
import { categoryOf } from './streams.ts';
import { subscription } from './subscription.ts';
import { Wakes } from '../ops/wakes.ts';

/**
 * The log in memory, for tests: the whole contract, and nothing is kept after the process.
 *
 * @param clock Stamps `recordedAt`. Default: the system's.
 */
export const memoryEventStore = (clock: Clock = systemClock): EventStore =>
  eventStoreOn(new MemoryBackend(clock));

class MemoryBackend implements LogBackend {
  readonly backend = 'memory';
  readonly capabilities = {
    tellsEveryRepeat: true,
    commitsInCallOrder: true,
    guardsInOneStep: true,
    showsRemovedInAll: false,
  };
  readonly compare = compareDense;
  readonly distance = distanceDense;
  readonly wakes = new Wakes();
  readonly #clock: Clock;
  readonly #byId = new Map<string, StoredEvent>();
  readonly #streams = new Map<string, StoredEvent[]>();
  #all: StoredEvent[] = [];
  #head: Head = { position: null, recordedAt: null };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async append({ stream, expected, events, guard }: AppendRequest): Promise<Appended> {
    const revision = this.#revisionOf(stream);
    const known = events.map(({ id }) => this.#byId.get(id));
    const stranger = known.find((event) => event && event.stream !== stream);
    if (stranger) throw new Error(`event ${stranger.id} is in ${stranger.stream} already`);
    const first = known[0];
    if (first && isRepeat(first, known, expected)) {
      const { revision, position } = known.at(-1)!;
      return { revision, position, repeated: true };
    }
    if (guard && this.#revisionOf(guard.stream) !== guard.revision)
      throw new GuardMoved(guard, this.#revisionOf(guard.stream));
    const fits = expected === 'any' || (expected === 'no_stream' ? null : expected) === revision;
    if (!fits || known.some(Boolean)) throw new WrongRevision(stream, expected, revision);

    const recordedAt = this.#clock.now();
    const before = numberOf(this.#head.position);
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
    this.#streams.set(stream, [...(this.#streams.get(stream) ?? []), ...stored]);
    for (const event of stored) {
      this.#all.push(event);
      this.#byId.set(event.id, event);
    }
    const last = stored.at(-1)!;
    this.#head = { position: last.position, recordedAt };
    this.wakes.wake();
    return { revision: last.revision, position: last.position, repeated: false };
  }

  async readStream(
    stream: string,
    { from, limit = READ_PAGE_EVENTS, backwards = false }: StreamRange = {},
  ): Promise<readonly StoredEvent[]> {
    const events = this.#streams.get(stream) ?? [];
    const chosen = backwards
      ? events.filter(({ revision }) => from === undefined || revision <= from).reverse()
      : events.filter(({ revision }) => revision >= (from ?? 0));
    return chosen.slice(0, limit).map(copied);
  }

  async readAll(after: Position | null, { limit, categories }: AllRange) {
    const wanted = categories && new Set(categories);
    const events: StoredEvent[] = [];
    let index = this.#indexAfter(numberOf(after));
    for (; index < this.#all.length && events.length < limit; index += 1) {
      const event = this.#all[index]!;
      if (!wanted || wanted.has(categoryOf(event.stream))) events.push(copied(event));
    }
    if (events.length === limit && index < this.#all.length)
      return { events, next: this.#all[index - 1]!.position, end: false };
    const next = compareDense(after, this.#head.position) > 0 ? after : this.#head.position;
    return { events, next, end: true };
  }

  subscribe(after: Position | null, options: SubscribeOptions): AsyncIterable<Batch> {
    return subscription(this, after, options);
  }

  async head(): Promise<Head> {
    return this.#head;
  }

  async truncateStream(stream: string, before: number): Promise<void> {
    const last = this.#revisionOf(stream) ?? 0;
    this.#forget(stream, (event) => event.revision < Math.min(before, last));
  }

  async deleteStream(stream: string): Promise<void> {
    this.#forget(stream, () => true);
  }

  async close(): Promise<void> {}

  #forget(stream: string, gone: (event: StoredEvent) => boolean) {
    const events = this.#streams.get(stream) ?? [];
    const left = events.filter((event) => !gone(event));
    if (left.length > 0) this.#streams.set(stream, left);
    else this.#streams.delete(stream);
    for (const event of events) if (gone(event)) this.#byId.delete(event.id);
    this.#all = this.#all.filter((event) => event.stream !== stream || !gone(event));
  }

  #revisionOf(stream: string): number | null {
    return this.#streams.get(stream)?.at(-1)?.revision ?? null;
  }

  /** Positions are dense but for what was forgotten, so the index is found by halving. */
  #indexAfter(position: number): number {
    let low = 0;
    let high = this.#all.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (numberOf(this.#all[middle]!.position) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** All of the events are there, in a row, and where `expected` would have put them. */
const isRepeat = (
  first: StoredEvent,
  known: readonly (StoredEvent | undefined)[],
  expected: Expected,
): boolean =>
  known.every((event, index) => event?.revision === first.revision + index) &&
  (expected === 'any' || first.revision === (expected === 'no_stream' ? 0 : expected + 1));

/** A copy, so that a reader cannot change what is stored. */
const copied = (event: StoredEvent): StoredEvent => structuredClone(event);
