import type { Position } from '../log/event-store.ts';

/** An event in progress. */
export interface Entry {
  readonly position: Position;
  /** Estimated; 0 if it was not counted. */
  readonly bytes: number;
  finished: boolean;
}

/** A watermark over work that finishes out of order: just before the oldest unfinished event. */
export class Watermark {
  readonly #entries: Entry[] = [];
  /** The entries before this index are finished. */
  #first = 0;
  #finished: Position;
  #accepted: Position;
  #bytes = 0;

  constructor(start: Position) {
    this.#finished = start;
    this.#accepted = start;
  }

  /** Everything up to here was accepted, and is finished or in progress. */
  get accepted(): Position {
    return this.#accepted;
  }

  /** Everything up to here is finished. */
  get position(): Position {
    return this.#first === this.#entries.length ? this.#accepted : this.#finished;
  }

  get underWay(): number {
    return this.#entries.length - this.#first;
  }

  /** Estimated bytes of the events in progress that were counted. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins an event, in the order of the log. */
  begin(position: Position, bytes: number): Entry {
    if (this.underWay === 0) this.#finished = this.#accepted;
    const entry = { position, bytes, finished: false };
    this.#bytes += bytes;
    this.#entries.push(entry);
    return entry;
  }

  /** The log was read up to here. */
  take(upTo: Position): void {
    this.#accepted = upTo;
  }

  finish(entry: Entry): void {
    entry.finished = true;
    this.#bytes -= entry.bytes;
    for (; this.#entries[this.#first]?.finished; this.#first += 1)
      this.#finished = this.#entries[this.#first]!.position;
    // Compacted rarely, so that the cost of finishing does not grow with the queue.
    if (this.#first < COMPACTED_AT) return;
    this.#entries.splice(0, this.#first);
    this.#first = 0;
  }
}

const COMPACTED_AT = 1_024;
