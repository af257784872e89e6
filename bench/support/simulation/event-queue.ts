/** A priority queue of timed events, earliest first: a binary heap. */
export class EventQueue<T> {
  readonly #times: number[] = [];
  readonly #events: T[] = [];

  get pending(): readonly T[] {
    return this.#events;
  }

  add(at: number, event: T): void {
    let place = this.#times.length;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#times[parent]! <= at) break;
      this.#times[place] = this.#times[parent]!;
      this.#events[place] = this.#events[parent]!;
      place = parent;
    }
    this.#times[place] = at;
    this.#events[place] = event;
  }

  /** Removes the earliest event, unless it is later than `until`. */
  next(until: number): { readonly at: number; readonly event: T } | null {
    const [at, event] = [this.#times[0], this.#events[0]];
    if (at === undefined || event === undefined || at > until) return null;
    const [lastAt, last] = [this.#times.pop()!, this.#events.pop()!];
    if (this.#times.length > 0) this.#sink(lastAt, last);
    return { at, event };
  }

  #sink(at: number, event: T): void {
    const size = this.#times.length;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#times[child + 1]! < this.#times[child]!) child += 1;
      if (this.#times[child]! >= at) break;
      this.#times[place] = this.#times[child]!;
      this.#events[place] = this.#events[child]!;
      place = child;
    }
    this.#times[place] = at;
    this.#events[place] = event;
  }
}
