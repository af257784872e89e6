import { LOG_REPEAT_SEARCH_EVENTS } from '../../engine/limits.ts';
import type { EventStore, Position, StoredEvent } from '../../engine/log/event-store.ts';

/** A half-open range of revisions: `end` is exclusive. */
export type Range = readonly [from: number, end: number];

export interface SearchOptions {
  readonly ranges: readonly Range[];
  /** Events per read. */
  readonly pageMax: number;
  readonly isWanted: (stored: StoredEvent) => boolean;
}

/** A paged search for some events of a journal. */
export class JournalSearch {
  readonly #log: Pick<EventStore, 'readStream' | 'compare'>;
  readonly #journal: string;
  readonly #ranges: Range[];
  readonly #pageMax: number;
  readonly #isWanted: (stored: StoredEvent) => boolean;
  #found: StoredEvent[] = [];
  #readUpTo: Position | null = null;

  constructor(
    log: Pick<EventStore, 'readStream' | 'compare'>,
    journal: string,
    { ranges, pageMax, isWanted }: SearchOptions,
  ) {
    this.#log = log;
    this.#journal = journal;
    this.#ranges = [...ranges];
    this.#pageMax = pageMax;
    this.#isWanted = isWanted;
  }

  /**
   * Skips events up to `after`.
   *
   * @returns The ids just before it, to recognise repeats.
   */
  async start(after: Position | null): Promise<readonly string[]> {
    if (after === null) return [];
    this.#readUpTo = after;
    const first = await this.#firstAfter(after);
    const left = this.#ranges.filter(([, end]) => end > first);
    this.#ranges.splice(
      0,
      Infinity,
      ...left.map(([from, end]): Range => [Math.max(from, first), end]),
    );
    // Most of the month's journals were closed before this position.
    if (left.length === 0) return [];
    const from = Math.max(0, first - LOG_REPEAT_SEARCH_EVENTS);
    const before = await this.#log.readStream(this.#journal, { from, limit: first - from });
    return before.filter(({ revision }) => revision < first).map(({ id }) => id);
  }

  /** The journal was read to its end. */
  get ended(): boolean {
    return this.#found.length === 0 && this.#ranges.length === 0;
  }

  /** The position of the next event; if unknown, a lower bound of it. */
  get at(): Position | null {
    return this.#found[0]?.position ?? this.#readUpTo;
  }

  take(): StoredEvent | undefined {
    return this.#found.shift();
  }

  /** Reads one page. @returns The number of events. @throws `LogUnavailable`. */
  async readOn(): Promise<number> {
    const [range] = this.#ranges;
    if (!range) return 0;
    const [from, end] = range;
    const limit = Math.min(this.#pageMax, end - from);
    const page = await this.#log.readStream(this.#journal, { from, limit });
    const last = page.at(-1);
    const next = last ? last.revision + 1 : end;
    if (page.length < limit || next >= end) this.#ranges.shift();
    else this.#ranges[0] = [next, end];
    this.#readUpTo = last?.position ?? this.#readUpTo;
    this.#found = page.filter(this.#isWanted);
    return page.length;
  }

  /**
   * The first revision after the position `after`, by binary search; `Infinity` if there is none.
   */
  async #firstAfter(after: Position): Promise<number> {
    const [last] = await this.#log.readStream(this.#journal, { backwards: true, limit: 1 });
    if (!last || this.#log.compare(last.position, after) <= 0) return Infinity;
    let low = 0;
    let high = last.revision;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [event] = await this.#log.readStream(this.#journal, { from: middle, limit: 1 });
      if (!event || this.#log.compare(event.position, after) > 0) high = middle;
      else low = event.revision + 1;
    }
    return low;
  }
}
